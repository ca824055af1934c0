package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

func look(path string) {
	text, err := os.ReadFile(path)
	var number syscall.Errno
	if errors.As(err, &number) {
		fmt.Printf("%s: error %d\n", path, int(number))
		return
	}
	fmt.Printf("%s: %s\n", path, text)
}

// where says what there is to see from the working folder, which is "sub" in the
// root "/work".
func where() {
	wd, err := os.Getwd()
	fmt.Println(wd, err)
	for _, path := range []string{
		"here", "./here", "../up", "../sub/../up", "/work/up", "/work/sub/here", "/granted/g", "../../secret",
		"../../granted/g", "/work/../secret", "absolute link", "relative link", "escaping link",
	} {
		look(path)
	}
	for _, folder := range []string{"inner", "..", "..", "/work/sub", "/granted", "/"} {
		err := os.Chdir(folder)
		wd, _ := os.Getwd()
		fmt.Println("chdir", folder, err, wd)
		look("here")
		look("up")
		look("g")
		look("/work/up")
	}
}
