package host

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// A GuestErrorKind is how a guest failed. It is an error itself:
//
//	errors.Is(err, host.GuestTrap)
type GuestErrorKind string

// The ways in which a guest fails while it works.
const (
	GuestPanic       GuestErrorKind = "panicked"                  // and said so through the import fail
	GuestTrap        GuestErrorKind = "trapped"                   // ended by the WebAssembly machine
	GuestExit        GuestErrorKind = "exited"                    // called proc_exit
	GuestInterrupted GuestErrorKind = "was interrupted"           // by the end of the context
	GuestBadPointer  GuestErrorKind = "gave a bad pointer"        // outside of its memory
	GuestBadReply    GuestErrorKind = "gave a bad reply"          // undecodable, of another kind, for another method
	GuestOutOfFuel   GuestErrorKind = "ran out of fuel"           // of Limits.CallFuel or Limits.SessionFuel
	GuestTooDeep     GuestErrorKind = "nested its calls too deep" // for Limits.CallDepth
	GuestOutOfMemory GuestErrorKind = "ran out of memory"         // failed in a call in which it was refused memory or entries of a table: Limits.MemoryBytes, Limits.TableEntries
	GuestLimit       GuestErrorKind = "went over a limit"         // another one of the Limits
	GuestFailed      GuestErrorKind = "failed"                    // the handler returned an error of its own
	GuestBadConfig   GuestErrorKind = "refused its configuration" // when it was opened
	GuestBadVersion  GuestErrorKind = "speaks a later version of the ABI"
	GuestRefused     GuestErrorKind = "refused the call" // unknown handler or method, undecodable message, NUL in an argument
	GuestDead        GuestErrorKind = "is dead"          // it has failed before
)

func (k GuestErrorKind) Error() string { return "guest " + string(k) }

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
	b.WriteString(string(e.Kind))
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
		return fmt.Sprintf("it %s in call #%d", string(first.Kind), first.Call+1)
	case ok:
		return "it " + string(first.Kind)
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

// A ModuleErrorKind is why a module can't be used as a guest, command or program.
// It is an error itself:
//
//	errors.Is(err, host.ModuleMissingExport)
type ModuleErrorKind string

// What can be wrong with a module, before any call.
const (
	ModuleInvalid         ModuleErrorKind = "isn't a valid module"
	ModuleNotReactor      ModuleErrorKind = "is a program, not a reactor"
	ModuleNotProgram      ModuleErrorKind = "isn't a program"
	ModuleWrongVersion    ModuleErrorKind = "speaks another version of the ABI"
	ModuleMissingExport   ModuleErrorKind = "lacks an export"
	ModuleWrongSignature  ModuleErrorKind = "has an export or import of another type"
	ModuleUnknownImport   ModuleErrorKind = "wants an import that doesn't exist"
	ModuleBadDescription  ModuleErrorKind = "can't describe itself"
	ModuleUnknownHandler  ModuleErrorKind = "has no such handler"
	ModuleHandlerMismatch ModuleErrorKind = "has a handler that doesn't serve the method"
	ModuleWrongDigest     ModuleErrorKind = "has another SHA-256 than it is pinned to"
	ModuleBadConfig       ModuleErrorKind = "has a configuration that can't be passed on"
	ModuleOverLimit       ModuleErrorKind = "wants more than a limit allows"
)

func (k ModuleErrorKind) Error() string { return "module " + string(k) }

// A ModuleError says why a module can't be used as what it was loaded as. errors.Is finds it
// by its Kind.
type ModuleError struct {
	Kind   ModuleErrorKind
	Module string // the name it was loaded under
	Detail string // what exactly, and what to do
	Err    error  // what the engine or guest failed with
}

func (e *ModuleError) Error() string {
	text := "module "
	if e.Module != "" {
		text += e.Module + " "
	}
	return text + e.Problem()
}

// Problem is the error's text without the name of the module: the rest of a sentence
// that begins with what is meant.
func (e *ModuleError) Problem() string {
	text := string(e.Kind)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives what the engine or guest failed with.
func (e *ModuleError) Unwrap() error { return e.Err }

// Is reports true for the error's kind.
func (e *ModuleError) Is(target error) bool {
	kind, ok := target.(ModuleErrorKind)
	return ok && kind == e.Kind
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
