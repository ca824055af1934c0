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

// randomPiece is how many random bytes are made before the context is looked at: a
// multiple of 8, so that they are the same as made at once.
const randomPiece = 1 << 20

func randomGet(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	out, ok := m.view(p.u32(0), p.u32(1))
	if !ok {
		return efault, nil
	}
	for len(out) > randomPiece {
		_, _ = e.random.Read(out[:randomPiece]) // never fails
		if err := ctx.Err(); err != nil {
			return success, err
		}
		out = out[randomPiece:]
	}
	_, _ = e.random.Read(out)
	return success, nil
}
