// Package terminal runs the processes behind pty_exec_start and pty_write_stdin on
// virtual time, so that what a caller sees of them is the same on every machine.
//
// A process is a [Program]: a function with an input that may not have come yet, an
// output, and a clock. A [Table] starts programs, hands them what is typed, and
// tells what they have printed since it was last asked.
//
// # When a call returns
//
// Nothing waits for real time to pass. A call runs its process until that has
// settled, which it has when
//
//   - its program has returned, or
//   - it waits for input, and all there was is read, or
//   - it sleeps beyond the deadline of the call, which is the call's yield time
//     away on the process's own clock, or
//   - it has printed more than it may in one call, see [Config].
//
// The next call takes it from there. A process doesn't run between calls, and other
// processes' calls don't move its time; StartOptions.At and WriteOptions.At tell it
// what time has passed elsewhere.
//
// A program that computes for ever never settles. Its call ends with the context of
// the caller, and it goes on; a later call may find it settled, or interrupt it.
//
// # Terminals
//
// With StartOptions.TTY a process has a terminal as Linux sets it up for a shell
// (cooked mode): what is typed is echoed and handed over line by line, return is a
// line feed, delete takes the last character of the line back, ^D ends the line
// without a line feed, and an empty line with it is the end of the input, ^C
// interrupts the process: it has the exit code 130, unless its program does something
// else (Stdio.Interrupts). A line feed is printed with a
// carriage return before it. Other signals, and changing the mode, don't exist.
//
// # Input without a terminal
//
// In the original a process that was started without a terminal can't be written
// to: the error's text is looked for by the tool write_stdin, which tells the model
// to ask for a terminal (S6.76). So that it is the same here, such a process is at
// the end of its input from the start, and Write fails with [ErrStdinUnavailable]
// unless there is nothing to write. StartOptions.Piped gives it a pipe instead,
// which takes characters as they are, for sandboxes that have one.
//
// A table is safe for concurrent use. Calls for one process take turns.
package terminal
