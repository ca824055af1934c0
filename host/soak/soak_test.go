// Package soak uses many sessions of all kinds, and makes sure that nothing of them is
// left in the process: no memory, goroutine, file or mapping.
package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An engineMaker starts an engine.
type engineMaker = func(context.Context, []engine.HostFunc) (engine.Engine, error)

// engines are those that sessions run on. A build tag adds wasmtime.
var engines = map[string]engineMaker{"wazero": host.DefaultEngine}

// sessionsEnv is the environment variable that says how many sessions each engine has.
const sessionsEnv = "SOAK_SESSIONS"

// windows is how often it is looked at what the process uses.
const windows = 20

func sessionsWanted(t *testing.T) int {
	t.Helper()
	text, ok := os.LookupEnv(sessionsEnv)
	switch {
	case !ok && testing.Short():
		return 200
	case !ok:
		return 1000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < windows {
		t.Fatalf("%s is %q, want a number from %d on", sessionsEnv, text, windows)
	}
	return n
}

// TestSessionsLeaveNothing is given the number of sessions in the environment variable
// SOAK_SESSIONS.
func TestSessionsLeaveNothing(t *testing.T) {
	sessions := sessionsWanted(t)
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		t.Run(name, func(t *testing.T) { soak(t, engines[name], sessions) })
	}
}

func soak(t *testing.T, start engineMaker, sessions int) {
	before := measure(runtime.NumGoroutine())
	for _, what := range growth(watch(t, start, sessions, before.goroutines)) {
		t.Error(what)
	}
	after := measure(before.goroutines)
	for range 100 { // finalizers unmap code, and run when they get the time to
		if len(left(before, after)) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
		after = measure(before.goroutines)
	}
	for _, what := range left(before, after) {
		t.Errorf("after the runtime's end: %s", what)
	}
}

// watch uses sessions in one runtime, and tells what the process used now and then.
func watch(t *testing.T, start engineMaker, sessions, goroutines int) []usage {
	t.Helper()
	r, err := host.NewRuntime(t.Context(), host.WithEngine(start))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	kinds, err := kindsOn(t.Context(), r, start)
	if err != nil {
		t.Fatal(err)
	}
	d := newDeck(kinds)
	if err := d.play(t.Context(), 0, len(d.kinds)); err != nil { // compiles what isn't compiled before it is used
		t.Fatal(err)
	}
	begun := time.Now()
	seen := make([]usage, windows)
	for w := range windows {
		if err := d.play(t.Context(), w*sessions/windows, (w+1)*sessions/windows); err != nil {
			t.Fatal(err)
		}
		r.DropIdle()
		seen[w] = measure(goroutines)
		t.Logf("%7d sessions: %v", (w+1)*sessions/windows, seen[w])
	}
	t.Logf("%.0f sessions a second", float64(sessions)/time.Since(begun).Seconds())
	return seen
}

// A deck has each kind of session as often as it is wanted, well mixed.
type deck struct {
	kinds []*kind
	fuel  sync.Map // by kind: what its first session has used
}

func newDeck(kinds []kind) *deck {
	d := &deck{}
	most := 0
	for _, k := range kinds {
		most = max(most, k.share)
	}
	for round := range most {
		for i, k := range kinds {
			if (round+1)*k.share/most > round*k.share/most {
				d.kinds = append(d.kinds, &kinds[i])
			}
		}
	}
	return d
}

// play uses some sessions, twice as many at a time as there are processors.
func (d *deck) play(ctx context.Context, from, to int) error {
	var next atomic.Int64
	next.Store(int64(from))
	group, ctx := errgroup.WithContext(ctx)
	for range 2 * runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for ctx.Err() == nil {
				n := int(next.Add(1) - 1)
				if n >= to {
					return nil
				}
				k := d.kinds[n%len(d.kinds)]
				if err := d.use(ctx, k, n); err != nil {
					return fmt.Errorf("session %d, %s: %w", n, k.name, err)
				}
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// use is one session. It has to use as much fuel as all of its kind.
func (d *deck) use(ctx context.Context, k *kind, n int) error {
	fuel, err := k.use(ctx, n)
	if err != nil || fuel == 0 {
		return err
	}
	if first, _ := d.fuel.LoadOrStore(k, fuel); first != fuel {
		return fmt.Errorf("it used %d fuel, others %d", fuel, first)
	}
	return nil
}

// converse makes a session, uses it and closes it. It gives the fuel that was used.
func converse(ctx context.Context, steps []host.Step, use func(*host.Scripted) error, opts ...host.Option) (int64, error) {
	s, err := host.NewScripted(steps, opts...)
	if err != nil {
		return 0, err
	}
	err = use(s)
	err = errors.Join(err, s.Close(ctx))
	return s.Fuel(), err
}
