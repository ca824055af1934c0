package metered_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// loop is a module of one function, "run", that loops without end.
var loop = module(
	section(1, 1, 0x60, 0, 0),
	section(3, 1, 0),
	section(7, 1, 3, 'r', 'u', 'n', 0, 0),
	section(10, 1, 7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b),
)

func module(sections ...[]byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"), bytes.Join(sections, nil)...)
}

func section(id byte, content ...byte) []byte {
	return append([]byte{id, byte(len(content))}, content...)
}

func compile(t *testing.T, e *metered.Engine, wasm []byte) engine.Module {
	t.Helper()
	m, err := e.Compile(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMeteringDoesNotShow(t *testing.T) {
	m := compile(t, newEngine(t), loop)
	if len(m.Imports()) != 0 {
		t.Errorf("imports %v", m.Imports())
	}
	if exports := m.Exports(); len(exports) != 1 || exports[0].Name != "run" {
		t.Errorf("exports %v", exports)
	}
}

func TestClosingTheEngineEndsItsGuests(t *testing.T) {
	e := newEngine(t)
	in, err := compile(t, e, loop).Instantiate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	run, _ := in.Function("run")
	done := make(chan error)
	go func() { done <- run.Call(context.Background(), nil) }()
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, engine.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestModulesThatCannotBeMeteredAreRefused(t *testing.T) {
	for name, wasm := range map[string][]byte{
		"a reserved import": module(section(1, 1, 0x60, 0, 0),
			append([]byte{2, 26, 1, 20}, "wasmsandbox.metering\x01x\x00\x00"...)),
		"cut short": loop[:len(loop)-3],
	} {
		_, err := newEngine(t).Compile(t.Context(), wasm)
		if _, ok := errors.AsType[*engine.CompileError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
