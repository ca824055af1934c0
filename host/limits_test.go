package host_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// kitchenC loads the kitchen-sink guest in C.
func kitchenC(tb testing.TB, opts ...host.ModuleOption) *host.Module {
	tb.Helper()
	wasm, err := os.ReadFile("../testdata/guests/kitchen/c.wasm")
	if err != nil {
		tb.Fatal(err)
	}
	m, err := host.Load(context.Background(), "kitchen", wasm, opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func counting(tb testing.TB, m *host.Module, n int) []host.Step {
	tb.Helper()
	r, err := m.Responder("count")
	if err != nil {
		tb.Fatal(err)
	}
	steps := make([]host.Step, n)
	for i := range steps {
		steps[i] = host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	}
	return steps
}

// fuelOf makes as many calls, and gives the fuel of each.
func fuelOf(t *testing.T, s *host.Scripted, n int) []int64 {
	t.Helper()
	for range n {
		if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}}); err != nil {
			t.Fatal(err)
		}
	}
	var fuel []int64
	for _, r := range s.History() {
		fuel = append(fuel, r.Fuel)
	}
	return fuel
}

func wantBreach(t *testing.T, err error, kind host.GuestErrorKind, want host.Breach) {
	t.Helper()
	e := wantGuestError(t, err, kind)
	if e.Breach == nil || *e.Breach != want {
		t.Errorf("the breach is %+v, want %+v", e.Breach, want)
	}
}

func TestFuelIsRecorded(t *testing.T) {
	m := kitchenC(t)
	steps := append(counting(t, m, 3), host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})})
	var first []int64
	for range 4 { // later ones needn't open a guest, and are charged the same
		s := newSession(t, steps)
		fuel := fuelOf(t, s, 4)
		if fuel[0] <= fuel[1] || fuel[1] <= 0 || fuel[1] != fuel[2] || fuel[3] != 0 {
			t.Fatalf("the calls used %d: the first opens the guest, the last has none", fuel)
		}
		if sum := fuel[0] + fuel[1] + fuel[2]; s.Fuel() != sum {
			t.Errorf("the session used %d, its calls %d", s.Fuel(), sum)
		}
		before := s.Fuel()
		if err := s.Close(t.Context()); err != nil || s.Fuel() < before {
			t.Errorf("closed: %d after %d, %v", s.Fuel(), before, err)
		}
		fuel = append(fuel, s.Fuel())
		if first == nil {
			first = fuel
		}
		for i := range fuel {
			if fuel[i] != first[i] {
				t.Errorf("the fuel is %d, was %d before", fuel, first)
			}
		}
	}
}

func TestFuelOfACallIsLimited(t *testing.T) {
	m := kitchenC(t)
	fuel := fuelOf(t, newSession(t, counting(t, m, 2)), 2)
	enough := newSession(t, counting(t, m, 2), host.WithLimits(host.Limits{CallFuel: fuel[0]}))
	if got := fuelOf(t, enough, 2); got[0] != fuel[0] {
		t.Errorf("within the limit the calls use %d, else %d", got, fuel)
	}
	for name, s := range map[string]*host.Scripted{
		"of the session": newSession(t, counting(t, m, 2), host.WithLimits(host.Limits{CallFuel: fuel[0] - 1})),
		"of both": newSession(t, counting(t, kitchenC(t, host.WithModuleLimits(host.Limits{CallFuel: 2 * fuel[0]})), 2),
			host.WithLimits(host.Limits{CallFuel: fuel[0] - 1})),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			wantBreach(t, err, host.GuestOutOfFuel, host.Breach{Limit: host.LimitFuel, Reached: s.History()[0].Fuel, Allowed: fuel[0] - 1})
			if s.RemainingSteps() != 1 || s.History()[0].Fuel < fuel[0] {
				t.Errorf("%d steps remain, %d used", s.RemainingSteps(), s.History()[0].Fuel)
			}
			_, err = s.Exec(t.Context(), host.ExecRequest{})
			if e := wantGuestError(t, err, host.GuestDead); !errors.Is(e, host.GuestOutOfFuel) {
				t.Errorf("error %v", e)
			}
		})
	}
}

func TestFuelOfASessionIsLimited(t *testing.T) {
	m := kitchenC(t)
	fuel := fuelOf(t, newSession(t, counting(t, m, 2)), 2)
	limit := fuel[0] + fuel[1] - 1
	s := newSession(t, counting(t, m, 3), host.WithLimits(host.Limits{SessionFuel: limit, CallFuel: 10 * fuel[0]}))
	fuelOf(t, s, 1)
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	wantBreach(t, err, host.GuestOutOfFuel, host.Breach{Limit: host.LimitSessionFuel, Reached: s.Fuel(), Allowed: limit})

	spent := newSession(t, counting(t, m, 2), host.WithLimits(host.Limits{SessionFuel: fuel[0]}))
	fuelOf(t, spent, 1)
	_, err = spent.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	wantBreach(t, err, host.GuestOutOfFuel, host.Breach{Limit: host.LimitSessionFuel, Reached: fuel[0], Allowed: fuel[0]})
}

func TestAStartFunctionThatFailsUsesFuel(t *testing.T) {
	const least = 3 * 50_000
	_, r := newHostileWorld(t).handlers(t, "two_faces_burn")
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}},
		host.WithStartTime(time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC)))
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestTrap)
	if used := s.History()[0].Fuel; used < least || s.Fuel() != used {
		t.Errorf("the call used %d, the session %d", used, s.Fuel())
	}
}

// A program is started for each call, so that it could else work without end.
func TestAProgramWhoseStartFunctionFailsUsesTheFuelOfTheSession(t *testing.T) {
	const least, limit, calls = 3000, 20_000, 20
	wasm, err := os.ReadFile("engine/metered/testdata/start-trap.wasm")
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.LoadProgram(t.Context(), "start-trap", wasm)
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, runs(p, calls), host.WithLimits(host.Limits{SessionFuel: limit}))
	var kinds []host.GuestErrorKind
	for range calls {
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
		if e, ok := errors.AsType[*host.GuestError](err); ok {
			kinds = append(kinds, e.Kind)
		}
	}
	if len(kinds) != calls || kinds[0] != host.GuestTrap || kinds[calls-1] != host.GuestOutOfFuel {
		t.Errorf("the errors are of the kinds %v", kinds)
	}
	if used := s.History()[0].Fuel; used < least || s.Fuel() < limit || s.Fuel() > limit+least {
		t.Errorf("the first call used %d, the session %d", used, s.Fuel())
	}
}

func TestProgramsAndToolsUseFuel(t *testing.T) {
	p := loadProgram(t, "tool")
	s := newSession(t, runs(p, 2))
	fuel := fuelOf(t, s, 2)
	if fuel[0] <= 0 || fuel[0] != fuel[1] || s.Fuel() != 2*fuel[0] {
		t.Fatalf("the runs used %d, the session %d", fuel, s.Fuel())
	}
	for _, limited := range []*host.Scripted{
		newSession(t, runs(p, 2), host.WithLimits(host.Limits{CallFuel: fuel[0] - 1})),
		newSession(t, runs(loadProgram(t, "tool", host.WithModuleLimits(host.Limits{CallFuel: fuel[0] - 1})), 2)),
	} {
		for range 2 { // each run begins anew
			_, err := limited.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			records := limited.History()
			wantBreach(t, err, host.GuestOutOfFuel,
				host.Breach{Limit: host.LimitFuel, Reached: records[len(records)-1].Fuel, Allowed: fuel[0] - 1})
		}
	}
}

func TestDepthAndMemoryAreLimited(t *testing.T) {
	w := newHostileWorld(t)
	for _, c := range []struct {
		guest  string
		limits host.Limits
		kind   host.GuestErrorKind
		want   host.Breach
	}{
		{"recurse_respond", host.Limits{CallDepth: 100}, host.GuestTooDeep, host.Breach{Limit: host.LimitDepth, Reached: 101, Allowed: 100}},
		{"recurse_respond", host.Limits{}, host.GuestTooDeep, host.Breach{Limit: host.LimitDepth, Reached: 80_001, Allowed: 80_000}},
		{"table_needed", host.Limits{TableEntries: 1000}, host.GuestOutOfMemory, host.Breach{Limit: host.LimitTable, Reached: 1001, Allowed: 1000}},
		{"memory_bomb", host.Limits{MemoryBytes: 1<<20 - 5}, host.GuestOutOfMemory, host.Breach{Limit: host.LimitMemory, Reached: 17 << 20, Allowed: 1 << 20}},
		{"memory_bomb", host.Limits{}, host.GuestOutOfMemory, host.Breach{Limit: host.LimitMemory, Reached: 513 << 20, Allowed: 512 << 20}},
		{"table_needed", host.Limits{}, host.GuestOutOfMemory, host.Breach{Limit: host.LimitTable, Reached: 1<<20 + 25, Allowed: 1 << 20}},
	} {
		_, r := w.handlers(t, c.guest)
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithLimits(c.limits))
		_, err := s.Exec(t.Context(), host.ExecRequest{})
		e := wantGuestError(t, err, c.kind)
		if e.Breach == nil || e.Breach.Limit != c.want.Limit || e.Breach.Allowed != c.want.Allowed || e.Breach.Reached <= c.want.Allowed {
			t.Errorf("%s: the breach is %+v, want %+v", c.guest, e.Breach, c.want)
		}
	}
}

func TestAModuleThatWantsMoreFromTheStartIsRefused(t *testing.T) {
	w := newHostileWorld(t)
	for _, limits := range []host.Limits{{MemoryBytes: 1}, {TableEntries: 1}} {
		guest, steps, text := "memory_largest", 0, "536870912 bytes of memory from the start, and limits.memory allows 65536"
		if limits.TableEntries > 0 {
			guest, text = "recurse_indirect", "a table of 2 entries from the start, and limits.table allows 1"
		}
		_, err := w.Load(t.Context(), guest, hostileWasm(t, guest), host.WithModuleLimits(limits))
		if err == nil {
			continue // it is content with that
		}
		if e := wantModuleError(t, err, host.ModuleOverLimit); e.Detail != text {
			t.Errorf("detail %q, want %q", e.Detail, text)
		}
		_, r := w.handlers(t, guest)
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithLimits(limits))
		_, err = s.Exec(t.Context(), host.ExecRequest{})
		if e := wantGuestError(t, err, host.GuestLimit); !errors.Is(e, host.ModuleOverLimit) || s.RemainingSteps() != steps {
			t.Errorf("error %v", e)
		}
	}
}

func TestAModuleHasNoLimitsOfASession(t *testing.T) {
	for _, limits := range []host.Limits{{SessionFuel: 1}, {CallTime: 1}} {
		_, err := host.LoadProgram(t.Context(), "tool", readProgram(t, "tool"), host.WithModuleLimits(limits))
		_ = wantModuleError(t, err, host.ModuleBadConfig)
	}
}

func TestAnEngineThatDoesNotCountRefusesLimits(t *testing.T) {
	m, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithLimits(host.Limits{CallFuel: 1}))
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); !errors.Is(err, host.ErrUnmetered) || !errors.Is(err, host.GuestLimit) {
		t.Errorf("error %v", err)
	}
}

func TestClosingHasFuelOfItsOwn(t *testing.T) {
	r, err := host.NewRuntime(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(t.Context()) }()
	step := guestStep(t, r, "kitchen", kitchenWasm(t, "c"), "setting")
	run := func(limits host.Limits) (fuel int64) {
		s, err := host.NewScripted([]host.Step{step}, host.WithLimits(limits))
		if err != nil {
			t.Fatal(err)
		}
		execute(t, s, "pwd")
		if err := s.Close(t.Context()); err != nil {
			t.Errorf("Close with the limits %+v: %v", limits, err)
		}
		return s.History()[0].Fuel
	}
	run(host.Limits{CallFuel: run(host.Limits{})})
}

// The real clock ends what fuel doesn't, and says so.
func TestACallTakesNoLongerThanItMay(t *testing.T) {
	w := newHostileWorld(t)
	for _, guest := range []string{"loop_respond", "loop_random", "loop_print"} {
		_, r := w.handlers(t, guest)
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}},
			host.WithLimits(host.Limits{CallTime: 20 * time.Millisecond}))
		var err error
		inTime(t, func() { _, err = s.Exec(t.Context(), host.ExecRequest{}) })
		if e := new(host.CallTimeError); !errors.As(err, &e) || e.Limit != 20*time.Millisecond || !errors.Is(err, host.GuestInterrupted) {
			t.Errorf("%s: error %v", guest, err)
		}
		if s.History()[0].Err != err {
			t.Errorf("%s: the record has %v", guest, s.History()[0].Err)
		}
	}
}

// Code in Go is waited for, and too late all the same.
func TestAnAnswerThatComesTooLateIsNone(t *testing.T) {
	exec := func(match host.Matcher, outcome host.Outcome) host.Step {
		return host.Step{Method: host.MethodExec, Match: match, Outcome: outcome}
	}
	matcher := func(err func(context.Context) error) host.Matcher {
		return host.MatcherFunc(func(ctx context.Context, _ host.Call) (host.Verdict, error) {
			<-ctx.Done()
			return host.Accept(), err(ctx)
		})
	}
	responder := func(err func(context.Context) error) host.Outcome {
		return host.Respond(host.ResponderFunc(func(ctx context.Context, _ host.Call) (any, error) {
			<-ctx.Done()
			return host.ExecResult{}, err(ctx)
		}))
	}
	none := func(context.Context) error { return nil }
	fixed := host.Return(host.ExecResult{})
	for name, c := range map[string]struct {
		step      host.Step
		limit     time.Duration
		recorded  int
		remaining int
	}{
		"a matcher that heeds its context":    {exec(matcher(context.Context.Err), fixed), time.Millisecond, 1, 1},
		"a matcher that doesn't":              {exec(matcher(none), fixed), time.Millisecond, 1, 1},
		"a responder that heeds its context":  {exec(nil, responder(context.Context.Err)), time.Millisecond, 1, 0},
		"a responder that doesn't":            {exec(nil, responder(none)), time.Millisecond, 1, 0},
		"no time to begin with, nor a record": {exec(nil, fixed), 1, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, []host.Step{c.step}, host.WithLimits(host.Limits{CallTime: c.limit}))
			_, err := s.Exec(t.Context(), host.ExecRequest{})
			if e := new(host.CallTimeError); !errors.As(err, &e) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
			if h := s.History(); len(h) != c.recorded || s.RemainingSteps() != c.remaining {
				t.Errorf("%d calls are recorded, %d steps remain", len(h), s.RemainingSteps())
			} else if len(h) > 0 && h[0].Err != err {
				t.Errorf("the record has %v", h[0].Err)
			}
		})
	}
}

// slowReader gives a byte at a time, and takes its time for each.
type slowReader struct{}

func (slowReader) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return copy(p[:1], "x"), nil
}

func TestTheTimeThatItTakesToReadAnArgumentCounts(t *testing.T) {
	s := newSession(t, []host.Step{{Method: host.MethodWrite, Outcome: host.Return(nil)}},
		host.WithLimits(host.Limits{CallTime: 5 * time.Millisecond}))
	err := s.Write(t.Context(), host.WriteRequest{Path: "a", Data: slowReader{}})
	if e := new(host.CallTimeError); !errors.As(err, &e) || s.RemainingSteps() != 1 || len(s.History()) != 0 {
		t.Errorf("error %v, %d steps remain, %d calls are recorded", err, s.RemainingSteps(), len(s.History()))
	}
}

func TestTheTimeOfACallIsThatOfItsOwnSession(t *testing.T) {
	waits := host.MatcherFunc(func(ctx context.Context, _ host.Call) (host.Verdict, error) {
		<-ctx.Done()
		return host.Accept(), ctx.Err()
	})
	inner := newSession(t, []host.Step{{Method: host.MethodExec, Match: waits, Outcome: host.Return(host.ExecResult{})}},
		host.WithLimits(host.Limits{CallTime: time.Hour}))
	var innerErr error
	outer := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(host.ResponderFunc(
		func(ctx context.Context, _ host.Call) (any, error) {
			_, innerErr = inner.Exec(ctx, host.ExecRequest{})
			return nil, innerErr
		}))}}, host.WithLimits(host.Limits{CallTime: time.Millisecond}))
	_, err := outer.Exec(t.Context(), host.ExecRequest{})
	if e := new(host.CallTimeError); !errors.As(err, &e) || e.Limit != time.Millisecond {
		t.Errorf("the outer call: %v", err)
	}
	if errors.As(innerErr, new(*host.CallTimeError)) || !errors.Is(innerErr, context.DeadlineExceeded) {
		t.Errorf("the inner call: %v", innerErr)
	}
}

func TestTheTimeThatACallWaitsForAnotherOneCounts(t *testing.T) {
	matching, finish := make(chan struct{}), make(chan struct{})
	slow := host.MatcherFunc(func(ctx context.Context, _ host.Call) (host.Verdict, error) {
		close(matching)
		<-finish
		<-ctx.Done()
		return host.Accept(), nil
	})
	s := newSession(t, []host.Step{{Method: host.MethodExec, Match: slow, Outcome: host.Return(host.ExecResult{})}},
		host.WithLimits(host.Limits{CallTime: time.Millisecond}))
	first := make(chan error)
	go func() {
		_, err := s.Exec(t.Context(), host.ExecRequest{})
		first <- err
	}()
	<-matching
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	close(finish)
	for _, err := range []error{err, <-first} {
		if e := new(host.CallTimeError); !errors.As(err, &e) {
			t.Errorf("error %v", err)
		}
	}
	if len(s.History()) != 1 || s.RemainingSteps() != 1 {
		t.Errorf("%d calls are recorded, %d steps remain", len(s.History()), s.RemainingSteps())
	}
}

// endlessProgram is a program that never ends.
func endlessProgram(t *testing.T) *host.Program {
	t.Helper()
	wasm := wasmModule(wasmSection(1, 1, 0x60, 0, 0), wasmSection(3, 1, 0), wasmSection(5, 1, 0, 1),
		wasmSection(7, slices.Concat([]byte{2}, wasmName("_start"), []byte{0, 0}, wasmName("memory"), []byte{2, 0})...),
		wasmSection(10, 1, 7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b))
	p, err := host.LoadProgram(t.Context(), "endless", wasm)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCallsThatOverlapShareTheFuelOfTheirSession(t *testing.T) {
	const limit, calls, each = 5_000_000, 8, 105_000 // what a call may use more
	s := newSession(t, runs(endlessProgram(t), calls), host.WithLimits(host.Limits{SessionFuel: limit}))
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			e, ok := errors.AsType[*host.GuestError](err)
			if !ok || e.Kind != host.GuestOutOfFuel || e.Breach == nil ||
				e.Breach.Limit != host.LimitSessionFuel || e.Breach.Reached < limit || e.Breach.Allowed != limit {
				t.Errorf("error %v", err)
			}
		})
	}
	all.Wait()
	sum := int64(0)
	for _, r := range s.History() {
		sum += r.Fuel
	}
	if sum != s.Fuel() || sum < limit || sum > limit+calls*each {
		t.Errorf("the calls used %d, the session %d, and has %d", sum, s.Fuel(), limit)
	}
}
