package abi

import "time"

// A Request is the arguments of one call: a pointer to one of the nine request
// types of this package. No other type implements it.
type Request interface {
	// Method is the method that takes this request.
	Method() Method

	// append adds the fields of the request to dst.
	append(dst []byte) []byte
}

// A Call is one call of a session, as a matcher or responder gets it.
type Call struct {
	Index   uint64  // zero-based position in the session's history
	TimeNS  int64   // virtual time of the call, nanoseconds since 1970
	Request Request // never nil in a decoded call
}

// Method is the method called, or zero when the request is nil.
func (c *Call) Method() Method {
	if c.Request == nil {
		return 0
	}
	return c.Request.Method()
}

// ApplyPatchRequest is the arguments of apply_patch.
type ApplyPatchRequest struct {
	Operations  []PatchOperation
	PatchFormat string // "v4a" unless the caller said otherwise
}

// A PatchOperation is one change of a patch. It is carried as given: nothing
// checks the type, the path or the diff.
type PatchOperation struct {
	Type   string // create_file, update_file or delete_file
	Path   string
	Diff   *string // nil: not given
	MoveTo *string // nil: not given
}

// ExecRequest is the arguments of exec.
type ExecRequest struct {
	Command []string
	Timeout time.Duration // 0: none
	Shell   Shell
	User    string // "": none
}

// LsRequest is the arguments of ls.
type LsRequest struct {
	Path string
	User string
}

// MkdirRequest is the arguments of mkdir.
type MkdirRequest struct {
	Path    string
	Parents bool
	User    string
}

// PTYExecStartRequest is the arguments of pty_exec_start.
type PTYExecStartRequest struct {
	Command         []string
	Timeout         time.Duration // 0: none
	Shell           Shell
	User            string
	TTY             bool
	YieldTime       time.Duration // 0: not given
	MaxOutputTokens int64         // 0: not given
}

// PTYWriteStdinRequest is the arguments of pty_write_stdin.
type PTYWriteStdinRequest struct {
	SessionID       int64
	Chars           string
	YieldTime       time.Duration // 0: not given
	MaxOutputTokens int64         // 0: not given
}

// ReadRequest is the arguments of read.
type ReadRequest struct {
	Path string
	User string
}

// RmRequest is the arguments of rm.
type RmRequest struct {
	Path      string
	Recursive bool
	User      string
}

// WriteRequest is the arguments of write.
type WriteRequest struct {
	Path string
	Data Stream
	User string
}

// Method is [ApplyPatch].
func (*ApplyPatchRequest) Method() Method { return ApplyPatch }

// Method is [Exec].
func (*ExecRequest) Method() Method { return Exec }

// Method is [Ls].
func (*LsRequest) Method() Method { return Ls }

// Method is [Mkdir].
func (*MkdirRequest) Method() Method { return Mkdir }

// Method is [PTYExecStart].
func (*PTYExecStartRequest) Method() Method { return PTYExecStart }

// Method is [PTYWriteStdin].
func (*PTYWriteStdinRequest) Method() Method { return PTYWriteStdin }

// Method is [Read].
func (*ReadRequest) Method() Method { return Read }

// Method is [Rm].
func (*RmRequest) Method() Method { return Rm }

// Method is [Write].
func (*WriteRequest) Method() Method { return Write }

// Shell says what wraps a command. The zero value is the default login shell.
type Shell struct {
	Mode ShellMode
	Argv []string // with ShellArgv
}

// A ShellMode is one of the three ways to wrap a command.
type ShellMode uint8

// The modes.
const (
	ShellDefault ShellMode = 0 // sh -lc
	ShellOff     ShellMode = 1 // the command's parts are argv
	ShellArgv    ShellMode = 2 // the argv given, which may be empty
)

// An Open is what a guest is told before its first call.
type Open struct {
	Config      []Entry // ascending by key
	Seed        uint64
	StartTimeNS int64 // virtual time, nanoseconds since 1970
	Limits      Limits
}

// Limits are the sizes, in bytes, that the host enforces on a guest.
type Limits struct {
	InlineBytes uint64 // content longer than this must travel as a blob
	ReplyBytes  uint64 // longest Reply the host takes
	LogBytes    uint64 // log text kept per call
	BlobBytes   uint64 // blob bytes a guest may create per call
}
