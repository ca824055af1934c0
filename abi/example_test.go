package abi_test

import (
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func ExampleCall_Append() {
	call := abi.Call{Index: 3, Request: &abi.ExecRequest{Command: []string{"pwd"}}}
	fmt.Printf("% x\n", call.Append(nil))
	// Output: 08 03 22 05 0a 03 70 77 64
}

func ExampleCall_Unmarshal() {
	var call abi.Call
	if err := call.Unmarshal([]byte("\x08\x03\x22\x05\x0a\x03pwd")); err != nil {
		fmt.Println(err)
		return
	}
	switch request := call.Request.(type) {
	case *abi.ExecRequest:
		fmt.Println(call.Method(), call.Index, request.Command)
	default:
		fmt.Println("not served:", call.Method())
	}
	// Output: exec 3 [pwd]
}

func ExampleReply_Append() {
	reply := abi.Reply{Outcome: &abi.Outcome{Exec: &abi.ExecResult{
		Stdout: abi.Content{Inline: []byte("/\n")},
	}}}
	fmt.Printf("% x\n", reply.Append(nil))
	// Output: 1a 08 12 06 0a 04 0a 02 2f 0a
}

func ExampleReply_Unmarshal() {
	var reply abi.Reply
	err := reply.Unmarshal([]byte{0x1a, 4, 0x12, 2, 0x0a, 9})
	fmt.Println(err)
	fmt.Println(errors.Is(err, abi.ErrTruncated))
	// Output:
	// abi: decoding ExecResult.stdout at byte 4: the data ends too early
	// true
}

func ExampleOutcome_Fits() {
	text := abi.Outcome{Text: new("Done!")}
	fmt.Println(text.Fits(abi.ApplyPatch), text.Fits(abi.Exec))
	// Output: true false
}

func ExampleParsePermissions() {
	p, err := abi.ParsePermissions("drwxr-sr-x.")
	fmt.Println(p, err)
	_, err = abi.ParsePermissions("lrwxrwxrwx")
	fmt.Println(err)
	// Output:
	// drwxr-xr-x <nil>
	// permissions "lrwxrwxrwx": the type is neither d nor -
}

func ExampleCheckValue() {
	err := abi.CheckValue([]abi.Entry{{Key: "retries", Value: []abi.Value{int64(1), 2.5}}})
	fmt.Println(err)
	// Output: abi: value at .retries[1]: a type that has no encoding
}
