package metered_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// end is what shows of a call, which has to be the same everywhere.
func end(t *testing.T, in tester, name string, params ...uint64) string {
	t.Helper()
	_, err := in.try(t, name, params...)
	text := "fine"
	switch {
	case errors.As(err, new(*metered.DepthError)):
		text = "too deep"
	case errors.As(err, new(*metering.OutOfFuelError)):
		text = "out of fuel"
	case err != nil:
		text = "a failure"
	}
	return fmt.Sprintf("%s after %d rounds and %d fuel", text, in.count(t), in.Used())
}

func TestFuelEndsACallAtTheSameInstructionEverywhere(t *testing.T) {
	for _, limit := range []int64{1, 2, 20, 99, 100, 101, 1000, 33_333, 0} {
		ends := map[string]string{}
		for name, inner := range engines {
			for _, slice := range []int64{0, 1, 50, 1000} {
				in := start(t, inner, metered.Config{Slice: slice}, "limits")
				in.SetLimit(limit)
				ends[end(t, in, "work", 1000)] = fmt.Sprintf("%s with a slice of %d", name, slice)
			}
		}
		if len(ends) != 1 {
			t.Errorf("with a limit of %d the ends are %v", limit, ends)
		}
	}
}

func TestALimitIsOneOfEachCall(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{Limits: metered.Limits{Fuel: 10_000}, Slice: 64}, "limits")
		in.call(t, "work", 10)
		each := in.Used()
		if each < 10 || in.Total() != each {
			t.Fatalf("it used %d and %d in all", each, in.Total())
		}
		in.SetLimit(each)
		for range 50 {
			in.call(t, "work", 10)
		}
		if in.Used() != each || in.Total() != 51*each {
			t.Errorf("it used %d, %d in all, want %d and %d", in.Used(), in.Total(), each, 51*each)
		}
		in.SetLimit(50)
		_, err := in.try(t, "forever")
		out, ok := errors.AsType[*metering.OutOfFuelError](err)
		if !ok || out.Limit != 50 || out.Used != in.Used() || out.Used < 50 {
			t.Errorf("error %v, %+v, used %d", err, out, in.Used())
		}
		if errors.As(err, new(*engine.TrapError)) {
			t.Errorf("error %v is a trap", err)
		}
	})
}

func TestAStartFunctionHasALimit(t *testing.T) {
	used := map[int64]bool{}
	onEach(t, func(t *testing.T, inner maker) {
		e := newMetered(t, inner, metered.Config{})
		m, err := e.CompileWithin(t.Context(), guest(t, "start"), metered.Limits{Fuel: 100})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Instantiate(t.Context(), nil); !errors.As(err, new(*metering.OutOfFuelError)) {
			t.Errorf("error %v", err)
		}
		in := start(t, inner, metered.Config{}, "start")
		used[in.Used()] = true
		if in.Used() < 3000 || in.Total() != in.Used() {
			t.Errorf("it used %d, %d in all", in.Used(), in.Total())
		}
	})
	if len(used) != 1 {
		t.Errorf("it used %v", used)
	}
}

// What it has used nobody can see: it pays for its last slice as a whole.
func TestAStartFunctionThatFailsSaysWhatItWasDealt(t *testing.T) {
	exact := start(t, engines["wazero"], metered.Config{}, "start").Used()
	for _, limits := range []struct{ slice, fuel int64 }{{16, 0}, {1000, 0}, {1_000_000, 0}, {1000, exact + 9}, {1_000_000, exact + 9}} {
		used := map[int64]bool{}
		onEach(t, func(t *testing.T, inner maker) {
			config := metered.Config{Slice: limits.slice, Limits: metered.Limits{Fuel: limits.fuel}}
			m, err := newMetered(t, inner, config).Compile(t.Context(), guest(t, "start-trap"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Instantiate(t.Context(), nil)
			failed, ok := errors.AsType[*metered.StartError](err)
			if !ok || !errors.As(err, new(*engine.TrapError)) {
				t.Fatalf("error %v", err)
			}
			used[failed.Used] = true
			if failed.Used < exact || failed.Used > exact+limits.slice+10 || limits.fuel > 0 && failed.Used > limits.fuel {
				t.Errorf("within %+v: it used %d, one that doesn't trap %d", limits, failed.Used, exact)
			}
		})
		if len(used) != 1 {
			t.Errorf("it used %v", used)
		}
	}
}

// One that was refused more has used what it asked with.
func TestAStartFunctionThatIsEndedSaysWhatItHasUsed(t *testing.T) {
	enough := errors.New("enough")
	onEach(t, func(t *testing.T, inner maker) {
		m, err := newMetered(t, inner, metered.Config{}).CompileWithin(t.Context(), guest(t, "start"), metered.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.InstantiateWithin(t.Context(), nil, 100, nil)
		failed, ok := errors.AsType[*metered.StartError](err)
		out, _ := errors.AsType[*metering.OutOfFuelError](err)
		if !ok || out == nil || failed.Used != out.Used || failed.Used <= 100 {
			t.Errorf("error %v, %+v, %+v", err, failed, out)
		}
		reported := int64(0)
		_, err = m.InstantiateWithin(t.Context(), nil, 0, func(fuel int64) error {
			reported += fuel
			return enough
		})
		failed, ok = errors.AsType[*metered.StartError](err)
		if !errors.Is(err, enough) || reported > 0 && (!ok || failed.Used != reported) {
			t.Errorf("error %v, %+v, reported %d", err, failed, reported)
		}
	})
}

func TestCallsThatNestTooDeepAreToldApart(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		config := metered.Config{Limits: metered.Limits{Depth: 10}}
		if got := start(t, inner, config, "limits").call(t, "deep", 9); got != 9 {
			t.Errorf("deep(9) = %d", got)
		}
		_, err := start(t, inner, config, "limits").try(t, "deep", 10)
		if e, ok := errors.AsType[*metered.DepthError](err); !ok || e.Limit != 10 || e.Trap.Stack == "" {
			t.Errorf("error %v, %+v, want a *DepthError", err, e)
		}
		if !errors.As(err, new(*engine.TrapError)) {
			t.Errorf("error %v isn't a trap", err)
		}
		if _, err := start(t, inner, config, "limits").try(t, "trap"); err == nil || errors.As(err, new(*metered.DepthError)) {
			t.Errorf("error %v, want a trap", err)
		}
	})
}

func TestLargeFramesAreTooDeepBeforeTheStackIsFull(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "frames")
		_, err := in.try(t, "recurse", 0)
		depth, _ := in.Global("depth")
		if !errors.As(err, new(*metered.DepthError)) || depth.Get() != metered.DefaultDepth {
			t.Errorf("it fails at %d with %v", depth.Get(), err)
		}
	})
}

func TestAStartFunctionThatNestsTooDeepIsToldApart(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		m, err := newMetered(t, inner, metered.Config{}).Compile(t.Context(), guest(t, "deep-start"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Instantiate(t.Context(), nil)
		if !errors.As(err, new(*metered.DepthError)) || !errors.As(err, new(*engine.TrapError)) {
			t.Errorf("error %v, want a *DepthError", err)
		}
	})
}

func TestWithoutALimitOfDepthTheStackIsTheLimit(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{Limits: metered.Limits{Depth: -1}}, "limits")
		in.call(t, "deep", metered.DefaultDepth+1)
		_, err := in.try(t, "deep", 1<<31)
		if err == nil || errors.As(err, new(*metered.DepthError)) {
			t.Errorf("error %v, want a trap", err)
		}
	})
}

func TestRefusedMemoryIsCounted(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		m, err := newMetered(t, inner, metered.Config{}).
			CompileWithin(t.Context(), guest(t, "limits"), metered.Limits{MemoryPages: 4})
		if err != nil {
			t.Fatal(err)
		}
		in := instantiate(t, m)
		for _, test := range []struct {
			pages uint64
			was   int32
			times int
		}{{1, 1, 0}, {3, -1, 1}, {2, 2, 0}, {1 << 20, -1, 1}, {0, 4, 0}} {
			got := int32(in.call(t, "grow", test.pages))
			times, wanted := in.Refused()
			if got != test.was || times != test.times || times > 0 && uint64(wanted) != test.pages {
				t.Errorf("grow(%d) = %d, refused %d times, the last time %d", test.pages, got, times, wanted)
			}
		}
		_, err = in.try(t, "need", 7)
		if e, ok := errors.AsType[*metered.MemoryError](err); !ok || e.Wanted != 7 || e.Pages != 4 {
			t.Errorf("error %v, %+v, want a *MemoryError", err, e)
		}
		if !errors.As(err, new(*engine.TrapError)) {
			t.Errorf("error %v isn't a trap", err)
		}
		in = instantiate(t, m)
		in.call(t, "grow", 100)
		if _, err := in.try(t, "trap"); err == nil || errors.As(err, new(*metered.MemoryError)) {
			t.Errorf("error %v, want a trap", err)
		}
	})
}

func TestTheEngineRefusesMemoryToo(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits")
		if got := int32(in.call(t, "grow", roomy)); got != -1 {
			t.Errorf("it was given memory: %d", got)
		}
		if times, _ := in.Refused(); times != 1 {
			t.Errorf("it was refused %d times", times)
		}
	})
}

func TestModulesThatWantMoreThanTheirLimitsDoNotCompile(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		e := newMetered(t, inner, metered.Config{})
		for _, test := range []struct {
			limits metered.Limits
			fine   bool
		}{
			{metered.Limits{TableEntries: 1}, false},
			{metered.Limits{TableEntries: 2, MemoryPages: 1}, true},
		} {
			_, err := e.CompileWithin(t.Context(), guest(t, "limits"), test.limits)
			if (err == nil) != test.fine || err != nil && !errors.As(err, new(*engine.CompileError)) {
				t.Errorf("%+v: error %v", test.limits, err)
			}
			if !test.fine && !errors.Is(err, metering.TooLarge) {
				t.Errorf("%+v: error %v, want TooLarge", test.limits, err)
			}
			size, ok := errors.AsType[*engine.SizeError](err)
			if !test.fine && (!ok || size.Part != engine.ExternTable || size.Most != 1) {
				t.Errorf("%+v: error %+v, want a *SizeError of a table", test.limits, size)
			}
		}
	})
}

func TestTheBoundsOfAModuleAreTheStricterOnes(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		e := newMetered(t, inner, metered.Config{Limits: metered.Limits{MemoryPages: 50, TableEntries: 1 << 30}})
		whole := e.Bounds()
		if whole.MemoryPages != 50 || whole.TableEntries == 0 || whole.TableEntries >= 1<<30 {
			t.Errorf("the engine has the bounds %+v", whole)
		}
		m, err := e.CompileWithin(t.Context(), guest(t, "limits"), metered.Limits{TableEntries: 20, MemoryPages: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.Bounds(), (engine.Bounds{MemoryPages: 50, TableEntries: 20}); got != want {
			t.Errorf("the module has the bounds %+v, want %+v", got, want)
		}
	})
}

func TestSettingsThatCannotBeAreRefused(t *testing.T) {
	for _, config := range []metered.Config{{Slice: -1}, {Slice: math.MinInt64}} {
		if e, err := config.New(t.Context(), nil, engines["wazero"]); err == nil {
			t.Errorf("%+v: got %v", config, e)
		}
	}
}
