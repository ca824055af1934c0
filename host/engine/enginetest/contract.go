// Package enginetest is the contract of package engine as tests, and a fake
// engine whose guests are Go functions.
//
// An adapter passes when [Run] does. [NewFake] is for tests of what is above
// the engine, which want a guest that no compiler would make.
package enginetest

import (
	"context"
	"embed"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

//go:generate ./generate.sh

//go:embed testdata/*.wasm
var guests embed.FS

// Options says what to expect of an engine. The zero value expects all.
type Options struct {
	// MemoryLimit is the most pages that the engine gives to a memory, from 4
	// to 1000. 0 leaves out the tests of the limit.
	MemoryLimit uint32

	// Uninterruptible leaves out the tests in which a context ends a guest.
	Uninterruptible bool

	// NoWasm leaves out the tests that feed an engine with bytes of their own:
	// it doesn't really read WebAssembly.
	NoWasm bool
}

// Run runs the contract. newEngine makes an engine that offers the imports; the
// tests close it.
func Run(t *testing.T, newEngine func(t *testing.T, imports ...engine.HostFunc) engine.Engine, options Options) {
	s := &suite{newEngine: newEngine, options: options}
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"modules", moduleTests},
		{"values", valueTests},
		{"memory", memoryTests},
		{"globals", globalTests},
		{"imports", importTests},
		{"traps", trapTests},
		{"contexts", contextTests},
		{"start", startTests},
		{"lifetime", lifetimeTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) {
					if reason := s.skips(test.needs); reason != "" {
						t.Skip(reason)
					}
					test.run(t, s)
				})
			}
		})
	}
}

// A test is one statement about engines.
type test struct {
	name  string
	needs need
	run   func(t *testing.T, s *suite)
}

// A need is what an engine must have for a test to make sense.
type need int

const (
	nothing need = iota
	interrupts
	memoryLimit
	realWasm
)

type suite struct {
	newEngine func(t *testing.T, imports ...engine.HostFunc) engine.Engine
	options   Options
}

func (s *suite) skips(n need) string {
	switch {
	case n == interrupts && s.options.Uninterruptible:
		return "contexts don't end the guests of this engine"
	case n == memoryLimit && s.options.MemoryLimit == 0:
		return "the engine has no memory limit"
	case n == realWasm && s.options.NoWasm:
		return "the engine doesn't read WebAssembly"
	}
	return ""
}

// guest is a compiled guest of the testdata folder.
func guest(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := guests.ReadFile("testdata/" + name + ".wasm")
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func (s *suite) engine(t *testing.T, imports ...engine.HostFunc) engine.Engine {
	t.Helper()
	e := s.newEngine(t, imports...)
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Errorf("Engine.Close: %v", err)
		}
	})
	return e
}

func (s *suite) module(t *testing.T, name string, imports ...engine.HostFunc) engine.Module {
	t.Helper()
	return compile(t, s.engine(t, imports...), name)
}

func (s *suite) instance(t *testing.T, name string, imports ...engine.HostFunc) engine.Instance {
	t.Helper()
	return instantiate(t, s.module(t, name, imports...), nil)
}

func compile(t *testing.T, e engine.Engine, name string) engine.Module {
	t.Helper()
	m, err := e.Compile(t.Context(), guest(t, name))
	if err != nil {
		t.Fatalf("Compile(%s): %v", name, err)
	}
	return m
}

func instantiate(t *testing.T, m engine.Module, data any) engine.Instance {
	t.Helper()
	in, err := m.Instantiate(t.Context(), data)
	if err != nil {
		t.Fatalf("Instantiate: %v", err)
	}
	return in
}

func function(t *testing.T, in engine.Instance, name string) engine.Function {
	t.Helper()
	f, ok := in.Function(name)
	if !ok {
		t.Fatalf("the function %q isn't found", name)
	}
	return f
}

// call makes a call that has to succeed, and gives the stack after it.
func call(t *testing.T, in engine.Instance, name string, params ...uint64) []uint64 {
	t.Helper()
	stack, err := try(t.Context(), t, in, name, params...)
	if err != nil {
		t.Fatalf("%s%v: %v", name, params, err)
	}
	return stack
}

// try makes a call with room for up to eight results.
func try(ctx context.Context, t *testing.T, in engine.Instance, name string, params ...uint64) ([]uint64, error) {
	t.Helper()
	stack := make([]uint64, 8)
	copy(stack, params)
	err := function(t, in, name).Call(ctx, stack)
	return stack, err
}

// call32 is call for functions with one i32 as result.
func call32(t *testing.T, in engine.Instance, name string, params ...uint64) uint32 {
	t.Helper()
	return uint32(call(t, in, name, params...)[0])
}

// note is the import env.note, which most guests with imports want.
func note(run func(ctx context.Context, caller engine.Instance, stack []uint64) error) engine.HostFunc {
	return engine.HostFunc{
		Module: "env", Name: "note",
		Type: engine.Func([]engine.ValueType{engine.I32}, engine.I32),
		Call: run,
	}
}

// wide is the import env.wide, which answers with its last parameter.
func wide() engine.HostFunc {
	return engine.HostFunc{
		Module: "env", Name: "wide",
		Type: engine.Func([]engine.ValueType{engine.I64, engine.F32, engine.F64}, engine.F64),
		Call: func(_ context.Context, _ engine.Instance, stack []uint64) error {
			stack[0] = stack[2]
			return nil
		},
	}
}
