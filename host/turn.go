package host

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// A turn is a lock that can be waited for no longer than a context lasts.
// Waiters get it in the order they came. The zero turn is free.
type turn struct {
	state   atomic.Int32
	mu      sync.Mutex
	waiting []chan struct{} // under mu; one that is closed has got the turn
}

// The states of a turn. Only a contended one can have waiters; it is passed on,
// so that nobody who comes later gets ahead of them.
const (
	turnFree int32 = iota
	turnTaken
	turnContended
)

// take waits for the lock, or for the context to end.
func (t *turn) take(ctx context.Context) error {
	if t.try() {
		return nil
	}
	passed := t.queue()
	select {
	case <-passed:
		return nil
	case <-ctx.Done():
		return t.leave(passed, ctx.Err())
	}
}

// try takes the lock if nobody has it.
func (t *turn) try() bool { return t.state.CompareAndSwap(turnFree, turnTaken) }

// give passes the lock on, or makes it free.
func (t *turn) give() {
	if t.state.CompareAndSwap(turnTaken, turnFree) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.state.Store(turnFree)
		return
	}
	close(t.waiting[0])
	t.waiting = slices.Delete(t.waiting, 0, 1)
}

// queue adds a waiter, unless the lock has become free: then it is passed at once.
func (t *turn) queue() (passed chan struct{}) {
	passed = make(chan struct{})
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state.Swap(turnContended) == turnFree {
		close(passed)
	} else {
		t.waiting = append(t.waiting, passed)
	}
	return passed
}

// leave ends the waiting with an error, unless the lock has just been passed.
func (t *turn) leave(passed chan struct{}, err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.waiting, passed)
	if i < 0 {
		return nil
	}
	t.waiting = slices.Delete(t.waiting, i, i+1)
	return err
}
