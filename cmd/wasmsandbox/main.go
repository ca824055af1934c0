// Command wasmsandbox runs, checks and makes session scripts and their guests.
//
//	wasmsandbox run SCRIPT…       make a script's calls, and print what happened
//	wasmsandbox validate SCRIPT…  list all that is wrong with scripts
//	wasmsandbox verify SCRIPT…    show that runs of scripts are the same
//	wasmsandbox inspect MODULE    tell what a WebAssembly module is and wants
//	wasmsandbox new NAME          start a responder with a script and tests
//	wasmsandbox build FOLDER      build a module from source
//	wasmsandbox conformance FILE… test guests against the ABI, and with each other
//	wasmsandbox version           tell the versions of the tool, the ABI and the engines
//
// Each command has a file here. All but main is reached through run, which a
// test can call. What a command prints about its input goes to stdout, what
// went wrong with the command itself to stderr; the exit codes are in exit.go.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program: it gives the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := withSignals(context.Background())
	defer stop()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	out := &stickyWriter{w: stdout, failed: cancel}
	a := &app{stdin: stdin, stdout: out, stderr: stderr}
	root := a.newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case interruptedBy(ctx) != 0:
		return exitSignal + interruptedBy(ctx)
	case errors.Is(out.err, syscall.EPIPE):
		return exitSignal + int(syscall.SIGPIPE)
	case out.err != nil:
		err = fail(exitUsage, "can't write the output: %w", out.err)
	}
	return a.report(err)
}

// An app is what all commands share.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	color  *choice
}

// A stickyWriter keeps the first error to itself, and drops what comes after it,
// so that nobody else needs to look at it, or prints it. It tells of the error, so
// that nothing more is done that nobody will read of.
type stickyWriter struct {
	w      io.Writer
	err    error
	failed func(error)
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	if s.err == nil {
		if _, s.err = s.w.Write(p); s.err != nil {
			s.failed(s.err)
		}
	}
	return len(p), nil
}
