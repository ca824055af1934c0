package wazero

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// noteAndGrow calls env.note, and then lets its memory grow by as many pages as it is told to.
var noteAndGrow = []byte(strings.Join([]string{
	header,
	section(1, "\x02\x60\x00\x00\x60\x01\x7f\x01\x7f"),
	section(2, "\x01\x03env\x04note\x00\x00"),
	section(3, "\x01\x01"),
	section(5, "\x01\x00\x01"),
	section(7, "\x02\x06memory\x02\x00\x04grow\x00\x01"),
	section(10, "\x01\x08\x00\x10\x00\x20\x00\x40\x00\x0b"),
}, ""))

// noting makes an instance of noteAndGrow in an uninterruptible engine whose end is counted.
func noting(t *testing.T, note func()) (*Engine, *watchedRuntime, *instance) {
	t.Helper()
	e, err := New(t.Context(), Config{Uninterruptible: true}, []engine.HostFunc{{
		Module: "env", Name: "note", Call: func(context.Context, engine.Instance, []uint64) error { note(); return nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	watched := &watchedRuntime{Runtime: e.runtime}
	e.runtime = watched
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	m, err := e.Compile(t.Context(), noteAndGrow)
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Instantiate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return e, watched, in.(*instance)
}

func TestWhatIsClosedIsReleasedWhenNoCallUsesIt(t *testing.T) {
	for name, closes := range map[string]struct{ engine, instance bool }{
		"an instance":         {instance: true},
		"an engine":           {engine: true},
		"an engine with them": {engine: true, instance: true},
	} {
		for _, inCall := range []bool{false, true} {
			t.Run(name+map[bool]string{false: " between calls", true: " in a call"}[inCall], func(t *testing.T) {
				var e *Engine
				var in *instance
				var watched *watchedRuntime
				closeThem := func() {
					if closes.instance {
						_ = in.Close(t.Context())
					}
					if closes.engine {
						_ = e.Close(t.Context())
					}
				}
				released := func() bool {
					return in.module.IsClosed() == (closes.instance || closes.engine) && watched.closed == map[bool]int{true: 1}[closes.engine]
				}
				e, watched, in = noting(t, func() {
					closeThem()
					if in.module.IsClosed() || watched.closed != 0 {
						t.Error("it is released while a call uses it")
					}
				})
				if inCall {
					f, _ := in.Function("grow")
					if err := f.Call(t.Context(), []uint64{1}); err != nil {
						t.Error(err)
					}
				} else {
					closeThem()
				}
				if !released() {
					t.Errorf("the instance is closed: %v, the engine %d times", in.module.IsClosed(), watched.closed)
				}
			})
		}
	}
}

// What the host does in a call isn't ended by its context, and the guest's is after it.
func TestTheHostGrowsAMemoryWhateverTheContext(t *testing.T) {
	const pages = 1024
	ctx, cancel := context.WithCancel(t.Context())
	var in *instance
	_, _, in = noting(t, func() {
		cancel()
		if !in.Memory().Grow(pages) {
			t.Error("the host can't grow it")
		}
	})
	f, _ := in.Function("grow")
	if err := f.Call(ctx, []uint64{pages}); !errors.Is(err, context.Canceled) {
		t.Errorf("the call ends with %v", err)
	}
	if size := in.Memory().Size(); size != (1+pages)*engine.PageSize {
		t.Errorf("the memory has %d bytes", size)
	}
}
