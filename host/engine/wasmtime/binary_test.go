//go:build cgo

package wasmtime

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzNoInputPanics reads input that no engine has validated.
func FuzzNoInputPanics(f *testing.F) {
	guests, err := filepath.Glob("../enginetest/testdata/*.wasm")
	if err != nil || len(guests) == 0 {
		f.Fatalf("guests %v, %v", guests, err)
	}
	for _, path := range guests {
		wasm, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wasm)
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if checkHeader(wasm) != nil {
			return
		}
		s, err := readShape(wasm)
		if err != nil {
			return
		}
		if n := len(s.imports) + len(s.exports) + len(s.types) + len(s.functions); n > len(wasm) {
			t.Errorf("%d bytes hold %d items", len(wasm), n)
		}
		for i := range s.functions {
			_ = s.signature(uint32(i))
		}
	})
}
