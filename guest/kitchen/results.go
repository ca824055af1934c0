package main

import (
	"math"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

// results returns a result with all that the method's can have.
func results(c *guest.Call) (guest.Result, error) {
	switch r := c.Request().(type) {
	case *guest.ApplyPatchRequest:
		return guest.Text("patched " + strconv.Itoa(len(r.Operations))), nil
	case *guest.ExecRequest:
		return &guest.ExecResult{Stdout: guest.String("out\n"), Stderr: guest.String("err\n"), ExitCode: 3}, nil
	case *guest.LsRequest:
		return guest.Listing{
			{Path: "src", Permissions: 0o755 | guest.DirectoryBit, Owner: "root", Group: "staff", Size: 4096, Kind: guest.FileKindDirectory},
			{Path: "a.txt", Permissions: 0o644, Owner: "root", Group: "staff", Size: 5},
			{Path: "link", Permissions: 0o777, Kind: guest.FileKindSymlink},
			{Path: "fifo", Permissions: 0o600, Owner: "u", Group: "g", Kind: guest.FileKindOther},
		}, nil
	case *guest.PTYExecStartRequest:
		update := guest.PTYRunning(7, "$ ")
		update.OriginalTokenCount = new(uint64(math.MaxUint64))
		return update, nil
	case *guest.PTYWriteStdinRequest:
		return guest.PTYExited(-1, "bye"), nil
	case *guest.ReadRequest:
		return &guest.Stream{Content: guest.String("hello"), Position: 2, Text: true}, nil
	default:
		return guest.Void{}, nil
	}
}

// empty returns a result with nothing in it.
func empty(c *guest.Call) (guest.Result, error) {
	switch c.Method() {
	case guest.ApplyPatch:
		return guest.Text(""), nil
	case guest.Exec:
		return &guest.ExecResult{}, nil
	case guest.Ls:
		return guest.Listing{}, nil
	case guest.PTYExecStart, guest.PTYWriteStdin:
		return &guest.PTYUpdate{}, nil
	case guest.Read:
		return &guest.Stream{}, nil
	default:
		return guest.Void{}, nil
	}
}

// raise returns the sandbox error that the command's five parts describe.
func raise(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
	c := req.Command
	e := guest.NewError(guest.Code(c[0])).WithOp(c[1]).WithMessage(c[2])
	if c[3] != "unknown" {
		e = e.WithRetryable(c[3] == "yes")
	}
	if c[4] == "full" {
		e = e.With("bool", true).With("bytes", []byte{0, 0xff}).With("int", -5).
			With("list", []guest.Value{nil, false, int64(7), "x"}).
			With("map", []guest.Entry{{Key: "a", Value: []guest.Entry{{Key: "b", Value: "c"}}}}).
			With("max", int64(math.MaxInt64)).With("min", int64(math.MinInt64)).
			With("null", nil).With("text", "é")
	}
	return nil, e
}

func startShell(_ *guest.Call, req *guest.PTYExecStartRequest) (*guest.PTYUpdate, error) {
	update := guest.PTYRunning(7, "$ ")
	if req.MaxOutputTokens != 0 {
		update.OriginalTokenCount = new(uint64(12))
	}
	return update, nil
}

func writeShell(_ *guest.Call, req *guest.PTYWriteStdinRequest) (*guest.PTYUpdate, error) {
	if req.Chars == "exit\n" {
		return guest.PTYExited(0, "bye\n"), nil
	}
	return guest.PTYRunning(req.SessionID, req.Chars), nil
}
