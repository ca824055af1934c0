package host

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

// terminals are the processes that pty_exec_start began, until the session stops.
type terminals struct {
	mu     sync.Mutex
	table  *terminal.Table
	closed bool // for good
}

func (t *terminals) get() (*terminal.Table, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if t.table == nil {
		t.table = terminal.New(terminal.Config{})
	}
	return t.table, nil
}

// peek gives the table if there is one, or nil.
func (t *terminals) peek() *terminal.Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.table
}

// end ends all processes, and finally lets no more begin. What doesn't end while the
// context lasts can be ended by another call.
func (t *terminals) end(ctx context.Context, finally bool) error {
	t.mu.Lock()
	t.closed = t.closed || finally
	table := t.table
	t.mu.Unlock()
	if table == nil {
		return nil
	}
	if err := table.Close(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.table == table {
		t.table = nil
	}
	return nil
}

// startTerminal runs a command until it waits, or the time to wait for it is up. The
// call's timeout means nothing (S6.72).
func (b *backing) startTerminal(ctx context.Context, r *PTYExecStartRequest) (any, error) {
	command := argv.OfTerminal(r)
	if len(command) == 0 {
		return nil, b.execError(CodeExecTransport, command, nil, errors.New("there is no command"))
	}
	table, err := b.terminals.get()
	if err != nil {
		return nil, err
	}
	now := b.files.Now()
	update, err := table.Start(ctx, b.inTerminal(command), terminal.StartOptions{
		TTY: r.TTY, YieldTime: r.YieldTime, MaxOutputTokens: tokens(r.MaxOutputTokens), At: now,
	})
	b.files.AdvanceTo(saturating.Add(now, int64(update.Elapsed)))
	return b.updated(ctx, command, update, err)
}

// inTerminal runs a command with a terminal, on whose clock it sleeps.
func (b *backing) inTerminal(command []string) terminal.Program {
	typed := *b.shell
	typed.Limits.Output = math.MaxInt64 // the terminal has one for each call, and lets wait for the next
	return func(ctx context.Context, stdio terminal.Stdio) (exitCode int, err error) {
		return typed.Run(ctx, shell.Process{
			Args: command, Stdin: stdio.Stdin, Stdout: stdio.Stdout, Stderr: stdio.Stderr, Terminal: stdio.TTY,
			Interrupts: stdio.Interrupts,
			Sleep: func(_ context.Context, d time.Duration) error {
				err := stdio.Sleep(d)
				b.files.AdvanceTo(stdio.Now())
				return err
			},
			Poll: func(_ context.Context, d time.Duration) (bool, error) {
				ready, err := stdio.Poll(d)
				b.files.AdvanceTo(stdio.Now())
				return ready, err
			},
		})
	}
}

// writeTerminal types into a terminal, and waits as startTerminal does.
func (b *backing) writeTerminal(ctx context.Context, r *PTYWriteStdinRequest) (any, error) {
	table, err := b.terminals.get()
	if err != nil {
		return nil, err
	}
	now := b.files.Now()
	update, err := table.Write(ctx, int(r.SessionID), r.Chars, terminal.WriteOptions{
		YieldTime: r.YieldTime, MaxOutputTokens: tokens(r.MaxOutputTokens), At: now,
	})
	b.files.AdvanceTo(saturating.Add(now, int64(update.Elapsed)))
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
	case isA[*terminal.PanicError](err), isA[*terminal.NotFoundError](err), errors.Is(err, terminal.ErrInputFull):
		return nil, b.execError(CodeExecTransport, command, nil, err)
	default:
		return nil, b.commandFailure(command, err)
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
