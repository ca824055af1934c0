package sourcebuild

import (
	"context"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lock waits until no other process builds the same.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	done := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(path).Lock()
		done <- result{unlock, err}
	}()
	select {
	case r := <-done:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() { // it can't be told to stop waiting
			if r := <-done; r.err == nil {
				r.unlock()
			}
		}()
		return nil, ctx.Err()
	}
}
