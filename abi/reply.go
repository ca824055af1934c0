package abi

// A Reply is what an export of a guest answers. Exactly one field is set.
type Reply struct {
	Description *Description
	Verdict     *Verdict
	Outcome     *Outcome
	Error       *GuestError
	Done        bool
}

// A Description tells who a guest is and what it can do.
type Description struct {
	Name         string
	Version      string
	SDK          string
	SDKVersion   string
	Language     string
	Toolchain    string
	Handlers     []Handler
	ConfigSchema string // a JSON Schema for the configuration, or ""
}

// A Handler is a matcher or responder that a guest offers.
type Handler struct {
	ID      uint32
	Name    string // unique within its kind
	Kind    HandlerKind
	Methods []Method // empty: all
}

// A HandlerKind tells matchers from responders.
type HandlerKind uint8

// The kinds of handlers.
const (
	HandlerMatch   HandlerKind = 1
	HandlerRespond HandlerKind = 2
)

// String is "matcher", "responder" or "unknown".
func (k HandlerKind) String() string {
	switch k {
	case HandlerMatch:
		return "matcher"
	case HandlerRespond:
		return "responder"
	default:
		return "unknown"
	}
}

// A Verdict is a matcher's answer. Its zero value, no answer, accepts.
type Verdict struct {
	Answer      Answer
	Reason      string // of a rejection
	Differences []Difference
}

// An Answer is accept, reject, or none. Everything but an explicit rejection
// accepts.
type Answer uint8

// The answers.
const (
	AnswerNone   Answer = 0
	AnswerAccept Answer = 1
	AnswerReject Answer = 2
)

// A Difference is one field of a call that isn't what a matcher wants.
type Difference struct {
	Field    string // for example args[0] or kwargs.timeout
	Expected string
	Actual   string
}

// An Outcome is a responder's answer: exactly one field is set.
type Outcome struct {
	Void    bool          // write, rm, mkdir
	Exec    *ExecResult   // exec
	Stream  *Stream       // read
	Listing *Listing      // ls
	Text    *string       // apply_patch
	PTY     *PTYUpdate    // pty_exec_start, pty_write_stdin
	Error   *SandboxError // any method
}

// ExecResult is the result of a command that ran to its end.
type ExecResult struct {
	Stdout   Content
	Stderr   Content
	ExitCode int32
}

// A Listing is the result of ls.
type Listing struct {
	Entries []FileEntry
}

// A FileEntry is one file of a listing.
type FileEntry struct {
	Path        string
	Permissions Permissions
	Owner       string
	Group       string
	Size        uint64 // bytes
	Kind        FileKind
}

// IsDir reports whether the entry is a directory.
func (e FileEntry) IsDir() bool { return e.Kind == FileKindDirectory }

// A FileKind is what a file entry is. The zero value is a regular file.
type FileKind uint8

// The kinds of files.
const (
	FileKindFile      FileKind = 0
	FileKindDirectory FileKind = 1
	FileKindSymlink   FileKind = 2
	FileKindOther     FileKind = 3
)

var fileKindNames = [...]string{"file", "directory", "symlink", "other"}

// String is "file", "directory", "symlink" or "other".
func (k FileKind) String() string {
	if int(k) >= len(fileKindNames) {
		return "unknown"
	}
	return fileKindNames[k]
}

// ParseFileKind finds a kind by its name.
func ParseFileKind(name string) (FileKind, bool) {
	for k, n := range fileKindNames {
		if n == name {
			return FileKind(k), true
		}
	}
	return 0, false
}

// PTYUpdate is what a terminal session printed since the last update. A live
// process has an id and no exit code, a finished one an exit code and no id.
type PTYUpdate struct {
	ProcessID          *int64
	Output             Content
	ExitCode           *int32
	OriginalTokenCount *uint64
}

// A SandboxError is an error of the sandbox as a responder raises it.
type SandboxError struct {
	Code      Code
	Op        string  // "": the code's own
	Message   string  // "": the code's own
	Context   []Entry // ascending by key
	Retryable Retryable
}

// Retryable tells whether the same call may succeed later.
type Retryable uint8

// The three possibilities.
const (
	RetryableUnknown Retryable = 0
	RetryableNo      Retryable = 1
	RetryableYes     Retryable = 2
)

// A GuestError says that a guest could not answer at all.
type GuestError struct {
	Kind    GuestErrorKind
	Message string
}

// A GuestErrorKind is the reason why a guest could not answer.
type GuestErrorKind uint8

// The reasons.
const (
	GuestHandlerFailed     GuestErrorKind = 1 // the handler returned an error of its own
	GuestUnknownHandler    GuestErrorKind = 2 // no handler has that id
	GuestBadMessage        GuestErrorKind = 3 // the host's message could not be decoded
	GuestBadConfig         GuestErrorKind = 4 // the configuration isn't usable
	GuestUnsupportedMethod GuestErrorKind = 5 // the handler doesn't serve that method
)

// A Panic is what a dying guest reports through the import fail. Its text need
// not be UTF-8.
type Panic struct {
	Message string
	File    string
	Line    uint32
	Stack   string
}
