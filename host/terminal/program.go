package terminal

import (
	"context"
	"io"
	"time"
)

// A Program is what a process runs, in a goroutine of its own. An exit code ends
// the process; an error is one of the sandbox, not of the process, and goes to the
// caller. A panic is an error.
//
// The context has the values of the one that the process was started with. It ends
// when the process is interrupted, has to make room for others, or the table is
// closed; a program has to return soon after. What it answers then doesn't count.
type Program func(ctx context.Context, stdio Stdio) (exitCode int, err error)

// Stdio is a process's view of its terminal. Its parts fail with the cause of the
// context once that has ended.
//
// All is safe for concurrent use, but a process has settled when one of its
// goroutines waits. So a program that has more than one, and prints the same each
// time, lets them come to their end before it reads or sleeps.
type Stdio struct {
	// Stdin waits for input. On a terminal it gives one line at a time, and its
	// end isn't for good.
	Stdin io.Reader

	// Stdout and Stderr are the same: one output, in the order of writing.
	Stdout io.Writer
	Stderr io.Writer

	// TTY says that they are a terminal.
	TTY bool

	// Sleep waits for time to pass on the process's clock.
	Sleep func(d time.Duration) error

	// Poll waits until Stdin has input or is at its end, no longer than d. It
	// reports whether that is so. If d is negative it waits as long as it takes.
	Poll func(d time.Duration) (ready bool, err error)

	// Interrupts has interrupt called when ^C is typed, in place of the end of the process,
	// until it is released. Meanwhile the parts of Stdio fail with [ErrInterrupted], as do
	// those that wait. It doesn't wait, nor may interrupt. Of several, the last that isn't
	// released is called; and at once, if one before was and isn't released either.
	Interrupts func(interrupt func()) (release func())

	// Now is the time on the process's clock, in nanoseconds since 1970. It moves
	// while the process waits.
	Now func() int64
}
