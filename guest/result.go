package guest

import (
	"errors"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// errNoResult is what a handler that returns neither a result nor an error fails
// with.
var errNoResult = errors.New("the handler returned neither a result nor an error")

// A Result is what a method returns: an [*ExecResult], a [*Stream], a [Listing], a
// [Text], a [*PTYUpdate] or [Void]. Only a handler registered with [Respond] has to
// know which fits the call; nil is Void.
type Result interface {
	// outcome fills in what goes to the host, which may make blobs. It fails with
	// errNoResult for a nil pointer.
	outcome(out *outcome) error
}

// ExecResult is the result of exec: a command that ran to its end.
type ExecResult struct {
	Stdout   Content
	Stderr   Content
	ExitCode int32
}

// Stdout is a command that printed text, and succeeded.
func Stdout(text string) *ExecResult { return &ExecResult{Stdout: String(text)} }

// Exit is a command that printed an error message, and ended with a code.
func Exit(code int32, stderr string) *ExecResult {
	return &ExecResult{ExitCode: code, Stderr: String(stderr)}
}

// Listing is the result of ls.
type Listing []FileEntry

// Text is the result of apply_patch: what the patch tool printed.
type Text string

// Void is the result of write, rm and mkdir.
type Void struct{}

// PTYUpdate is the result of pty_exec_start and pty_write_stdin: what a terminal
// session printed since the last update. A live process has an id and no exit
// code, a finished one an exit code and no id.
type PTYUpdate struct {
	Output             Content
	ProcessID          *int64
	ExitCode           *int32
	OriginalTokenCount *uint64 // nil: not given
}

// PTYRunning is an update of a live process.
func PTYRunning(id int64, output string) *PTYUpdate {
	return &PTYUpdate{ProcessID: &id, Output: String(output)}
}

// PTYExited is the last update of a process.
func PTYExited(code int32, output string) *PTYUpdate {
	return &PTYUpdate{ExitCode: &code, Output: String(output)}
}

// An outcome is the message that a result fills in, with room for what it points
// to, so that calls needn't allocate it.
type outcome struct {
	abi.Outcome
	exec    abi.ExecResult
	stream  abi.Stream
	listing abi.Listing
	text    string
	pty     abi.PTYUpdate
}

func (r *ExecResult) outcome(out *outcome) error {
	if r == nil {
		return errNoResult
	}
	stdout, err := r.Stdout.send()
	if err != nil {
		return err
	}
	stderr, err := r.Stderr.send()
	out.exec = abi.ExecResult{Stdout: stdout, Stderr: stderr, ExitCode: r.ExitCode}
	out.Exec = &out.exec
	return err
}

func (s *Stream) outcome(out *outcome) error {
	if s == nil {
		return errNoResult
	}
	content, err := s.Content.send()
	out.stream = abi.Stream{Content: content, Position: s.Position, Text: s.Text}
	out.Stream = &out.stream
	return err
}

func (l Listing) outcome(out *outcome) error {
	out.listing = abi.Listing{Entries: l}
	out.Listing = &out.listing
	return nil
}

func (t Text) outcome(out *outcome) error {
	out.text = string(t)
	out.Text = &out.text
	return nil
}

func (Void) outcome(out *outcome) error {
	out.Void = true
	return nil
}

func (u *PTYUpdate) outcome(out *outcome) error {
	if u == nil {
		return errNoResult
	}
	output, err := u.Output.send()
	out.pty = abi.PTYUpdate{
		ProcessID:          u.ProcessID,
		Output:             output,
		ExitCode:           u.ExitCode,
		OriginalTokenCount: u.OriginalTokenCount,
	}
	out.PTY = &out.pty
	return err
}
