package guest_test

import (
	"fmt"
	"io"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

// A responder is a function for one method. It is registered while the program is
// initialised.
func ExampleOnExec() {
	guest.OnExec("status", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout("on branch " + c.Config().String("branch", "main") + "\n"), nil
	})
}

// One name can serve several methods, here those of a store that keeps its files
// in a package variable.
func ExampleOnWrite() {
	files := map[string][]byte{}
	guest.OnWrite("store", func(_ *guest.Call, req *guest.WriteRequest) error {
		data, err := req.Data.ReadAll()
		files[req.Path] = data
		return err
	})
	guest.OnRead("store", func(_ *guest.Call, req *guest.ReadRequest) (*guest.Stream, error) {
		data, ok := files[req.Path]
		if !ok {
			return nil, guest.NewError(guest.CodeWorkspaceReadNotFound).With("path", req.Path)
		}
		return guest.BytesStream(data), nil
	})
}

// A matcher tells whether a call is the one that its step waits for.
func ExampleMatch() {
	guest.Match("only_git", func(c *guest.Call) guest.Verdict {
		req := c.Request().(*guest.ExecRequest)
		if len(req.Command) == 0 || req.Command[0] != "git" {
			return guest.Reject("not git")
		}
		return guest.Accept()
	}, guest.Exec)
}

// A handler of several methods finds out which one was called.
func ExampleRespond() {
	guest.Respond("nothing_here", func(c *guest.Call) (guest.Result, error) {
		switch req := c.Request().(type) {
		case *guest.ReadRequest:
			return nil, guest.NewError(guest.CodeWorkspaceReadNotFound).With("path", req.Path)
		case *guest.LsRequest:
			return guest.Listing(nil), nil
		default:
			return guest.Stdout(""), nil
		}
	}, guest.Read, guest.Ls, guest.Exec)
}

func ExampleNewError() {
	err := guest.NewError(guest.CodeExecTimeout).With("timeout_s", 5).WithRetryable(true)
	fmt.Println(err, err.Context)
	// Output: sandbox error exec_timeout [{timeout_s 5}]
}

func ExampleReject() {
	verdict := guest.Reject("another program").Differ("args[0]", "git", "ls")
	fmt.Println(verdict)
	// Output: reject, another program; args[0]: want git, have ls
}

func ExampleWriter() {
	var w guest.Writer
	for i := range 3 {
		fmt.Fprintln(&w, "line", i)
	}
	stdout, err := w.Content()
	fmt.Println(stdout.Size(), err)
	// Output: 21 <nil>
}

func ExampleContent_Reader() {
	r := guest.String("head and tail").Reader()
	if _, err := r.Seek(-4, io.SeekEnd); err != nil {
		panic(err)
	}
	tail, err := io.ReadAll(r)
	fmt.Println(string(tail), err)
	// Output: tail <nil>
}
