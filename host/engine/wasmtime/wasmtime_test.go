//go:build cgo

package wasmtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

func compile(t *testing.T, e engine.Engine, wasm []byte) engine.Module {
	t.Helper()
	m, err := e.Compile(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func instantiate(t *testing.T, m engine.Module) engine.Instance {
	t.Helper()
	in, err := m.Instantiate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// call makes a call with room for eight values.
func call(t *testing.T, in engine.Instance, name string, params ...uint64) error {
	t.Helper()
	f, ok := in.Function(name)
	if !ok {
		t.Fatalf("there is no function %q", name)
	}
	stack := make([]uint64, 8)
	copy(stack, params)
	return f.Call(t.Context(), stack)
}

// module makes a module of sections.
func module(sections ...string) []byte {
	return []byte("\x00asm\x01\x00\x00\x00" + strings.Join(sections, ""))
}

// section makes a section of less than 128 bytes.
func section(id byte, content string) string { return string([]byte{id, byte(len(content))}) + content }

func TestWhatCantBeCompiledIsACompileError(t *testing.T) {
	e := newEngine(t, wasmtime.Config{})
	for input, want := range map[string]string{
		"":                                     "its header is , not that",
		"(module)":                             "its header is 28 6d 6f 64 75 6c 65 29, not that",
		"\x00asm\x0d\x00\x01\x00":              "its header is 00 61 73 6d 0d 00 01 00, not that",
		string(module("\x01")):                 "unexpected end",
		string(module("\x7f\x00")):             "section",
		string(guest(t, "huge")):               "pages, the most is 8192",
		string(guest(t, "numbers")[:8]) + "xx": "failed to parse WebAssembly module: unexpected end",
		string(module(section(5, "\x01\x00\x81\x40"))):                                       "pages, the most is 8192",
		string(module(section(4, "\x01\x70\x00\x80\xd7\xf2\x3f"))):                           "entries",
		string(module("\x04\xad\x02\x64" + strings.Repeat("\x70\x00\x01", 100))):             "100 tables",
		string(module(section(5, "\x01\x04\x01"))):                                           "memory64",
		string(module(section(5, "\x01\x03\x01\x01"))):                                       "shared",
		string(module(section(5, "\x02\x00\x01\x00\x01"))):                                   "multiple memories",
		string(module(section(1, "\x01\x5f\x00"))):                                           "gc",
		string(module(section(1, "\x01\x60\x00\x00"), section(3, "\x01\x00"), tailCallCode)): "tail call",
		string(module(section(1, "\x01\x60\x00\x00"), section(3, "\x01\x00"), relaxedCode)):  "relaxed",
		string(module(section(1, "\x01\x60\x00\x00"), section(3, "\x01\x00"), localsCode)):   "locals",
	} {
		_, err := e.Compile(t.Context(), []byte(input))
		if _, ok := errors.AsType[*engine.CompileError](err); !ok || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %q, want a *CompileError of one line with %q", input[:min(len(input), 20)], err, want)
		}
	}
}

const (
	tailCallCode = "\x0a\x06\x01\x04\x00\x12\x00\x0b"
	relaxedCode  = "\x0a\x2c\x01\x2a\x00" + zeroVector + zeroVector + "\xfd\x80\x02\x1a\x0b"
	zeroVector   = "\xfd\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	localsCode   = "\x0a\x0a\x01\x08\x01\xff\xff\xff\xff\x0f\x7e\x0b"
)

func TestSettingsThatCannotBeAreErrors(t *testing.T) {
	for name, test := range map[string]struct {
		config  wasmtime.Config
		imports []engine.HostFunc
		want    string
	}{
		"too much memory": {config: wasmtime.Config{MaxMemoryPages: 65536}, want: "65535"},
		"an import without module": {
			imports: []engine.HostFunc{{Name: "f", Call: nop}}, want: "no module name",
		},
		"an import without function": {
			imports: []engine.HostFunc{{Module: "m", Name: "f"}}, want: "no function",
		},
		"an import twice": {
			imports: []engine.HostFunc{{Module: "m", Name: "f", Call: nop}, {Module: "m", Name: "f", Call: nop}},
			want:    "m.f is offered twice",
		},
		"a vector": {
			imports: []engine.HostFunc{{Module: "m", Name: "f", Type: engine.Func(nil, engine.V128), Call: nop}},
			want:    "can't pass",
		},
		"a reference": {
			imports: []engine.HostFunc{{Module: "m", Name: "f", Type: engine.Func([]engine.ValueType{engine.ExternRef}), Call: nop}},
			want:    "can't pass",
		},
		"a type that doesn't exist": {
			imports: []engine.HostFunc{{Module: "m", Name: "f", Type: engine.Func([]engine.ValueType{1}), Call: nop}},
			want:    "can't pass",
		},
	} {
		e, err := wasmtime.New(t.Context(), test.config, test.imports)
		if err == nil || e != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v and the error %v, want %q", name, e, err, test.want)
		}
	}
}

// trapsOf is how the calls of the guest "traps" end.
func trapsOf(t *testing.T, e engine.Engine) map[string]string {
	t.Helper()
	m := compile(t, e, guest(t, "traps"))
	traps := map[string]string{}
	for _, name := range []string{
		"unreachable", "memory", "divide", "overflow", "convert", "null", "type", "table", "stack",
	} {
		trap, ok := errors.AsType[*engine.TrapError](call(t, instantiate(t, m), name))
		if !ok {
			t.Errorf("%s is no trap", name)
			continue
		}
		if name == "stack" {
			trap.Stack = "" // which wazero doesn't tell
		}
		traps[name] = trap.Reason + "\n" + trap.Stack
	}
	return traps
}

func TestTrapsReadAsThoseOfWazero(t *testing.T) {
	other, err := wazero.New(t.Context(), wazero.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(context.Background()) }()
	e := newEngine(t, wasmtime.Config{})
	defer func() { _ = e.Close(context.Background()) }()
	if diff := cmp.Diff(trapsOf(t, other), trapsOf(t, e)); diff != "" {
		t.Errorf("traps (-wazero +wasmtime):\n%s", diff)
	}
}

func TestAHostFunctionThatPanicsIsNamed(t *testing.T) {
	e := newEngine(t, wasmtime.Config{}, engine.HostFunc{
		Module: "env", Name: "begin",
		Call: func(context.Context, engine.Instance, []uint64) error { panic("oh") },
	})
	_, err := compile(t, e, guest(t, "start-import")).Instantiate(t.Context(), nil)
	trap, ok := errors.AsType[*engine.TrapError](err)
	if !ok || trap.Reason != "the host function env.begin panicked: oh" {
		t.Errorf("got %+v", trap)
	}
}

func TestClosingAnEngineEndsAGuestThatLoops(t *testing.T) {
	e := newEngine(t, wasmtime.Config{})
	in := instantiate(t, compile(t, e, guest(t, "loop")))
	ended := make(chan error)
	go func() { ended <- call(t, in, "forever") }()
	time.Sleep(time.Millisecond)
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, engine.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

func TestAnUninterruptibleCallAllocatesNothing(t *testing.T) {
	e := newEngine(t, wasmtime.Config{Uninterruptible: true}, hostImports()...)
	in := instantiate(t, compile(t, e, guest(t, "host")))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stack := make([]uint64, 1)
	if n := testing.AllocsPerRun(100, func() {
		f, _ := in.Function("note")
		if err := f.Call(ctx, stack); err != nil {
			t.Error(err)
		}
		if _, ok := in.Memory().View(0, 10); !ok {
			t.Error("no view")
		}
	}); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func TestAFunctionOfOtherValuesThanNumbersCannotBeCalled(t *testing.T) {
	// (func (export "f") (param externref)) (func (export "g") (result v128) unreachable)
	wasm := module(section(1, "\x02\x60\x01\x6f\x00\x60\x00\x01\x7b"), section(3, "\x02\x00\x01"),
		section(7, "\x02\x01f\x00\x00\x01g\x00\x01"), section(10, "\x02\x02\x00\x0b\x03\x00\x00\x0b"))
	in := instantiate(t, compile(t, newEngine(t, wasmtime.Config{}), wasm))
	for name, want := range map[string]string{"f": "externref", "g": "v128"} {
		err := call(t, in, name)
		if _, ok := errors.AsType[*engine.TrapError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want a *TrapError about %s", name, err, want)
		}
	}
}

func TestACallIntoAnInstanceFromItsImportIsAnError(t *testing.T) {
	var inner error
	imports := hostImports()
	imports[0].Call = func(ctx context.Context, caller engine.Instance, _ []uint64) error {
		f, _ := caller.Function("load")
		inner = f.Call(ctx, []uint64{0})
		return nil
	}
	in := instantiate(t, compile(t, newEngine(t, wasmtime.Config{}, imports...), guest(t, "host")))
	if err := call(t, in, "note"); err != nil {
		t.Error(err)
	}
	if _, ok := errors.AsType[*engine.TrapError](inner); !ok {
		t.Errorf("the call inside: %v, want a *TrapError", inner)
	}
}

// Each guest's import calls the next guest, and the last one fails.
func TestGuestsCanCallEachOther(t *testing.T) {
	const depth = 100
	enough := errors.New("enough")
	imports := hostImports()
	imports[0].Call = func(ctx context.Context, caller engine.Instance, stack []uint64) error {
		next := caller.Data().(*engine.Instance)
		if *next == nil {
			return enough
		}
		f, _ := (*next).Function("note")
		return f.Call(ctx, stack)
	}
	m := compile(t, newEngine(t, wasmtime.Config{Uninterruptible: true}, imports...), guest(t, "host"))
	next := new(engine.Instance)
	for range depth {
		in, err := m.Instantiate(t.Context(), next)
		if err != nil {
			t.Fatal(err)
		}
		next = &in
	}
	for range 3 {
		if err := call(t, *next, "note"); !errors.Is(err, enough) {
			t.Errorf("error %v, want %v", err, enough)
		}
	}
}

// A guest may go as deep as with wazero: an interpreter's frames are large.
func TestGuestsHaveRoomToRecurse(t *testing.T) {
	// (func $f (export "f") (param i32) (result i32)
	//   (if (result i32) (local.get 0)
	//     (then (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))
	//     (else (i32.const 0))))
	wasm := module(section(1, "\x01\x60\x01\x7f\x01\x7f"), section(3, "\x01\x00"), section(7, "\x01\x01f\x00\x00"),
		section(10, "\x01\x14\x00\x20\x00\x04\x7f\x41\x01\x20\x00\x41\x01\x6b\x10\x00\x6a\x05\x41\x00\x0b\x0b"))
	in := instantiate(t, compile(t, newEngine(t, wasmtime.Config{}), wasm))
	f, _ := in.Function("f")
	stack := []uint64{1_000_000}
	if err := f.Call(t.Context(), stack); err != nil || uint32(stack[0]) != 1_000_000 {
		t.Errorf("got %d, %v", stack[0], err)
	}
}

func TestMemoryIsGoneWithItsInstance(t *testing.T) {
	in := instantiate(t, compile(t, newEngine(t, wasmtime.Config{}), guest(t, "memory")))
	m := in.Memory()
	if err := in.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if view, ok := m.View(0, 1); ok || view != nil || m.Size() != 0 {
		t.Errorf("got %v, %v and the size %d", view, ok, m.Size())
	}
}

// Who closes an engine may not know of a reply that is being read.
func TestAViewOutlivesTheEngine(t *testing.T) {
	e := newEngine(t, wasmtime.Config{})
	in := instantiate(t, compile(t, e, guest(t, "memory")))
	view, _ := in.Memory().View(16, 7)
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if string(view) != "sixteen" {
		t.Errorf("got %q", view)
	}
	if err := in.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestACompilationEndsWithItsContext(t *testing.T) {
	const functions = 40_000 // of some instructions take wasmtime a second
	var bodies strings.Builder
	body := "\x00" + strings.Repeat("\x41\x01\x41\x02\x6a\x1a", 20) + "\x0b"
	for range functions {
		bodies.WriteString(leb(len(body)) + body)
	}
	content := leb(functions) + bodies.String()
	wasm := module(section(1, "\x01\x60\x00\x00"),
		"\x03"+leb(len(leb(functions))+functions)+leb(functions)+strings.Repeat("\x00", functions),
		"\x0a"+leb(len(content))+content)
	e := newEngine(t, wasmtime.Config{})
	defer func() { _ = e.Close(context.Background()) }()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := e.Compile(ctx, wasm); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

func leb(n int) string {
	var out []byte
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return string(append(out, byte(n)))
}
