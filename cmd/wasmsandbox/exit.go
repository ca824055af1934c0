package main

import (
	"errors"
	"fmt"
	"strings"
)

// Exit codes. Of several scripts the one that matters most decides: 2 before 3
// before 1 before 4.
const (
	exitOK     = 0
	exitFailed = 1   // the run didn't go as scripted
	exitUsage  = 2   // wrong usage, or a script or module that can't be used
	exitGuest  = 3   // a guest failed
	exitTime   = 4   // there was no time to find out
	exitSignal = 128 // plus the number of the signal that ended the command
)

const exitHelp = `Exit codes:
  0  all went as scripted
  1  the run didn't: an unexpected or rejected call, a step left over, another
     answer than expected, or no file of --save or --checkpoint
  2  wrong usage, or a script, file of calls or module that can't be used
  3  a guest failed: it panicked, trapped, exited, gave up or went over a limit
  4  inconclusive: --timeout or a limit of time ended a run in which all was as
     scripted so far; another machine might have been faster
At the end of --timeout validate and inspect have the code 2. Of several scripts the
worst decides: 2, then 3, then 1, then 4. A signal ends the command with 128 plus its
number: 130 after Ctrl-C.`

// An exitError ends the command with a code. Without an error all that there is
// to say has been printed.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// fail makes an error that is printed.
func fail(code int, format string, args ...any) error {
	return &exitError{code: code, err: fmt.Errorf(format, args...)}
}

// exitWith ends the command with a code, and prints nothing.
func exitWith(code int) error {
	if code == exitOK {
		return nil
	}
	return &exitError{code: code}
}

// worse is the exit code of two that matters more.
func worse(a, b int) int {
	rank := map[int]int{exitOK: 0, exitTime: 1, exitFailed: 2, exitGuest: 3, exitUsage: 4}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// report prints an error, and gives the exit code. What isn't an exitError is
// wrong usage: it comes from the flags and arguments.
func (a *app) report(err error) int {
	if err == nil {
		return exitOK
	}
	exit, ok := errors.AsType[*exitError](err)
	if !ok {
		exit = &exitError{code: exitUsage, err: err}
	}
	if exit.err != nil {
		p := a.palette(a.stderr)
		_, _ = fmt.Fprintf(a.stderr, "%s %s\n", p.bad("error:"), indented(strings.TrimRight(exit.err.Error(), "\n")))
	}
	if !ok {
		_, _ = fmt.Fprintf(a.stderr, "Try '%s --help'.\n", helpCommand(err))
	}
	return exit.code
}

// A usageHint says with which command's help an error can be mended.
type usageHint struct {
	err     error
	command string
}

func (e *usageHint) Error() string { return e.err.Error() }
func (e *usageHint) Unwrap() error { return e.err }

// helpCommand is the command whose help to look at.
func helpCommand(err error) string {
	if hint, ok := errors.AsType[*usageHint](err); ok {
		return hint.command
	}
	return "wasmsandbox"
}
