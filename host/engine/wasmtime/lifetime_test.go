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

func TestEnginesCloseWhileGuestsRun(t *testing.T) {
	for _, config := range []wasmtime.Config{{}, {Uninterruptible: true}} {
		e := newEngine(t, config, hostImports()...)
		m := compile(t, e, guest(t, "host"))
		var wg, ready sync.WaitGroup
		for range 4 {
			ready.Add(1)
			wg.Go(func() {
				in, err := m.Instantiate(t.Context(), nil)
				ready.Done()
				for err == nil {
					if err = call(t, in, "note", 1); err == nil {
						_, _ = in.Memory().View(0, 1)
					}
					time.Sleep(time.Microsecond) // let others have the processor
				}
				if !errors.Is(err, engine.ErrClosed) {
					t.Errorf("error %v, want ErrClosed", err)
				}
				if in != nil {
					_ = in.Close(t.Context())
				}
			})
		}
		ready.Wait()
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
		wg.Wait()
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
