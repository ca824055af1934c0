package wazero_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

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

func TestWhatCantBeCompiledIsACompileError(t *testing.T) {
	e := newEngine(t, wazero.Config{})
	for input, want := range map[string]string{
		"":                                     "its header is , not that",
		"(module)":                             "its header is 28 6d 6f 64 75 6c 65 29, not that",
		"\x00asm\x01\x00\x00":                  "its header is 00 61 73 6d 01 00 00, not that",
		"\x00asm\x0d\x00\x01\x00":              "its header is 00 61 73 6d 0d 00 01 00, not that",
		"\x00asm\x01\x00\x00\x00\x01":          "invalid",
		"\x00asm\x01\x00\x00\x00\x01\x05\x60":  "invalid",
		"\x00asm\x01\x00\x00\x00\x7f\x00":      "section",
		string(guest(t, "huge")):               "pages, the most is 8192",
		string(guest(t, "numbers")[:8]) + "xx": "invalid",
	} {
		_, err := e.Compile(t.Context(), []byte(input))
		if _, ok := errors.AsType[*engine.CompileError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want a *CompileError with %q", input[:min(len(input), 20)], err, want)
		}
	}
}

func TestSettingsThatCannotBeAreErrors(t *testing.T) {
	for name, test := range map[string]struct {
		config  wazero.Config
		imports []engine.HostFunc
		want    string
	}{
		"too much memory": {config: wazero.Config{MaxMemoryPages: 65536}, want: "65535"},
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
		"a type that doesn't exist": {
			imports: []engine.HostFunc{{Module: "m", Name: "f", Type: engine.Func([]engine.ValueType{1}), Call: nop}},
			want:    "can't pass",
		},
	} {
		e, err := wazero.New(t.Context(), test.config, test.imports)
		if err == nil || e != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v and the error %v, want %q", name, e, err, test.want)
		}
	}
}

func TestTrapsHaveTheReasonsOfTheSpecification(t *testing.T) {
	e := newEngine(t, wazero.Config{Uninterruptible: true})
	m, err := e.Compile(t.Context(), guest(t, "traps"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"unreachable": "unreachable",
		"memory":      "out of bounds memory access",
		"divide":      "integer divide by zero",
		"overflow":    "integer overflow",
		"convert":     "invalid conversion to integer",
		"null":        "invalid table access",
		"type":        "indirect call type mismatch",
		"table":       "invalid table access",
		"stack":       "stack overflow",
	} {
		in, err := m.Instantiate(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := in.Function(name)
		trap, ok := errors.AsType[*engine.TrapError](f.Call(t.Context(), nil))
		if !ok || trap.Reason != want {
			t.Errorf("%s: got %+v, want the reason %q", name, trap, want)
		}
		if name == "unreachable" && trap.Stack != "fault_unreachable()\n$10()" {
			t.Errorf("the stack is %q", trap.Stack)
		}
	}
}

func TestAHostFunctionThatPanicsIsNamed(t *testing.T) {
	e := newEngine(t, wazero.Config{}, engine.HostFunc{
		Module: "env", Name: "begin",
		Call: func(context.Context, engine.Instance, []uint64) error { panic("oh") },
	})
	m, err := e.Compile(t.Context(), guest(t, "start-import"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Instantiate(t.Context(), nil)
	trap, ok := errors.AsType[*engine.TrapError](err)
	if !ok || trap.Reason != "the host function env.begin panicked: oh" {
		t.Errorf("got %+v", trap)
	}
}

func TestClosingAnEngineEndsAGuestThatLoops(t *testing.T) {
	e := newEngine(t, wazero.Config{})
	f, _ := instantiate(t, e, "loop").Function("forever")
	ended := make(chan error)
	go func() { ended <- f.Call(t.Context(), nil) }()
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, engine.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

func TestAnUninterruptibleCallAllocatesNothing(t *testing.T) {
	in := newInstance(t, wazero.Config{Uninterruptible: true}, "host", engine.HostFunc{
		Module: "env", Name: "note", Type: engine.Func([]engine.ValueType{engine.I32}, engine.I32), Call: nop,
	}, engine.HostFunc{
		Module: "env", Name: "wide",
		Type: engine.Func([]engine.ValueType{engine.I64, engine.F32, engine.F64}, engine.F64), Call: nop,
	})
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
