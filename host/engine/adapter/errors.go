// Package adapter holds what the adapters of engines have in common: the errors of
// the contract, the imports on offer, and the folder of compiled code.
package adapter

import (
	"fmt"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// ErrEngineClosed and ErrModuleClosed are engine.ErrClosed for something else than an
// instance.
var (
	ErrEngineClosed error = &closedError{"engine"}
	ErrModuleClosed error = &closedError{"module"}
)

type closedError struct{ what string }

func (e *closedError) Error() string     { return "engine: the " + e.what + " is closed" }
func (e *closedError) Is(err error) bool { return err == engine.ErrClosed }

// FirstLine is a text up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// PanicError is the value of a panic as an error.
func PanicError(r any) error {
	if err, ok := r.(error); ok {
		return err
	}
	return fmt.Errorf("%v", r)
}
