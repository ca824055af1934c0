package wazero

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// No module, however it lies about itself, makes the compiler take room that it has no
// bytes for.
func FuzzSmallModulesTakeLittleRoom(f *testing.F) {
	const (
		longest = 4 << 10
		room    = 512 << 20 // in bytes: a function may have many locals, whose room grows by doubling
	)
	files, err := filepath.Glob("../../../testdata/hostile/*.wasm")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		wasm, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(wasm) <= longest {
			f.Add(wasm)
		}
	}
	e, err := New(f.Context(), Config{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close(context.Background()) })
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if len(wasm) > longest {
			t.Skip("it may want much")
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := e.Compile(t.Context(), wasm)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > room {
			t.Errorf("%d bytes took %d of memory", len(wasm), took)
		}
		if err == nil {
			_ = m.Close(t.Context())
		}
	})
}
