package wazero

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
		externs, err := readExterns(wasm)
		if err == nil && len(externs.imports)+len(externs.exports) > len(wasm) {
			t.Errorf("%d bytes hold %d imports and %d exports", len(wasm), len(externs.imports), len(externs.exports))
		}
	})
}
