package terminal

import (
	"errors"
	"fmt"
)

var (
	// ErrClosed is what calls of a closed table fail with.
	ErrClosed = errors.New("the table of processes is closed")

	// ErrStdinUnavailable is what writing to a process fails with that has
	// neither a terminal nor a pipe. Its text is the original's (S6.76).
	ErrStdinUnavailable = errors.New("stdin is not available for this process")

	// ErrInputFull is what writing to a process fails with that doesn't read:
	// nothing was written.
	ErrInputFull = errors.New("the process doesn't read its input")

	// ErrInterrupted is why the context of a program ends that is interrupted.
	ErrInterrupted = errors.New("the process is interrupted")
)

// A NotFoundError is a call for a process that doesn't exist, or no longer: that
// has finished, and told so, or had to make room for others (S7.8).
type NotFoundError struct {
	ID int
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("there is no process %d", e.ID) }

// A PanicError is a program that panicked, or ended its goroutine.
type PanicError struct {
	Value any    // what it panicked with; nil: it ended its goroutine
	Stack []byte // of the panic
}

func (e *PanicError) Error() string {
	if e.Value == nil {
		return "the program ended its goroutine"
	}
	return fmt.Sprintf("the program panicked: %v", e.Value)
}

// Unwrap is the value, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
