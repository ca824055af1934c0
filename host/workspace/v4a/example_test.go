package v4a_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

func ExampleApply() {
	text, err := v4a.Apply(context.Background(), "one\ntwo\nthree\n", "@@ one\n-two\n+2\n three\n")
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// one
	// 2
	// three
	// <nil>
}

func ExampleApply_error() {
	_, err := v4a.Apply(context.Background(), "one\ntwo\n", "@@ one\n-three\n")
	fmt.Println(err)
	fmt.Println(errors.Is(err, v4a.InvalidContext))
	if failed, ok := errors.AsType[*v4a.Error](err); ok {
		fmt.Println("line", failed.Line, "of the diff")
	}
	// Output:
	// Invalid Context 1:
	// three
	// true
	// line 2 of the diff
}

func ExampleCreate() {
	text, err := v4a.Create("+package main\n+\n+func main() {}\n+\n")
	fmt.Printf("%q %v\n", text, err)
	// Output: "package main\n\nfunc main() {}\n" <nil>
}

func ExampleParse() {
	operations, err := v4a.Parse(`*** Begin Patch
*** Update File: src/app.py
*** Move to: src/main.py
@@ def greet():
-print("Hi")
+print("Hello")
*** Delete File: obsolete.txt
*** End Patch
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, operation := range operations {
		fmt.Println(operation.Type, operation.Path)
	}
	// Output:
	// update_file src/app.py
	// delete_file obsolete.txt
}
