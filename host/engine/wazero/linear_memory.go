package wazero

import (
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A linearMemory is the memory of an instance, on Go's heap. To grow it is to copy it, which for
// half a gigabyte takes a tenth of a second on a busy machine, so that the context of the
// call is looked at in between.
type linearMemory struct {
	instance *instance
	bytes    []byte
	most     uint64 // bytes
}

// copiedAtOnce is how many bytes are copied between two looks at the context.
const copiedAtOnce = 8 << 20

// allocator makes the memory of an instance.
func (in *instance) allocator() experimental.MemoryAllocator {
	return experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
		return &linearMemory{instance: in, most: most}
	})
}

// Reallocate implements [experimental.LinearMemory]. It leaves the guest by a panic when the
// context of the call has ended, as host functions do: a guest that isn't given memory would
// say that there is none.
func (m *linearMemory) Reallocate(size uint64) []byte {
	old := m.bytes
	if size <= uint64(cap(old)) {
		m.bytes = old[:size]
		return m.bytes
	}
	grown := make([]byte, size, min(max(size, uint64(len(old)+len(old)/4)), m.most))
	for at := 0; at < len(old); at += copiedAtOnce {
		if err := m.instance.ended(); err != nil {
			panic(&hostFailure{err: err})
		}
		copy(grown[at:], old[at:min(at+copiedAtOnce, len(old))])
	}
	m.bytes = grown
	return grown
}

// Free implements [experimental.LinearMemory]. Views of the memory may live on.
func (m *linearMemory) Free() { m.bytes = nil }

// ended is the error of the context of the call in progress, if it has ended.
func (in *instance) ended() error {
	if in.running == nil {
		return nil
	}
	return engine.ContextError(in.running)
}
