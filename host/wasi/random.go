package wasi

import (
	"context"
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

func randomGet(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	out, ok := m.view(p.u32(0), p.u32(1))
	if !ok {
		return efault, nil
	}
	for len(out) > 0 {
		next := out[:min(len(out), piece)] // a multiple of 8, so that all are as made at once
		if err := e.move(ctx, len(next)); err != nil {
			return success, err
		}
		_, _ = e.random.Read(next) // never fails
		out = out[len(next):]
	}
	return success, nil
}
