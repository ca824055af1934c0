package wazero_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

var modes = []struct {
	name   string
	config wazero.Config
}{
	{"uninterruptible", wazero.Config{Uninterruptible: true}},
	{"interruptible", wazero.Config{}},
}

func BenchmarkCall(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			in := newInstance(b, mode.config, "numbers")
			f, _ := in.Function("nothing")
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Call(ctx, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEcho hands 98 bytes to the guest and reads them back.
func BenchmarkEcho(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			in := newInstance(b, mode.config, "memory")
			f, _ := in.Function("echo")
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			input, output := make([]byte, 98), make([]byte, 98)
			stack := make([]uint64, 2)
			b.ReportAllocs()
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
}

// BenchmarkHostCall is a call whose guest calls one import.
func BenchmarkHostCall(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			in := newInstance(b, mode.config, "host",
				engine.HostFunc{
					Module: "env", Name: "note", Call: nop,
					Type: engine.Func([]engine.ValueType{engine.I32}, engine.I32),
				},
				engine.HostFunc{
					Module: "env", Name: "wide", Call: nop,
					Type: engine.Func([]engine.ValueType{engine.I64, engine.F32, engine.F64}, engine.F64),
				})
			f, _ := in.Function("note")
			stack := make([]uint64, 1)
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Call(b.Context(), stack); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInstantiate makes and closes an instance with a page of memory.
func BenchmarkInstantiate(b *testing.B) {
	e := newEngine(b, wazero.Config{Uninterruptible: true})
	m, err := e.Compile(b.Context(), guest(b, "memory"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		in, err := m.Instantiate(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := in.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGrow is a guest that asks for memory page by page, up to half a gigabyte.
func BenchmarkGrow(b *testing.B) {
	const pages = 8192
	for b.Loop() {
		in := newInstance(b, wazero.Config{Uninterruptible: true}, "unbounded")
		f, _ := in.Function("grow")
		stack := make([]uint64, 1)
		for range pages - 1 {
			stack[0] = 1
			if err := f.Call(b.Context(), stack); err != nil {
				b.Fatal(err)
			}
		}
		if size := in.Memory().Size(); size != pages*engine.PageSize {
			b.Fatalf("it has %d bytes", size)
		}
		_ = in.Close(b.Context())
	}
}
