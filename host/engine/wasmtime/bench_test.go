//go:build cgo

package wasmtime_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

// contenders are both engines, as package host uses them and bare, so that ratios
// come from one run.
var contenders = []struct {
	name string
	make func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error)
}{
	{"wazero", bareWazero},
	{"wasmtime", bareWasmtime},
	{"metered-wazero", func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return metered.New(ctx, imports, bareWazero)
	}},
	{"metered-wasmtime", func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return metered.New(ctx, imports, bareWasmtime)
	}},
	{"interruptible-wazero", func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wazero.New(ctx, wazero.Config{}, imports)
	}},
	{"interruptible-wasmtime", func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wasmtime.New(ctx, wasmtime.Config{}, imports)
	}},
}

func bareWazero(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
	return wazero.New(ctx, wazero.Config{Uninterruptible: true}, imports)
}

func bareWasmtime(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
	return wasmtime.New(ctx, wasmtime.Config{Uninterruptible: true}, imports)
}

// compete runs a benchmark with a module on each engine.
func compete(b *testing.B, wasm []byte, run func(b *testing.B, m engine.Module), imports ...engine.HostFunc) {
	for _, c := range contenders {
		b.Run(c.name, func(b *testing.B) {
			e, err := c.make(b.Context(), imports)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = e.Close(context.Background()) }()
			m, err := e.Compile(b.Context(), wasm)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			run(b, m)
		})
	}
}

func benchInstance(b *testing.B, m engine.Module) engine.Instance {
	b.Helper()
	in, err := m.Instantiate(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	return in
}

func BenchmarkCall(b *testing.B) {
	compete(b, guest(b, "numbers"), func(b *testing.B, m engine.Module) {
		f, _ := benchInstance(b, m).Function("nothing")
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		for b.Loop() {
			if err := f.Call(ctx, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkEcho hands 98 bytes to the guest and reads them back.
func BenchmarkEcho(b *testing.B) {
	compete(b, guest(b, "memory"), func(b *testing.B, m engine.Module) {
		in := benchInstance(b, m)
		f, _ := in.Function("echo")
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		input, output := make([]byte, 98), make([]byte, 98)
		stack := make([]uint64, 2)
		for b.Loop() {
			view, _ := in.Memory().View(1000, 98)
			copy(view, input)
			stack[0], stack[1] = 1000, 98
			if err := f.Call(ctx, stack); err != nil {
				b.Fatal(err)
			}
			view, _ = in.Memory().View(uint32(stack[0]>>32), uint32(stack[0]))
			copy(output, view)
		}
	})
}

// BenchmarkHostCall is a call whose guest calls one import.
func BenchmarkHostCall(b *testing.B) {
	compete(b, guest(b, "host"), func(b *testing.B, m engine.Module) {
		f, _ := benchInstance(b, m).Function("note")
		stack := make([]uint64, 1)
		for b.Loop() {
			if err := f.Call(b.Context(), stack); err != nil {
				b.Fatal(err)
			}
		}
	}, hostImports()...)
}

// BenchmarkInstantiate makes and closes an instance with a page of memory.
func BenchmarkInstantiate(b *testing.B) {
	compete(b, guest(b, "memory"), func(b *testing.B, m engine.Module) {
		for b.Loop() {
			if err := benchInstance(b, m).Close(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCompile compiles a guest of 100 kB in Rust, without a cache.
func BenchmarkCompile(b *testing.B) {
	wasm, err := os.ReadFile(filepath.Join(kitchens, "rust.wasm"))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range contenders {
		b.Run(c.name, func(b *testing.B) {
			e, err := c.make(b.Context(), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = e.Close(context.Background()) }()
			for b.Loop() {
				m, err := e.Compile(b.Context(), wasm)
				if err != nil {
					b.Fatal(err)
				}
				if err := m.Close(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// hostImports are what the guest "host" wants.
func hostImports() []engine.HostFunc {
	return []engine.HostFunc{
		{Module: "env", Name: "note", Type: engine.Func([]engine.ValueType{engine.I32}, engine.I32), Call: nop},
		{Module: "env", Name: "wide", Type: engine.Func([]engine.ValueType{engine.I64, engine.F32, engine.F64}, engine.F64), Call: nop},
	}
}

func nop(context.Context, engine.Instance, []uint64) error { return nil }

// guest is one of the guests of the contract.
func guest(t testing.TB, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("..", "enginetest", "testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}
