package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

// terminals are the processes that pty_exec_start began, until the session stops.
type terminals struct {
	mu    sync.Mutex
	table *terminal.Table
}

func (t *terminals) get() *terminal.Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.table == nil {
		t.table = terminal.New(terminal.Config{})
	}
	return t.table
}

// end ends all processes.
func (t *terminals) end(ctx context.Context) error {
	t.mu.Lock()
	table := t.table
	t.table = nil
	t.mu.Unlock()
	if table == nil {
		return nil
	}
	return table.Close(ctx)
}

// startTerminal runs a command until it waits, or the time to wait for it is up. The
// call's timeout means nothing (S6.72).
func (b *backing) startTerminal(ctx context.Context, r *PTYExecStartRequest) (any, error) {
	command := argv.OfTerminal(r)
	if len(command) == 0 {
		return nil, b.execError(CodeExecTransport, command, nil, errors.New("there is no command"))
	}
	now := b.files.Now()
	update, err := b.terminals.get().Start(ctx, b.inTerminal(command), terminal.StartOptions{
		TTY: r.TTY, YieldTime: r.YieldTime, MaxOutputTokens: tokens(r.MaxOutputTokens), At: now,
	})
	b.files.AdvanceTo(now + int64(update.Elapsed))
	return b.updated(ctx, command, update, err)
}

// inTerminal runs a command with a terminal, on whose clock it sleeps.
func (b *backing) inTerminal(command []string) terminal.Program {
	return func(ctx context.Context, stdio terminal.Stdio) (exitCode int, err error) {
		return b.shell.Run(ctx, shell.Process{
			Args: command, Stdin: stdio.Stdin, Stdout: stdio.Stdout, Stderr: stdio.Stderr, Terminal: stdio.TTY,
			Sleep: func(_ context.Context, d time.Duration) error {
				err := stdio.Sleep(d)
				b.files.AdvanceTo(stdio.Now())
				return err
			},
		})
	}
}

// writeTerminal types into a terminal, and waits as startTerminal does.
func (b *backing) writeTerminal(ctx context.Context, r *PTYWriteStdinRequest) (any, error) {
	now := b.files.Now()
	update, err := b.terminals.get().Write(ctx, int(r.SessionID), r.Chars, terminal.WriteOptions{
		YieldTime: r.YieldTime, MaxOutputTokens: tokens(r.MaxOutputTokens), At: now,
	})
	b.files.AdvanceTo(now + int64(update.Elapsed))
	if missing, ok := errors.AsType[*terminal.NotFoundError](err); ok {
		return nil, NewSandboxError(CodePTYSessionNotFound, map[string]any{"session_id": missing.ID}, err)
	}
	return b.updated(ctx, nil, update, err)
}

// updated is the result of a call.
func (b *backing) updated(ctx context.Context, command []string, u terminal.Update, err error) (any, error) {
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, terminal.ErrClosed):
		return nil, ErrClosed
	case errors.Is(err, terminal.ErrStdinUnavailable):
		return nil, err
	default:
		if failure, ok := errors.AsType[*GuestError](err); ok {
			return nil, failure
		}
		return nil, b.execError(CodeExecTransport, command, nil, err)
	}
	return PTYUpdate{ProcessID: u.ProcessID, Output: u.Output, ExitCode: u.ExitCode, OriginalTokenCount: u.OriginalTokenCount}, nil
}

// tokens is a number of tokens, of which 0 means that none was given.
func tokens(given int64) *int {
	if given == 0 {
		return nil
	}
	return new(int(given))
}
