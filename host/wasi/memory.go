package wasi

import (
	"encoding/binary"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A memory is the caller's, which may have none.
type memory struct{ guest engine.Memory }

func (m memory) view(offset, n uint32) ([]byte, bool) {
	if m.guest == nil {
		return nil, false
	}
	return m.guest.View(offset, n)
}

// array views count elements of size bytes.
func (m memory) array(offset, count, size uint32) ([]byte, bool) {
	n := uint64(count) * uint64(size)
	if n > 1<<32-1 {
		return nil, false
	}
	return m.view(offset, uint32(n))
}

func (m memory) putU32(offset, v uint32) errno {
	out, ok := m.view(offset, 4)
	if !ok {
		return efault
	}
	putU32(out, v)
	return success
}

func (m memory) putU64(offset uint32, v uint64) errno {
	out, ok := m.view(offset, 8)
	if !ok {
		return efault
	}
	putU64(out, v)
	return success
}

func getU32(b []byte) uint32    { return binary.LittleEndian.Uint32(b) }
func getU64(b []byte) uint64    { return binary.LittleEndian.Uint64(b) }
func putU32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }
func putU64(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }

// params are the parameters of a call. The upper half of the entry of a 32-bit
// parameter means nothing.
type params []uint64

func (p params) u32(i int) uint32 { return uint32(p[i]) }
