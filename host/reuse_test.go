package host_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

var keeperWasm = sync.OnceValues(func() ([]byte, error) { return buildGo("../testdata/guests/keeper") })

// languages are those of the committed kitchen-sink guests, and Go's.
var languages = []string{"assemblyscript", "c", "go", "rust", "zig"}

// keeperOn loads the guest in testdata/guests/keeper, and gives a step that it answers.
func keeperOn(t *testing.T, r *host.Runtime, opts ...host.ModuleOption) host.Step {
	t.Helper()
	wasm, err := keeperWasm()
	if err != nil {
		t.Fatal(err)
	}
	return guestStep(t, r, "keeper", wasm, "keep", opts...)
}

func guestStep(t *testing.T, r *host.Runtime, name string, wasm []byte, responder string, opts ...host.ModuleOption) host.Step {
	t.Helper()
	module, err := r.Load(t.Context(), name, wasm, opts...)
	if err != nil {
		t.Fatal(err)
	}
	respond, err := module.Responder(responder)
	if err != nil {
		t.Fatal(err)
	}
	return host.Step{Method: host.MethodExec, Outcome: host.Respond(respond)}
}

func times(n int, step host.Step) []host.Step {
	steps := make([]host.Step, n)
	for i := range steps {
		steps[i] = step
	}
	return steps
}

// A trace is what can be seen of a session.
type trace struct {
	Outputs []string
	History []host.Record
	Digests map[string][32]byte
	Fuel    int64
}

var sameTrace = cmp.Options{
	cmp.Comparer(func(a, b host.Call) bool { return a.Index() == b.Index() }),
	cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error()) }),
	cmpopts.EquateEmpty(),
}

// perform makes calls in a session, and says what it has seen.
func perform(t *testing.T, s *host.Scripted, commands ...string) trace {
	t.Helper()
	var seen trace
	for _, command := range commands {
		result, err := s.Exec(t.Context(), host.ExecRequest{Command: strings.Fields(command)})
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		seen.Outputs = append(seen.Outputs, string(result.Stdout))
	}
	seen.History, seen.Digests, seen.Fuel = s.History(), s.GuestDigests(), s.Fuel()
	return seen
}

// visit makes calls in a session of their own.
func visit(t *testing.T, step host.Step, opts []host.Option, commands ...string) trace {
	t.Helper()
	s, err := host.NewScripted(times(len(commands), step), opts...)
	if err != nil {
		t.Fatal(err)
	}
	seen := perform(t, s, commands...)
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	return seen
}

// A session whose guest is one that another session has left sees what it would see of
// a new one: the same answers, time, random bytes, logs, fuel and memory.
func TestAGuestThatWasPutBackIsLikeANewOne(t *testing.T) {
	r, counter := newCountingRuntime(t)
	step := keeperOn(t, r)
	commands := []string{"one", "random", "time", "two words"}
	for name, opts := range map[string][]host.Option{
		"plain":     nil,
		"limits":    {host.WithLimits(host.Limits{CallFuel: 1e9, SessionFuel: 1e10, LogBytes: 7})},
		"workspace": {host.WithWorkspace(host.Workspace{Seed: seeded(map[string]string{"a.txt": "content"})})},
		"seed":      {host.WithSeed(7)},
	} {
		t.Run(name, func(t *testing.T) {
			r.DropIdle()
			want := visit(t, step, opts, commands...)
			if len(want.History[0].Logs) == 0 || len(want.Digests) != 1 || want.Fuel == 0 {
				t.Errorf("there are logs %+v, digests %v, fuel %d", want.History[0].Logs, want.Digests, want.Fuel)
			}
			_ = visit(t, step, opts, "other", "random", "things")
			made := counter.opened.Load()
			for range 3 {
				if diff := cmp.Diff(want, visit(t, step, opts, commands...), sameTrace); diff != "" {
					t.Errorf("(-new +put back):\n%s", diff)
				}
			}
			if now := counter.opened.Load(); now != made {
				t.Errorf("%d instances were made for sessions that could have had one", now-made)
			}
		})
	}
}

func TestGuestsOfAllLanguagesArePutBack(t *testing.T) {
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			r, counter := newCountingRuntime(t)
			step := guestStep(t, r, language, kitchenWasm(t, language), "count")
			want := visit(t, step, nil, "a", "b", "c")
			_ = visit(t, step, nil, "a")
			made := counter.opened.Load()
			for range 3 {
				if diff := cmp.Diff(want, visit(t, step, nil, "a", "b", "c"), sameTrace); diff != "" {
					t.Errorf("(-new +put back):\n%s", diff)
				}
			}
			if now := counter.opened.Load(); now != made {
				t.Errorf("%d instances were made", now-made)
			}
		})
	}
}

// What a guest is told when it is opened decides which image it gets.
func TestImagesAreOfOneWayToOpenAGuest(t *testing.T) {
	r, _ := newCountingRuntime(t)
	module := func(value string) host.Step { return keeperOn(t, r, host.WithConfig(map[string]any{"x": value})) }
	steps := []host.Step{module("1"), module("2")}
	seen := map[string]int{}
	for range 4 {
		for i, step := range steps {
			for seed := range uint64(3) {
				got := visit(t, step, []host.Option{host.WithSeed(seed)}, "random")
				digest := got.Digests["keeper"]
				key := string(digest[:])
				if known, ok := seen[key]; ok && known != i*3+int(seed) {
					t.Errorf("configuration %d and seed %d give a guest like %d", i, seed, known)
				}
				seen[key] = i*3 + int(seed)
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d guests, want 6", len(seen))
	}
}

// A guest whose memory has grown, or that has died, isn't kept.
func TestGuestsThatCantBePutBackAreDiscarded(t *testing.T) {
	r, counter := newCountingRuntime(t)
	step := keeperOn(t, r)
	for range 2 {
		_ = visit(t, step, nil, "x")
	}
	idle := counter.open.Load()
	if idle != 1 {
		t.Errorf("%d instances are kept", idle)
	}
	for range 2 {
		_ = visit(t, step, nil, "grow")
		if n := counter.open.Load(); n > 0 {
			t.Errorf("%d instances are kept", n)
		}
	}
	s, err := host.NewScripted(times(1, step))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"die", "now"}})
	_ = wantGuestError(t, err, host.GuestPanic)
	if err := s.Close(t.Context()); err != nil || counter.open.Load() != 0 {
		t.Errorf("%v, %d instances are kept", err, counter.open.Load())
	}
	if got := visit(t, step, nil, "x"); got.Outputs[0] != "x" {
		t.Errorf("got %q", got.Outputs)
	}
}

// Sessions at the same time have a guest each, of which no more are kept than there is
// room for; and DropIdle gives up these.
func TestIdleGuestsAreBounded(t *testing.T) {
	r, counter := newCountingRuntime(t)
	step := keeperOn(t, r)
	most := 2 * runtime.GOMAXPROCS(0)
	for range 3 {
		var group sync.WaitGroup
		for range most + 5 {
			group.Go(func() {
				if got := visit(t, step, nil, "a", "b"); got.Outputs[1] != "a b" {
					t.Errorf("got %q", got.Outputs)
				}
			})
		}
		group.Wait()
	}
	if n := int(counter.open.Load()); n == 0 || n > most {
		t.Errorf("%d instances are kept, want up to %d", n, most)
	}
	r.DropIdle()
	if n := counter.open.Load(); n != 0 {
		t.Errorf("%d instances are kept", n)
	}
}

// An engine that can't put instances back makes them anew.
func TestOtherEnginesKeepNothing(t *testing.T) {
	counter := &countingEngine{}
	r, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(ctx context.Context, imports []engine.HostFunc) (_ engine.Engine, err error) {
			counter.Engine, err = wazero.New(ctx, wazero.Config{}, imports)
			return counter, err
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close(t.Context())
	step := keeperOn(t, r)
	for range 3 {
		got := visit(t, step, nil, "x")
		if got.Outputs[0] != "x" || got.Digests != nil || counter.open.Load() != 0 {
			t.Errorf("%+v, %d open", got, counter.open.Load())
		}
	}
}
