package metered_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// dear is the import of the tests' guests, for so many units a call.
func dear(units int64) engine.HostFunc {
	f := note(silent)
	f.Call = func(_ context.Context, caller engine.Instance, _ []uint64) error {
		return engine.Charge(caller, units)
	}
	return f
}

func TestHostFunctionsArePaidFor(t *testing.T) {
	const instructions = 2 // local.get and call
	onEach(t, func(t *testing.T, inner maker) {
		for _, units := range []int64{0, 1, 4000, 4096, 99_999, 5_000_000} {
			in := start(t, inner, metered.Config{}, "limits", dear(units))
			for range 2 {
				in.call(t, "note", 7)
				if want := instructions + metered.CallPrice + units; in.Used() != want {
					t.Errorf("%d units: it used %d, want %d", units, in.Used(), want)
				}
			}
			if in.Total() != 2*in.Used() {
				t.Errorf("%d units: it used %d in all, want %d", units, in.Total(), 2*in.Used())
			}
		}
	})
}

// Or else a guest that asks again and again would get through hundreds of thousands of
// refusals before its context is looked at.
func TestRefusalsArePaidFor(t *testing.T) {
	for name, price := range map[string]struct {
		guest, export string
		instructions  int64
	}{
		"of memory":             {"limits", "grow", 2},
		"of entries of a table": {"table", "grow", 34},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, inner maker) {
				in := start(t, inner, metered.Config{}, price.guest)
				if got := in.call(t, price.export, 1<<31); uint32(got) != math.MaxUint32 {
					t.Fatalf("it isn't refused, but got %d", got)
				}
				if want := price.instructions + metered.CallPrice; in.Used() != want {
					t.Errorf("it used %d, want %d", in.Used(), want)
				}
			})
		})
	}
}

func TestALoopOfHostFunctionsEndsAtTheSameCallEverywhere(t *testing.T) {
	for _, units := range []int64{0, 10, 4096, 1_000_000} {
		for _, limit := range []int64{1, 1000, 10_000, 3_333_333, 0} {
			ends := map[string]string{}
			for name, inner := range engines {
				for _, slice := range []int64{0, 1, 5000} {
					calls := 0
					f := dear(units)
					charge := f.Call
					f.Call = func(ctx context.Context, caller engine.Instance, stack []uint64) error {
						calls++
						return charge(ctx, caller, stack)
					}
					in := start(t, inner, metered.Config{Slice: slice}, "limits", f)
					in.SetLimit(limit)
					_, err := in.try(t, "notes", 100, 0)
					if out, ok := errors.AsType[*metering.OutOfFuelError](err); ok && (out.Used != in.Used() || out.Limit != limit) {
						t.Errorf("the error %+v, used %d", out, in.Used())
					}
					end := fmt.Sprintf("%d calls, %d units, %v", calls, in.Used(), err != nil)
					ends[end] = fmt.Sprintf("%s with a slice of %d", name, slice)
				}
			}
			if len(ends) != 1 {
				t.Errorf("%d units a call within %d: the ends are %v", units, limit, ends)
			}
		}
	}
}

// What a guest owes may be all that its slices are used up by, so that it never asks for
// one itself, which is where its context is looked at.
func TestALoopOfHostFunctionsEndsWithItsContext(t *testing.T) {
	errTooLate := errors.New("it goes on")
	for _, units := range []int64{0, 4000, 4096, 1_000_000} {
		onEach(t, func(t *testing.T, inner maker) {
			ctx, cancel := context.WithCancel(t.Context())
			calls := 0
			f := dear(units)
			charge := f.Call
			f.Call = func(ctx context.Context, caller engine.Instance, stack []uint64) error {
				cancel()
				if calls++; calls > 100_000 {
					return errTooLate
				}
				return charge(ctx, caller, stack)
			}
			in := start(t, inner, metered.Config{}, "limits", f)
			notes, _ := in.Function("notes")
			if err := notes.Call(ctx, []uint64{math.MaxInt32, 0}); !errors.Is(err, context.Canceled) {
				t.Errorf("%d units a call: after %d calls it ends with %v", units, calls, err)
			}
		})
	}
}

func TestAHostFunctionThatIsTooDearEndsTheCall(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits", dear(math.MaxInt32))
		in.SetLimit(math.MaxInt32 / 2)
		_, err := in.try(t, "note", 7)
		out, ok := errors.AsType[*metering.OutOfFuelError](err)
		if want := int64(math.MaxInt32 + 2 + metered.CallPrice); !ok || out.Used != want || in.Used() != want {
			t.Errorf("error %v, used %d, want %d", err, in.Used(), want)
		}
	})
}

func TestAStartFunctionPaysForHostFunctions(t *testing.T) {
	const instructions = 9
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "start-note", dear(50_000))
		if want := int64(instructions + 3*(metered.CallPrice+50_000)); in.Used() != want {
			t.Errorf("it used %d, want %d", in.Used(), want)
		}
		config := metered.Config{Limits: metered.Limits{Fuel: 120_000}}
		m, err := newMetered(t, inner, config, dear(50_000)).Compile(t.Context(), guest(t, "start-note"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Instantiate(t.Context(), nil)
		out, ok := errors.AsType[*metering.OutOfFuelError](err)
		if !ok || out.Limit != 120_000 || out.Used != 3*(50_000+metered.CallPrice) {
			t.Errorf("error %v, %+v", err, out)
		}
	})
}

// overlap is what a call may use without a report: a slice, and what it owes.
const overlap = metered.ReportSlice + 5000

func TestACallReportsWhatItUsesWhileItLasts(t *testing.T) {
	enough := errors.New("enough")
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits", dear(9))
		var reported []int64
		in.ReportTo(func(fuel int64) error {
			reported = append(reported, fuel)
			return nil
		})
		in.call(t, "notes", 10_000, 0)
		sum := int64(0)
		for _, fuel := range reported {
			sum += fuel
		}
		if len(reported) < 5 || slices.Max(reported) > overlap || in.Used() < sum || in.Used()-sum > overlap {
			t.Errorf("it reported %d, and used %d", reported, in.Used())
		}
		in.ReportTo(func(int64) error { return enough })
		_, err := in.try(t, "notes", 0, 0)
		if !errors.Is(err, enough) || in.Used() > overlap {
			t.Errorf("error %v after %d", err, in.Used())
		}
	})
}

// What an instance has left of its slice is of earlier calls, which another instance may
// not have had: one that was put back, or is a copy.
func TestWhereACallThatReportsEndsDoesntDependOnEarlierCalls(t *testing.T) {
	enough := errors.New("enough")
	onEach(t, func(t *testing.T, inner maker) {
		for limit := int64(metered.ReportSlice); limit < metered.ReportSlice+5000; limit += 500 {
			ends := map[int64]uint64{} // units used, by those of the earlier call
			for _, rounds := range []uint64{0, 10, 100, 150, 1000, 5000} {
				in := start(t, inner, metered.Config{}, "limits", dear(0))
				in.ReportTo(func(int64) error { return nil })
				in.call(t, "work", rounds+1)
				spent := int64(0)
				in.SetLimit(limit)
				in.ReportTo(func(fuel int64) error {
					if spent += fuel; spent > limit {
						return enough
					}
					return nil
				})
				if _, err := in.try(t, "owe", 50, 1_000_000); err == nil {
					t.Fatal("it doesn't end")
				}
				ends[in.Used()] = rounds
			}
			if len(ends) != 1 {
				t.Errorf("within %d: the ends are %v", limit, ends)
			}
		}
	})
}

func TestCallsThatOverlapKeepToALimitTogether(t *testing.T) {
	const limit, guests = 10_000_000, 8
	onEach(t, func(t *testing.T, inner maker) {
		m, err := newMetered(t, inner, metered.Config{}).Compile(t.Context(), guest(t, "limits"))
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		reported := int64(0)
		report := func(fuel int64) error {
			mu.Lock()
			defer mu.Unlock()
			if reported += fuel; reported > limit {
				return &metering.OutOfFuelError{Limit: limit, Used: reported}
			}
			return nil
		}
		used := make([]int64, guests)
		var all sync.WaitGroup
		for i := range guests {
			in := instantiate(t, m)
			in.ReportTo(report)
			all.Go(func() {
				_, err := in.try(t, "notes", 0, 0)
				if !errors.As(err, new(*metering.OutOfFuelError)) {
					t.Errorf("error %v", err)
				}
				used[i] = in.Used()
			})
		}
		all.Wait()
		sum := int64(0)
		for _, fuel := range used {
			sum += fuel
		}
		if sum <= limit || sum > limit+guests*overlap {
			t.Errorf("they used %d, %d in all", used, sum)
		}
	})
}

func TestAGuestThatWasRefusedATableIsToldApart(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		m, err := newMetered(t, inner, metered.Config{}).
			CompileWithin(t.Context(), guest(t, "table"), metered.Limits{TableEntries: 10})
		if err != nil {
			t.Fatal(err)
		}
		in := instantiate(t, m)
		in.call(t, "need", 3)
		if wanted, _ := in.RefusedEntries(); wanted != 0 {
			t.Errorf("it was refused %d entries", wanted)
		}
		_, err = in.try(t, "need", 6)
		e, ok := errors.AsType[*metered.TableError](err)
		if !ok || e.Wanted != 6 || e.Entries != 5 || !errors.As(err, new(*engine.TrapError)) {
			t.Errorf("error %v, %+v, want a *TableError", err, e)
		}
		if wanted, entries := in.RefusedEntries(); wanted != 6 || entries != 5 {
			t.Errorf("it was refused %d entries besides %d", wanted, entries)
		}
	})
}
