package enginetest

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var importTests = []test{
	{"a host function gets parameters and gives results", nothing, passesValues},
	{"a host function gets what the instance was given", nothing, passesData},
	{"a host function reads and writes the memory of its caller", nothing, passesMemory},
	{"a host function gets the context of the call", nothing, passesContext},
	{"an import that is exported again can be called", nothing, callsImport},
	{"the error of a host function ends the call and comes out", nothing, passesErrors},
	{"the error of a host function keeps its type", nothing, keepsErrorTypes},
	{"the panic of a host function is an error", nothing, catchesPanics},
}

func passesValues(t *testing.T, s *suite) {
	double := note(func(_ context.Context, _ engine.Instance, stack []uint64) error {
		stack[0] = uint64(uint32(stack[0]) * 2)
		return nil
	})
	in := s.instance(t, "host", double, wide())
	if got := call32(t, in, "note", 20); got != 41 {
		t.Errorf("note(20) = %d, want 41", got)
	}
	f64 := math.Float64bits(math.Pi)
	if got := call(t, in, "wide", math.MaxUint64, uint64(math.Float32bits(1.5)), f64); got[0] != f64 {
		t.Errorf("wide = %#x, want %#x", got[0], f64)
	}
}

func passesData(t *testing.T, s *suite) {
	type state struct{ calls int }
	count := note(func(_ context.Context, caller engine.Instance, _ []uint64) error {
		caller.Data().(*state).calls++
		return nil
	})
	m := s.module(t, "host", count, wide())
	first, second := &state{}, &state{}
	in1, in2 := instantiate(t, m, first), instantiate(t, m, second)
	call(t, in1, "note", 0)
	call(t, in1, "note", 0)
	call(t, in2, "note", 0)
	if first.calls != 2 || second.calls != 1 {
		t.Errorf("%d and %d calls, want 2 and 1", first.calls, second.calls)
	}
	if in1.Data() != any(first) {
		t.Errorf("Data is %v", in1.Data())
	}
}

func passesMemory(t *testing.T, s *suite) {
	fill := note(func(_ context.Context, caller engine.Instance, stack []uint64) error {
		view, ok := caller.Memory().View(uint32(stack[0]), 1)
		if !ok {
			return errors.New("the address isn't there")
		}
		stack[0] = uint64(view[0])
		view[0] = 9
		return nil
	})
	in := s.instance(t, "host", fill, wide())
	view, _ := in.Memory().View(500, 1)
	view[0] = 4
	if got := call32(t, in, "note", 500); got != 5 {
		t.Errorf("note(500) = %d, want 5", got)
	}
	if got := call32(t, in, "load", 500); got != 9 {
		t.Errorf("load(500) = %d, want 9", got)
	}
}

func passesContext(t *testing.T, s *suite) {
	type key struct{}
	var got []any
	look := note(func(ctx context.Context, _ engine.Instance, _ []uint64) error {
		got = append(got, ctx.Value(key{}))
		return nil
	})
	in := s.instance(t, "host", look, wide())
	for _, value := range []any{"one", "two"} {
		if _, err := try(context.WithValue(t.Context(), key{}, value), t, in, "note"); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 2 || got[0] != "one" || got[1] != "two" {
		t.Errorf("got %v", got)
	}
}

func callsImport(t *testing.T, s *suite) {
	var data any
	look := note(func(_ context.Context, caller engine.Instance, stack []uint64) error {
		data = caller.Data()
		view, _ := caller.Memory().View(0, 1)
		stack[0] += uint64(len(view))
		return nil
	})
	in := instantiate(t, s.module(t, "host", look, wide()), "mine")
	if got := call32(t, in, "again", 5); got != 6 || data != "mine" {
		t.Errorf("again(5) = %d with %v, want 6 with mine", got, data)
	}
}

func passesErrors(t *testing.T, s *suite) {
	want := errors.New("enough")
	fail := note(func(context.Context, engine.Instance, []uint64) error { return want })
	_, err := try(t.Context(), t, s.instance(t, "host", fail, wide()), "note")
	if !errors.Is(err, want) {
		t.Errorf("error %v, want one that wraps %v", err, want)
	}
	if _, trap := errors.AsType[*engine.TrapError](err); trap {
		t.Errorf("error %v is a trap", err)
	}
}

type codeError struct{ code int }

func (e *codeError) Error() string { return "code" }

func keepsErrorTypes(t *testing.T, s *suite) {
	fail := note(func(context.Context, engine.Instance, []uint64) error { return &codeError{3} })
	_, err := try(t.Context(), t, s.instance(t, "host", fail, wide()), "note")
	if e, ok := errors.AsType[*codeError](err); !ok || e.code != 3 {
		t.Errorf("error %v, want a *codeError", err)
	}
}

func catchesPanics(t *testing.T, s *suite) {
	cause := errors.New("cause")
	var missing *codeError
	for name, panics := range map[string]func(){
		"a text":            func() { panic("two\nlines") },
		"an error":          func() { panic(cause) },
		"a nil dereference": func() { missing.code = 1 },
	} {
		fail := note(func(context.Context, engine.Instance, []uint64) error { panics(); return nil })
		_, err := try(t.Context(), t, s.instance(t, "host", fail, wide()), "note")
		trap, ok := errors.AsType[*engine.TrapError](err)
		if !ok || trap.Reason == "" || strings.Contains(trap.Reason, "\n") {
			t.Errorf("%s: error %q, want a *TrapError with a reason of one line", name, err)
		}
		if name == "an error" && !errors.Is(err, cause) {
			t.Errorf("error %v, want one that wraps %v", err, cause)
		}
	}
}
