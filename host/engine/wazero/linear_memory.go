package wazero

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/internal/uncleared"
)

// A linearMemory is the memory of an instance, on Go's heap. It is copied when it grows, which for
// half a gigabyte takes a tenth of a second on a busy machine, and as long again to clear what is
// new. So the context of the call is looked at in between.
type linearMemory struct {
	instance *instance
	bytes    []byte
	most     uint64 // bytes
	made     bool   // it has been given its first bytes
}

// within gives the context in which wazero makes the instance, and its memory. An
// interruptible engine leaves memories to wazero, which closes modules while their guests
// run, and takes away the memory that it was given even if it is growing.
func (in *instance) within(ctx context.Context) context.Context {
	entered := in.enter(ctx)
	if in.engine.interruptible {
		return entered
	}
	return experimental.WithMemoryAllocator(entered, experimental.MemoryAllocatorFunc(
		func(_, most uint64) experimental.LinearMemory { return &linearMemory{instance: in, most: most} }))
}

// Reallocate implements [experimental.LinearMemory]. It leaves the guest by a panic when the
// context of the call has ended, as host functions do: a guest that isn't given memory would
// say that there is none.
func (m *linearMemory) Reallocate(size uint64) []byte {
	switch {
	case !m.made: // what a guest begins with is mostly not touched, so it had better be clear
		m.made = true
		m.bytes = make([]byte, size)
	case size <= uint64(cap(m.bytes)):
		m.bytes = m.bytes[:size]
	default:
		m.grow(size)
	}
	return m.bytes
}

func (m *linearMemory) grow(size uint64) {
	old := m.bytes
	grown := uncleared.Make(int(min(max(size, uint64(len(old))+uint64(len(old)/4)), m.most)))
	for at := 0; at < len(grown); at += engine.MovePiece {
		if err := m.instance.ended(); err != nil {
			panic(&hostFailure{err: err})
		}
		piece := grown[at:min(at+engine.MovePiece, len(grown))]
		clear(piece[copy(piece, old[min(at, len(old)):]):])
	}
	m.bytes = grown[:size]
}

// Free implements [experimental.LinearMemory]. Views of the memory may live on.
func (m *linearMemory) Free() { m.bytes = nil }

// ended is the error of the context of the call in progress, if it has ended.
func (in *instance) ended() error {
	if in.call.Context == nil {
		return nil
	}
	return engine.ContextError(in.call.Context)
}
