package host

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// A GuestError says that a guest could not answer. The session stays usable: in
// a matcher the step stays, in a responder it has been consumed (S10.3). After a
// panic, trap, exit, interruption, bad pointer or bad reply, and out of fuel, memory or
// depth, the guest answers nothing more in its session, and later calls fail with
// GuestDead. A [Command] or [Program] begins anew with each call.
//
// errors.Is finds it by its Kind, and by what the engine failed with, such as
// context.DeadlineExceeded.
type GuestError struct {
	Kind    GuestErrorKind
	Module  string // the name that the guest was loaded under
	Handler string // "" outside of a handler
	Call    int    // zero-based index of the call, or -1 outside of one
	Export  string // the function that was running

	Message  string  // the guest's or engine's words
	File     string  // of a panic: where it happened, if the guest knows
	Line     int     // of a panic; 0: unknown
	Stack    string  // the guest's frames, innermost first, if known
	ExitCode int     // of an exit
	Breach   *Breach // which limit it went over; nil: none
	Stderr   string  // the end of what the guest printed on standard error
	Err      error   // what the engine failed with, or for GuestDead the first failure
}

// Error is one line: it leaves out the stack and what the guest printed.
func (e *GuestError) Error() string {
	var b strings.Builder
	if e.Module != "" {
		b.WriteString("guest ")
		b.WriteString(e.Module)
		b.WriteString(": ")
	}
	if e.Handler != "" {
		b.WriteString(e.Handler)
		b.WriteString(": ")
	}
	if e.Call >= 0 {
		fmt.Fprintf(&b, "call #%d: ", e.Call+1)
	}
	b.WriteString(e.Kind.String())
	if e.Kind == GuestExit {
		fmt.Fprintf(&b, " with code %d", e.ExitCode)
	}
	if message := firstLine(e.message()); message != "" {
		b.WriteString(": ")
		b.WriteString(message)
	}
	if e.File != "" {
		fmt.Fprintf(&b, " (%s:%d)", e.File, e.Line)
	}
	return b.String()
}

// message is what tells most: the guest's words, else what it printed last. An
// earlier failure is told in full on Err.
func (e *GuestError) message() string {
	switch {
	case e.Kind == GuestDead:
		return e.deathText()
	case e.Message == "" || e.Kind == GuestTrap && e.Stderr != "":
		return cmp.Or(strings.TrimSpace(e.Stderr), e.Message)
	default:
		return e.Message
	}
}

// deathText is why a dead guest is.
func (e *GuestError) deathText() string {
	first, ok := errors.AsType[*GuestError](e.Err)
	switch {
	case ok && first.Call >= 0:
		return fmt.Sprintf("it %s in call #%d", first.Kind.String(), first.Call+1)
	case ok:
		return "it " + first.Kind.String()
	case e.Err != nil:
		return e.Err.Error()
	default:
		return e.Message
	}
}

// Unwrap gives what the engine failed with, or the first failure.
func (e *GuestError) Unwrap() error { return e.Err }

// Is reports true for the error's kind.
func (e *GuestError) Is(target error) bool {
	kind, ok := target.(GuestErrorKind)
	return ok && kind == e.Kind
}

// fatal reports whether the guest can't be called again.
func (e *GuestError) fatal() bool {
	switch e.Kind {
	case GuestFailed, GuestRefused, GuestLimit:
		return false
	default:
		return true
	}
}

// firstLine is the first line of a text, or its beginning.
func firstLine(text string) string {
	const longest = 300 // bytes
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	return line
}
