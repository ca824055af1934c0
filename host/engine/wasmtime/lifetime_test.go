//go:build cgo

package wasmtime_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

// Host functions use their goroutine as any function does: it may grow, be stopped
// by the collector, and panic, below the frames of a guest.
func TestGuestsAndGoShareThreads(t *testing.T) {
	imports := hostImports()
	imports[0].Call = func(_ context.Context, caller engine.Instance, stack []uint64) error {
		n := int(stack[0])
		view, _ := caller.Memory().View(0, 100)
		if n%50 == 0 {
			runtime.GC()
		}
		if n%7 == 0 {
			panic("seven")
		}
		stack[0] = uint64(depth(n)) + uint64(view[0])
		return nil
	}
	e := newEngine(t, wasmtime.Config{Uninterruptible: true}, imports...)
	defer func() { _ = e.Close(context.Background()) }()
	host, traps := compile(t, e, guest(t, "host")), compile(t, e, guest(t, "traps"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range 200 {
				in, crashing := instantiate(t, host), instantiate(t, traps)
				_, trapped := errors.AsType[*engine.TrapError](call(t, in, "note", uint64(n)))
				if trapped != (n%7 == 0) {
					t.Errorf("call %d: trapped is %v", n, trapped)
				}
				if _, trapped := errors.AsType[*engine.TrapError](call(t, crashing, "memory")); !trapped {
					t.Error("no trap")
				}
				_, _ = in.Close(t.Context()), crashing.Close(t.Context())
			}
		})
	}
	wg.Wait()
}

// depth recurses, to make the stack grow.
func depth(n int) int {
	var frame [128]byte
	if n == 0 {
		return int(frame[0])
	}
	return 1 + depth(n-1) + int(frame[n%128])
}

func TestGuestsAreClosedWhileTheyRun(t *testing.T) {
	for name, end := range map[string]func(e *wasmtime.Engine, guests []engine.Instance) error{
		"by their engine": func(e *wasmtime.Engine, _ []engine.Instance) error { return e.Close(context.Background()) },
		"one by one": func(_ *wasmtime.Engine, guests []engine.Instance) (err error) {
			for _, in := range guests {
				err = errors.Join(err, in.Close(context.Background()))
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			const rounds = 10 // a guest may be found between two calls
			for round := range 2 * rounds {
				e := newEngine(t, wasmtime.Config{Uninterruptible: round%2 == 0}, hostImports()...)
				m := compile(t, e, guest(t, "host"))
				var wg, running sync.WaitGroup
				guests := make([]engine.Instance, 4)
				for i := range guests {
					in := instantiate(t, m)
					guests[i] = in
					running.Add(1)
					wg.Go(func() {
						err := call(t, in, "note", 1)
						running.Done()
						for err == nil {
							err = call(t, in, "note", 1)
						}
						if !errors.Is(err, engine.ErrClosed) {
							t.Errorf("error %v, want ErrClosed", err)
						}
					})
				}
				running.Wait()
				if err := end(e, guests); err != nil {
					t.Error(err)
				}
				wg.Wait()
				for _, in := range guests {
					_ = in.Close(t.Context())
				}
				_ = e.Close(t.Context())
			}
		})
	}
}

// mappings are the pieces of memory that the process has.
func mappings(t *testing.T) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	return bytes.Count(maps, []byte("\n"))
}

func TestNothingIsLeftOfAnEngine(t *testing.T) {
	use := func(closes bool) {
		e := newEngine(t, wasmtime.Config{Uninterruptible: true}, hostImports()...)
		m := compile(t, e, guest(t, "host"))
		for range 20 {
			if in := instantiate(t, m); closes {
				_ = in.Close(t.Context())
			}
		}
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	use(true)
	before := mappings(t)
	for range 10 {
		use(true)
	}
	const spare = 20 // for threads and the heap of Go
	if after := mappings(t); after > before+spare {
		t.Errorf("%d mappings after closing all, %d before", after, before)
	}
	use(false) // what nobody has closed, the collector does
	deadline := time.Now().Add(10 * time.Second)
	for mappings(t) > before+spare && time.Now().Before(deadline) {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if after := mappings(t); after > before+spare {
		t.Errorf("%d mappings after nobody can reach the instances, %d before", after, before)
	}
}
