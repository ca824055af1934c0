// Package devices has the content of the devices that are the same for all commands.
package devices

import (
	"bytes"
	"io"
	"math/rand/v2"
)

// Reader is what is read from one of the devices, nil for any other path. What is random
// is the same each time.
func Reader(path string) io.Reader {
	switch path {
	case "/dev/null":
		return bytes.NewReader(nil)
	case "/dev/zero":
		return zeros{}
	case "/dev/random", "/dev/urandom":
		return rand.NewChaCha8([32]byte{})
	default:
		return nil
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
