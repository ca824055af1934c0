package host

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// A ctxMutex is a mutex that can be waited for no longer than a context lasts. Waiters get
// it in the order in which they came: each waits for its turn, which is what fields of this
// type are called. The zero ctxMutex is unlocked.
type ctxMutex struct {
	state   atomic.Int32
	mu      sync.Mutex
	waiting []chan struct{} // under mu; whose is closed has got the lock
}

// The states of a ctxMutex. Only a contended one can have waiters; it is passed on, so
// that nobody who comes later gets ahead of them.
const (
	unlocked int32 = iota
	locked
	contended
)

// Lock waits for the lock, or for the context to end: then it fails with the context's
// error.
func (m *ctxMutex) Lock(ctx context.Context) error {
	if m.TryLock() {
		return nil
	}
	passed := m.enqueue()
	select {
	case <-passed:
		return nil
	case <-ctx.Done():
		return m.giveUp(passed, ctx.Err())
	}
}

// TryLock takes the lock if nobody has it, and reports whether it did.
func (m *ctxMutex) TryLock() bool { return m.state.CompareAndSwap(unlocked, locked) }

// Unlock passes the lock on to the next waiter, if there is one.
func (m *ctxMutex) Unlock() {
	if m.state.CompareAndSwap(locked, unlocked) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.waiting) == 0 {
		m.state.Store(unlocked)
		return
	}
	close(m.waiting[0])
	m.waiting = slices.Delete(m.waiting, 0, 1)
}

// enqueue adds a waiter, unless the lock has become free: then it is passed at once.
func (m *ctxMutex) enqueue() (passed chan struct{}) {
	passed = make(chan struct{})
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Swap(contended) == unlocked {
		close(passed)
	} else {
		m.waiting = append(m.waiting, passed)
	}
	return passed
}

// giveUp ends the waiting with an error, unless the lock has just been passed.
func (m *ctxMutex) giveUp(passed chan struct{}, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.Index(m.waiting, passed)
	if i < 0 {
		return nil
	}
	m.waiting = slices.Delete(m.waiting, i, i+1)
	return err
}
