package wasi

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// BenchmarkNewEngine makes an engine that offers all functions.
func BenchmarkNewEngine(b *testing.B) {
	imports := Imports(func(engine.Instance) *Env { return nil })
	for b.Loop() {
		e, err := wazero.New(b.Context(), wazero.Config{}, imports)
		if err != nil {
			b.Fatal(err)
		}
		if err := e.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFdWrite writes 98 bytes to stderr, which is never drained.
func BenchmarkFdWrite(b *testing.B) {
	w := newWorld(b, Config{})
	w.vectors(0, 100, 98)
	f := all["fd_write"]
	stack := make([]uint64, 4)
	b.ReportAllocs()
	for b.Loop() {
		stack[0], stack[1], stack[2], stack[3] = 2, 0, 1, 50
		if err := f.Call(b.Context(), w.in, stack); err != nil || stack[0] != 0 {
			b.Fatal(err, stack[0])
		}
	}
}

// BenchmarkNewEnv makes the Env of an instance, and ends it.
func BenchmarkNewEnv(b *testing.B) {
	files := newFiles(b, workspace.Limits{})
	for name, config := range map[string]Config{"without files": {}, "with files": {Files: files, Dir: "/work/sub"}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NewEnv(config).Close()
			}
		})
	}
}
