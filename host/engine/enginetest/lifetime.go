package enginetest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var lifetimeTests = []test{
	{"instances of a module are independent", nothing, independent},
	{"instances run at the same time", nothing, concurrent},
	{"modules compile at the same time", nothing, compilesConcurrently},
	{"a call into a closed instance is ErrClosed", nothing, closedInstance},
	{"closing an instance twice is fine", nothing, closesTwice},
	{"closing an instance doesn't wait for its call, which is the last", nothing, closesInCall(closesInstance)},
	{"closing an engine doesn't wait for a call, which is the last", nothing, closesInCall(closesEngine)},
	{"an instance outlives its module", nothing, outlivesModule},
	{"closing a module leaves another with the same code alone", nothing, sameCode},
	{"a closed module makes no instance", nothing, closedModule},
	{"a closed engine does nothing", nothing, closedEngine},
}

func independent(t *testing.T, s *suite) {
	m := s.module(t, "numbers")
	var instances []engine.Instance
	for range 20 {
		instances = append(instances, instantiate(t, m, nil))
	}
	for i, in := range instances {
		for range i {
			call(t, in, "count")
		}
	}
	for i, in := range instances {
		if got := call32(t, in, "count"); got != uint32(i+1) {
			t.Errorf("instance %d has counted %d, want %d", i, got, i+1)
		}
	}
}

func concurrent(t *testing.T, s *suite) {
	count := note(func(_ context.Context, caller engine.Instance, stack []uint64) error {
		calls := caller.Data().(*uint64)
		*calls++
		stack[0] = *calls
		return nil
	})
	m := s.module(t, "host", count, wide())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			in, err := m.Instantiate(t.Context(), new(uint64))
			if err != nil {
				t.Error(err)
				return
			}
			f, _ := in.Function("note")
			for i := range 200 {
				stack := []uint64{0}
				if err := f.Call(t.Context(), stack); err != nil || uint32(stack[0]) != uint32(i+2) {
					t.Errorf("call %d: %d, %v", i, stack[0], err)
					return
				}
			}
			if err := in.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func compilesConcurrently(t *testing.T, s *suite) {
	e := s.engine(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wasm := guest(t, []string{"numbers", "memory"}[i%2])
		wg.Go(func() {
			m, err := e.Compile(t.Context(), wasm)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := m.Instantiate(t.Context(), nil); err != nil {
				t.Error(err)
			}
			if err := m.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func closeInstance(t *testing.T, in engine.Instance) {
	t.Helper()
	if err := in.Close(t.Context()); err != nil {
		t.Errorf("Instance.Close: %v", err)
	}
}

func closeModule(t *testing.T, m engine.Module) {
	t.Helper()
	if err := m.Close(t.Context()); err != nil {
		t.Errorf("Module.Close: %v", err)
	}
}

func closedInstance(t *testing.T, s *suite) {
	in := s.instance(t, "numbers")
	f := function(t, in, "count")
	closeInstance(t, in)
	if err := f.Call(t.Context(), make([]uint64, 1)); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

func closesTwice(t *testing.T, s *suite) {
	in := s.instance(t, "numbers")
	closeInstance(t, in)
	closeInstance(t, in)
}

func closesInstance(ctx context.Context, _ engine.Engine, in engine.Instance) error {
	return in.Close(ctx)
}

func closesEngine(ctx context.Context, e engine.Engine, _ engine.Instance) error { return e.Close(ctx) }

// closesInCall closes something while an instance is in a call, on another goroutine.
func closesInCall(closes func(context.Context, engine.Engine, engine.Instance) error) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		var e engine.Engine
		e = s.engine(t, note(func(ctx context.Context, caller engine.Instance, _ []uint64) error {
			closed := make(chan error)
			go func() { closed <- closes(ctx, e, caller) }()
			return <-closed
		}), wide())
		in := instantiate(t, compile(t, e, "host"), nil)
		if _, err := try(t.Context(), t, in, "note", 1); err != nil && !errors.Is(err, engine.ErrClosed) {
			t.Errorf("the call in progress: error %v, want none or ErrClosed", err)
		}
		if _, err := try(t.Context(), t, in, "note", 1); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("the next call: error %v, want ErrClosed", err)
		}
		closeInstance(t, in)
	}
}

func outlivesModule(t *testing.T, s *suite) {
	m := s.module(t, "traps")
	in := instantiate(t, m, nil)
	closeModule(t, m)
	if got := call32(t, in, "fine"); got != 1 {
		t.Errorf("fine = %d", got)
	}
	trapOf(t, in, "unreachable")
}

func sameCode(t *testing.T, s *suite) {
	e := s.engine(t)
	first, second := compile(t, e, "numbers"), compile(t, e, "numbers")
	closeModule(t, first)
	closeModule(t, first)
	if got := call32(t, instantiate(t, second, nil), "count"); got != 1 {
		t.Errorf("count = %d", got)
	}
}

func closedModule(t *testing.T, s *suite) {
	m := s.module(t, "numbers")
	closeModule(t, m)
	if in, err := m.Instantiate(t.Context(), nil); err == nil {
		t.Errorf("got %v, want an error", in)
	}
}

func closedEngine(t *testing.T, s *suite) {
	e := s.engine(t)
	m := compile(t, e, "numbers")
	in := instantiate(t, m, nil)
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := try(t.Context(), t, in, "count"); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("call: error %v, want ErrClosed", err)
	}
	if _, err := m.Instantiate(t.Context(), nil); err == nil {
		t.Error("Instantiate: no error")
	}
	if _, err := e.Compile(t.Context(), guest(t, "memory")); err == nil {
		t.Error("Compile: no error")
	}
	closeModule(t, m)
	closeInstance(t, in)
}
