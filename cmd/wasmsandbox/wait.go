package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// A timeLimit is the flag --timeout.
type timeLimit struct {
	flag  *once
	what  string // is ended
	limit time.Duration
}

// What a module may take that isn't trusted, if no --timeout says otherwise. Validating
// builds guests, too.
const (
	inspectionTime  = 2 * time.Minute
	validationTime  = 15 * time.Minute
	conformanceTime = 15 * time.Minute
)

func addTimeout(cmd *cobra.Command, what string) *timeLimit {
	t := &timeLimit{flag: addOnce(cmd, "timeout", "TIME", "end the whole "+what+" after a time such as 30s or 2m"), what: what}
	mustComplete(cmd, "timeout", cobra.NoFileCompletions)
	return t
}

// addTimeoutOf is addTimeout with a limit where none is given.
func addTimeoutOf(cmd *cobra.Command, what string, limit time.Duration) *timeLimit {
	t := addTimeout(cmd, what)
	t.limit = limit
	cmd.Flags().Lookup("timeout").Usage += fmt.Sprintf(" (default %gm)", limit.Minutes())
	return t
}

func (t *timeLimit) parse() (err error) {
	if !t.flag.set {
		return nil
	}
	if t.limit, err = time.ParseDuration(t.flag.value); err != nil || t.limit <= 0 {
		return fmt.Errorf("--timeout wants a time such as 30s or 2m, not %q", t.flag.value)
	}
	return nil
}

// start makes a context that ends with the time, if there is a limit.
func (t *timeLimit) start(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, t.limit, fmt.Errorf("the %s didn't end within %s", t.what, t.limit))
}

// await calls a function that may not heed the context, as one that opens a named
// pipe, and gives up some time after the context has ended. What the function
// waits for goes on then; it ends with the process.
func await[T any](ctx context.Context, patience time.Duration, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	results := make(chan result, 1)
	go func() {
		value, err := f()
		results <- result{value, err}
	}()
	select {
	case r := <-results:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-results:
		return r.value, r.err
	case <-time.After(patience):
		var none T
		return none, context.Cause(ctx)
	}
}

// loadScript is scripts.Load, which cleans up when the context ends, unless it
// waits for a named pipe.
func loadScript(ctx context.Context, path string, options ...scripts.Option) (*scripts.Script, error) {
	return await(ctx, 5*time.Second, func() (*scripts.Script, error) { return scripts.Load(ctx, path, options...) })
}

// readUntil reads from a file until the context ends.
func readUntil(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return r.Read(p)
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
