package metering_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

func TestFuelIsExact(t *testing.T) {
	tests := []struct {
		function string
		argument uint64
		want     int64
	}{
		{"empty", 0, 0},
		{"two", 0, 2},
		{"add", 0, 3},
		{"call", 0, 6},
		{"count", 1, 6},
		{"count", 1000, 5001},
		{"arms", 1, 13},
		{"arms", 0, 9},
		{"small", 1, 4},
		{"small", 0, 4},
		{"early", 0, 4},
		{"early", 1, 13},
		{"switch", 0, 8},
		{"switch", 1, 9},
		{"switch", 2, 9},
		{"switch", 3, 9},
		{"fill", 0, 4},
		{"fill", 7, 4},
		{"fill", 800, 104},
		{"copy", 0, 104},
		{"grow", 0, 2},
		{"grow", 1, 2 + 8192},
		{"grow", 10_000, 2},
		{"growTable", 5, 34 + 5},
		{"growTable", 1 << 31, 34},
		{"refer", 0, 33},
		{"fillTable", 6, 4 + 6},
		{"afterCall", 0, 12},
		{"afterCall", 1, 12},
	}
	for _, options := range allOptions {
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s %d, depth %d", test.function, test.argument, options.MaxDepth), func(t *testing.T) {
				g := metered(t, "fuel", options, metering.Tank{})
				if _, err := g.call(t.Context(), test.function, test.argument, test.argument); err != nil {
					t.Fatal(err)
				}
				if got := g.used(); got != test.want {
					t.Errorf("it used %d units, want %d", got, test.want)
				}
			})
		}
	}
}

// allOptions are those that change the code.
var allOptions = []metering.Options{
	{},
	{ExportGlobals: true},
	{MaxDepth: 10_000},
	{MaxDepth: metering.MaxDepth, ExportGlobals: true},
	{MaxDepth: 10_000, ExportGlobals: true, ReportBreaches: true},
}

// A loop of 5 units a round and 1 is enough to tell one limit from the next.
func TestALimitIsExactWhateverTheSlice(t *testing.T) {
	for _, slice := range []int64{1, 7, 1000, 1 << 40} {
		for _, limit := range []int64{1000, 5000, 5001, 6000} {
			g := metered(t, "fuel", metering.Options{}, metering.Tank{Limit: limit, Slice: slice})
			_, err := g.call(t.Context(), "count", 2000)
			out, ok := errors.AsType[*metering.OutOfFuelError](err)
			if !ok {
				t.Fatalf("error %v, want an *OutOfFuelError", err)
			}
			// What comes after the loop is charged first. The round that goes over the
			// limit is charged, and the next notices.
			want := (limit-1)/5*5 + 6
			if out.Limit != limit || out.Used != want {
				t.Errorf("slice %d: limit %d, noticed at %d, want %d and %d", slice, out.Limit, out.Used, limit, want)
			}
		}
		g := metered(t, "fuel", metering.Options{}, metering.Tank{Limit: 10_001, Slice: slice})
		if _, err := g.call(t.Context(), "count", 2000); err != nil || g.used() != 10_001 {
			t.Errorf("slice %d: just enough fuel: %v, used %d", slice, err, g.used())
		}
	}
}

func TestNothingIsEndless(t *testing.T) {
	for _, function := range []string{
		"loop", "loopWithBody", "loopWithParam", "loopWithParams", "loopWithResult", "conditional", "table", "nested",
		"inElse", "afterBranch", "loopOfCalls", "loopOfIndirectImports", "tree", "fills", "grows",
	} {
		for _, options := range allOptions {
			t.Run(fmt.Sprintf("%s, depth %d", function, options.MaxDepth), func(t *testing.T) {
				g := metered(t, "endless", options, metering.Tank{Limit: 200_000, Slice: 10_000})
				_, err := g.call(t.Context(), function, 40)
				if function == "inElse" && err == nil { // the arm depends on the argument
					_, err = g.call(t.Context(), function, 0)
				}
				if _, ok := errors.AsType[*metering.OutOfFuelError](err); !ok {
					t.Errorf("error %v, want an *OutOfFuelError", err)
				}
			})
		}
	}
}

func TestRecursionRunsOutOfFuel(t *testing.T) {
	for _, function := range []string{
		"recursion", "mutual", "loopThenRecursion", "recursionThenLoop", "recursionInRareArm", "recursionBesideLoop",
	} {
		g := metered(t, "endless", metering.Options{}, metering.Tank{Limit: 10_000})
		_, err := g.call(t.Context(), function, 1)
		if _, ok := errors.AsType[*metering.OutOfFuelError](err); !ok {
			t.Errorf("%s: error %v, want an *OutOfFuelError", function, err)
		}
	}
	g := metered(t, "tailcalls", metering.Options{}, metering.Tank{Limit: 10_000})
	_, err := g.call(t.Context(), "endless")
	if _, ok := errors.AsType[*metering.OutOfFuelError](err); !ok {
		t.Errorf("tail calls: error %v, want an *OutOfFuelError", err)
	}
}

func TestALengthIsNoticedBeforeTheNextLoop(t *testing.T) {
	g := metered(t, "endless", metering.Options{}, metering.Tank{Limit: 3 * 8192})
	_, err := g.call(t.Context(), "doubling")
	out, ok := errors.AsType[*metering.OutOfFuelError](err)
	if !ok || out.Used > 5*8192 {
		t.Errorf("error %v, want an *OutOfFuelError at the fourth copy", err)
	}
}

func TestACancelledContextIsSeenWithinASlice(t *testing.T) {
	const slice = 10_000
	g := metered(t, "endless", metering.Options{}, metering.Tank{Slice: slice})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.call(ctx, "nested"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	if used := g.used(); used > slice+100 {
		t.Errorf("it used %d units, want one slice", used)
	}
}

func TestTheStartFunctionIsMetered(t *testing.T) {
	g := metered(t, "features", metering.Options{}, metering.Tank{Slice: 10})
	if len(g.notes) != 1 || g.notes[0] != 77 {
		t.Errorf("it noted %v", g.notes)
	}
}
