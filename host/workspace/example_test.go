package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func ExampleNew() {
	w := workspace.New(workspace.Config{})
	_ = w.MkdirAll("src", 0)
	_ = w.WriteFile("src/main.go", []byte("package main\n"), 0)

	content, err := w.ReadFile("/workspace/src/main.go")
	fmt.Printf("%q %v\n", content, err)
	_, err = w.ReadFile("src/missing.go")
	fmt.Println(err, errors.Is(err, fs.ErrNotExist))
	_, err = w.ReadFile("../etc/passwd")
	fmt.Println(err)
	// Output:
	// "package main\n" <nil>
	// open /workspace/src/missing.go: no such file or directory true
	// open ../etc/passwd: the path "../etc/passwd" leaves the root
}

func ExampleTree_FS() {
	w := workspace.New(workspace.Config{})
	_ = w.MkdirAll("docs", 0)
	_ = w.WriteFile("README.md", []byte("# Notes\n"), 0)
	_ = w.WriteFile("docs/a.md", []byte("# A\n"), 0)

	_ = fs.WalkDir(w.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		fmt.Println(name, d)
		return err
	})
	// Output:
	// . d ./
	// README.md -rw-r--r-- 8 1970-01-01 00:00:00 README.md
	// docs drwxr-xr-x 4096 1970-01-01 00:00:00 docs/
	// docs/a.md -rw-r--r-- 4 1970-01-01 00:00:00 a.md
}
