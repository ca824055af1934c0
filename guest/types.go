package guest

import "github.com/wasmsandbox/wasmsandbox/abi"

// A Request is the arguments of one call: a pointer to one of the nine request
// types of this package.
type Request interface {
	// Method is the method that takes this request.
	Method() Method
}

// The requests of package abi. The one of write is [WriteRequest].
type (
	// ApplyPatchRequest is the arguments of apply_patch.
	ApplyPatchRequest = abi.ApplyPatchRequest

	// ExecRequest is the arguments of exec.
	ExecRequest = abi.ExecRequest

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

	// A PatchOperation is one change of a patch.
	PatchOperation = abi.PatchOperation

	// A Shell says what wraps a command.
	Shell = abi.Shell
)

// A Method is one of the nine methods a handler can serve.
type Method = abi.Method

// The methods.
const (
	ApplyPatch    = abi.ApplyPatch
	Exec          = abi.Exec
	Ls            = abi.Ls
	Mkdir         = abi.Mkdir
	PTYExecStart  = abi.PTYExecStart
	PTYWriteStdin = abi.PTYWriteStdin
	Read          = abi.Read
	Rm            = abi.Rm
	Write         = abi.Write
)

// Ways to wrap a command in a shell.
const (
	ShellDefault = abi.ShellDefault
	ShellOff     = abi.ShellOff
	ShellArgv    = abi.ShellArgv
)

// Files of a [Listing].
type (
	// A FileEntry is one file.
	FileEntry = abi.FileEntry

	// A FileKind is what a file is.
	FileKind = abi.FileKind

	// Permissions are a file's nine permission bits, and DirectoryBit.
	Permissions = abi.Permissions
)

// The kinds of a file entry, and the bit that directories have set in their
// permissions.
const (
	FileKindFile      = abi.FileKindFile
	FileKindDirectory = abi.FileKindDirectory
	FileKindSymlink   = abi.FileKindSymlink
	FileKindOther     = abi.FileKindOther
	DirectoryBit      = abi.DirectoryBit
)

// Values of a configuration, and of an error's context.
type (
	// A Value is nil, bool, int64, string, []byte, []Value, or []Entry.
	Value = abi.Value

	// An Entry is a named value.
	Entry = abi.Entry
)

// Limits are the sizes that the host enforces on a guest.
type Limits = abi.Limits
