//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"sync"
	"sync/atomic"
)

// A lifetime frees something of C's once it is closed and nobody uses it.
type lifetime struct {
	free func()

	mu     sync.Mutex
	users  int
	closed bool
}

// enter makes the caller a user, unless it is closed.
func (l *lifetime) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.users++
	return true
}

func (l *lifetime) leave() {
	l.mu.Lock()
	l.users--
	last := l.closed && l.users == 0
	l.mu.Unlock()
	if last {
		l.free()
	}
}

// close reports whether it was open.
func (l *lifetime) close() bool {
	l.mu.Lock()
	first := !l.closed
	l.closed = true
	last := first && l.users == 0
	l.mu.Unlock()
	if last {
		l.free()
	}
	return first
}

func (l *lifetime) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// A registry finds instances by what C knows of them, without a lock.
type registry struct {
	slots atomic.Pointer[[]*atomic.Pointer[instance]]

	mu   sync.Mutex
	free []uintptr
}

var instances registry

func (r *registry) get(handle uintptr) *instance { return (*r.slots.Load())[handle].Load() }

func (r *registry) add(in *instance) uintptr {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := len(r.free) - 1; last >= 0 {
		handle := r.free[last]
		r.free = r.free[:last]
		(*r.slots.Load())[handle].Store(in)
		return handle
	}
	var slots []*atomic.Pointer[instance]
	if old := r.slots.Load(); old != nil {
		slots = *old
	}
	slot := new(atomic.Pointer[instance])
	slot.Store(in)
	slots = append(slots, slot) // readers look at what was there before
	r.slots.Store(&slots)
	return uintptr(len(slots) - 1)
}

func (r *registry) remove(handle uintptr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	(*r.slots.Load())[handle].Store(nil)
	r.free = append(r.free, handle)
}

// stacks keeps those that are not in use.
type stacks struct {
	mu   sync.Mutex
	idle []C.uintptr_t
}

// maxIdleStacks is how many are kept for the next instances.
const maxIdleStacks = 16

// take gives a stack, or 0 on a system where guests have none of their own.
func (s *stacks) take() (stack C.uintptr_t, ok bool) {
	s.mu.Lock()
	if last := len(s.idle) - 1; last >= 0 {
		stack, s.idle = s.idle[last], s.idle[:last]
	}
	s.mu.Unlock()
	if stack == 0 {
		stack = C.wasmsandbox_stack_new()
	}
	return stack, stack != 0 || C.wasmsandbox_switches_stacks == 0
}

func (s *stacks) put(stack C.uintptr_t) {
	if stack == 0 {
		return
	}
	C.wasmsandbox_stack_clear(stack)
	s.mu.Lock()
	full := len(s.idle) == maxIdleStacks
	if !full {
		s.idle = append(s.idle, stack)
	}
	s.mu.Unlock()
	if full {
		C.wasmsandbox_stack_delete(stack)
	}
}

func (s *stacks) free() {
	for _, stack := range s.idle {
		C.wasmsandbox_stack_delete(stack)
	}
	s.idle = nil
}
