package guest

import "github.com/wasmsandbox/wasmsandbox/abi"

// A Request is the arguments of one call: a pointer to one of the nine request
// types of this package.
type Request interface {
	// Method is the method that takes this request.
	Method() Method
}

// Requests of the methods. All but [WriteRequest] are those of package abi.
type (
	ApplyPatchRequest    = abi.ApplyPatchRequest
	PatchOperation       = abi.PatchOperation
	ExecRequest          = abi.ExecRequest
	LsRequest            = abi.LsRequest
	MkdirRequest         = abi.MkdirRequest
	PTYExecStartRequest  = abi.PTYExecStartRequest
	PTYWriteStdinRequest = abi.PTYWriteStdinRequest
	ReadRequest          = abi.ReadRequest
	RmRequest            = abi.RmRequest
	Shell                = abi.Shell
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

// A FileEntry is one file of a [Listing].
type (
	FileEntry   = abi.FileEntry
	FileKind    = abi.FileKind
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

// A Value is nil, bool, int64, string, []byte, []Value, or []Entry.
type (
	Value = abi.Value
	Entry = abi.Entry
)

// Limits are the sizes that the host enforces on a guest.
type Limits = abi.Limits
