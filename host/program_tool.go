package host

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// Tool is the program as a command of a workspace: it sees the workspace as its
// files, has the environment of the command with its own, and reads and writes what
// the command is given. The context has to come from a session. A program that traps
// is a *GuestError.
func (p *Program) Tool() shell.Tool {
	return func(ctx context.Context, process shell.Process) (exitCode int, err error) {
		scope := scopeOf(ctx)
		if scope == nil {
			return 0, errNoSession
		}
		run, end, err := runFor(ctx, p.name, "", p.limits, scope.record.call())
		if err != nil {
			return 0, err
		}
		defer end()
		return p.runTool(ctx, run, process)
	}
}

func (p *Program) runTool(ctx context.Context, r *run, process shell.Process) (exitCode int, err error) {
	stderr := &tailWriter{w: orDiscard(process.Stderr)}
	ended, failure := r.start(ctx, p.compiled, wasi.Config{
		Args: process.Args, Env: mergedEnvironment(process.Env, p.env),
		Dir:    process.Dir,
		Input:  inputOf(process.Stdin),
		Stdout: orDiscard(process.Stdout), Stderr: stderr,
		Pipes: [3]bool{!process.Terminal, !process.Terminal, !process.Terminal},
		Sleep: process.Sleep, Poll: pollOf(process),
	})
	switch {
	case failure == nil:
		return int(ended.exitCode & 0xff), nil
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case errors.Is(failure, errExecTimeout):
		return 0, errExecTimeout
	}
	if limit, ok := errors.AsType[*shell.LimitError](failure); ok {
		return 0, limit
	}
	return 0, r.fail(failure, wasi.Output{Bytes: stderr.tail})
}

// pollOf says how a command waits for input. What doesn't come from a terminal is there
// at once.
func pollOf(process shell.Process) func(context.Context, time.Duration) (bool, error) {
	if process.Poll != nil {
		return process.Poll
	}
	return func(context.Context, time.Duration) (bool, error) { return true, nil }
}

// inputOf reads what a command is given.
func inputOf(stdin io.Reader) func(context.Context, []byte) (int, error) {
	if stdin == nil {
		return nil
	}
	return func(_ context.Context, p []byte) (int, error) { return stdin.Read(p) }
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// mergedEnvironment is one environment with another one over it, sorted by name.
func mergedEnvironment(below, over []string) []string {
	if len(over) == 0 {
		return below
	}
	merged := map[string]string{}
	for _, pair := range slices.Concat(below, over) {
		name, value, _ := strings.Cut(pair, "=")
		merged[name] = value
	}
	list := make([]string, 0, len(merged))
	for _, name := range slices.Sorted(maps.Keys(merged)) {
		list = append(list, name+"="+merged[name])
	}
	return list
}

// A tailWriter keeps the last bytes of what it writes, where a program that dies
// says why.
type tailWriter struct {
	w    io.Writer
	tail []byte
}

func (t *tailWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.tail = append(t.tail, p[:n]...)
	if most := wasi.DefaultMaxStderr; len(t.tail) > 2*most {
		t.tail = slices.Clone(t.tail[len(t.tail)-most:])
	}
	return n, err
}
