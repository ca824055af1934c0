package metering_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// depth is what the guest's depth global holds.
func (g *guest) depth() int32 { return int32(g.ExportedGlobal(metering.ExportDepth).Get()) }

func wantTooDeep(t *testing.T, g *guest, err error) {
	t.Helper()
	if err == nil || !strings.Contains(reason(err), "unreachable") || g.depth() >= 0 {
		t.Errorf("error %v, depth %d, want a trap and less than 0", reason(err), g.depth())
	}
}

func wantDepth(t *testing.T, g *guest, err error, want int32) {
	t.Helper()
	if err != nil || g.depth() != want {
		t.Errorf("error %v, depth %d, want none and %d", err, g.depth(), want)
	}
}

func TestRecursionEndsAtTheDepth(t *testing.T) {
	for _, function := range []string{"recursion", "mutual"} {
		for reports, options := range []metering.Options{{MaxDepth: 100}, {MaxDepth: 100, ReportBreaches: true}} {
			g := metered(t, "endless", options, enough)
			_, err := g.call(t.Context(), function, 1)
			wantTooDeep(t, g, err)
			if g.tooDeep != reports {
				t.Errorf("it reported %d times, want %d", g.tooDeep, reports)
			}
		}
	}
}

// fib(n) nests n-1 calls that aren't the last: fib(1) and fib(0) count too.
func TestDepthIsExact(t *testing.T) {
	for depth := 1; depth < 12; depth++ {
		g := metered(t, "features", metering.Options{MaxDepth: depth}, enough)
		if results, err := g.call(t.Context(), "fib", uint64(depth), 1); true {
			wantDepth(t, g, err, int32(depth))
			if len(results) != 1 {
				t.Errorf("results %v", results)
			}
		}
		_, err := g.call(t.Context(), "fib", uint64(depth+1), 1)
		wantTooDeep(t, g, err)

		g.ExportedGlobal(metering.ExportDepth).(api.MutableGlobal).Set(uint64(depth))
		_, err = g.call(t.Context(), "fib", uint64(depth), 1)
		wantDepth(t, g, err, int32(depth))
	}
}

// Every way out of a function has to give back what the way in has taken.
func TestEveryWayOutGivesTheDepthBack(t *testing.T) {
	const depth = 1000
	for _, name := range []string{"features", "tailcalls", "fuel", "named"} {
		wasm := testGuest(t, name)
		g := metered(t, name, metering.Options{MaxDepth: depth}, enough)
		for _, function := range functions(t, wasm) {
			for _, args := range arguments {
				if tooLong(function, args) || args[0] > depth/2 {
					continue
				}
				if _, err := g.call(t.Context(), function, args...); err != nil {
					g = metered(t, name, metering.Options{MaxDepth: depth}, enough)
				} else if g.depth() != depth {
					t.Fatalf("%s: %s(%v) leaves a depth of %d", name, function, args, g.depth())
				}
			}
		}
	}
}

func TestTailCallsTakeNoDepth(t *testing.T) {
	g := metered(t, "tailcalls", metering.Options{MaxDepth: 3}, enough)
	for _, function := range []string{"sum", "even"} {
		_, err := g.call(t.Context(), function, 100_001, 0)
		wantDepth(t, g, err, 3)
	}
	_, err := g.call(t.Context(), "deep", 2)
	wantDepth(t, g, err, 3)
	_, err = g.call(t.Context(), "deep", 3)
	wantTooDeep(t, g, err)
}

// A function with many locals counts for more, since its frame is larger.
func TestLocalsCountAsDepth(t *testing.T) {
	for _, test := range []struct {
		locals       int
		typ          byte
		depth, calls int
	}{
		{0, 0x7f, 10, 10}, {63, 0x7f, 10, 10}, {64, 0x7f, 10, 5}, {640, 0x7c, 110, 10},
		{31, 0x7b, 10, 10}, {32, 0x7b, 10, 5}, {320, 0x7b, 110, 10},
	} {
		t.Run(fmt.Sprintf("%d of %#x", test.locals, test.typ), func(t *testing.T) {
			// (func $f (export "f") (local i32 …) count += 1; call $f)
			body := slicesOf([]byte{1}, uleb(test.locals), []byte{test.typ},
				[]byte{0x23, 0, 0x41, 1, 0x6a, 0x24, 0, 0x10, 0, 0x0b})
			wasm := slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0),
				sectionOf(6, 1, 0x7f, 1, 0x41, 0, 0x0b),
				sectionOf(7, 2, 1, 'f', 0, 0, 5, 'c', 'o', 'u', 'n', 't', 3, 0),
				sectionOf(10, slicesOf([]byte{1}, uleb(len(body)), body)...))
			g, err := start(t.Context(), t, rewrite(t, wasm, metering.Options{MaxDepth: test.depth}).Wasm, enough)
			if err != nil {
				t.Fatal(err)
			}
			_, err = g.call(t.Context(), "f")
			wantTooDeep(t, g, err)
			if got := g.ExportedGlobal("count").Get(); got != uint64(test.calls) {
				t.Errorf("it got %d calls deep, want %d", got, test.calls)
			}
		})
	}
}
