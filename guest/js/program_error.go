package js

import (
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A ProgramError says why a program can't be evaluated: a mistake in its syntax, an
// import of what isn't there, or an error that it throws at its top level.
type ProgramError struct {
	Message string // with the kind of the error, such as "SyntaxError: …"
	File    string // as Load was told; "" if the place isn't known
	Line    int
	Stack   string // of the program; may be empty

	guest *host.GuestError
}

func (e *ProgramError) Error() string {
	if e.File == "" {
		return e.Message
	}
	return fmt.Sprintf("%s (%s:%d)", e.Message, e.File, e.Line)
}

// Unwrap gives the *host.GuestError of the interpreter.
func (e *ProgramError) Unwrap() error { return e.guest }

// explain makes what the interpreter told of the program what is wrong with it.
func explain(err error, name string) error {
	guest, ok := errors.AsType[*host.GuestError](err)
	if !ok || !errors.Is(err, host.ModuleBadDescription) || guest.Kind != host.GuestPanic {
		return err
	}
	return &host.ModuleError{Kind: host.ModuleInvalid, Module: name, Err: &ProgramError{
		Message: guest.Message, File: guest.File, Line: guest.Line, Stack: guest.Stack, guest: guest,
	}}
}
