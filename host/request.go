package host

import (
	"io"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Request is the arguments of one call: a pointer to one of the nine request
// types. In each of them the zero value of an optional field means that it
// wasn't given.
type Request interface {
	// Method is the method that takes this request.
	Method() Method
}

type (
	// ApplyPatchRequest is the arguments of apply_patch.
	ApplyPatchRequest = abi.ApplyPatchRequest

	// PatchOperation is one change of a patch.
	PatchOperation = abi.PatchOperation

	// ExecRequest is the arguments of exec.
	ExecRequest = abi.ExecRequest

	// Shell says what wraps a command. The zero value is the default login shell;
	// NoShell and ShellCommand make others.
	Shell = abi.Shell

	// LsRequest is the arguments of ls.
	LsRequest = abi.LsRequest

	// MkdirRequest is the arguments of mkdir.
	MkdirRequest = abi.MkdirRequest

	// PTYExecStartRequest is the arguments of pty_exec_start.
	PTYExecStartRequest = abi.PTYExecStartRequest

	// PTYWriteStdinRequest is the arguments of pty_write_stdin.
	PTYWriteStdinRequest = abi.PTYWriteStdinRequest

	// ReadRequest is the arguments of read.
	ReadRequest = abi.ReadRequest

	// RmRequest is the arguments of rm.
	RmRequest = abi.RmRequest
)

// WriteRequest is the arguments of write.
type WriteRequest struct {
	Path string

	// Data is recorded when the call is made. A reader that keeps its content
	// in memory (*bytes.Reader, *strings.Reader, *bytes.Buffer, *StreamReader,
	// and any other with Size, ReadAt and Seek) is copied whole, with its
	// position, and left untouched (S2.1, S2.28). Any other reader is read to
	// its end, under the session's stream limit: the context ends that between
	// two reads, and io.ErrNoProgress if it gives nothing again and again. Nil is
	// an empty stream.
	Data io.Reader

	User string // "": none
}

// Method is MethodWrite.
func (*WriteRequest) Method() Method { return MethodWrite }

// NoShell runs a command's parts as they are, without a shell around them.
func NoShell() Shell { return Shell{Mode: abi.ShellOff} }

// ShellCommand wraps a command in an interpreter, for example
// ShellCommand("bash", "-c"). It keeps the slice.
func ShellCommand(argv ...string) Shell { return Shell{Mode: abi.ShellArgv, Argv: argv} }

// DefaultPatchFormat is the format of apply_patch when none is given.
const DefaultPatchFormat = "v4a"
