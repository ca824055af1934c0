package wasi

import (
	"encoding/binary"
	"math/rand/v2"
)

// newRandom expands a seed. The rest of the key is fixed, and keeps the stream
// apart from others that might start from the same number.
func newRandom(seed uint64) *rand.ChaCha8 {
	key := [32]byte([]byte("........wasmsandbox/wasi/random1"))
	binary.LittleEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}

func randomGet(e *Env, m memory, p params) errno {
	out, ok := m.view(p.u32(0), p.u32(1))
	if !ok {
		return efault
	}
	_, _ = e.random.Read(out) // never fails
	return success
}
