package metering_test

import (
	"context"
	"testing"
	"time"

	wz "github.com/tetratelabs/wazero"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// A contestant is a way to keep a guest from running forever, or none.
type contestant struct {
	name    string
	options *metering.Options // nil: not rewritten
	closes  bool              // wazero's own interruption
}

var contestants = []contestant{
	{name: "original"},
	{name: "fuel", options: &metering.Options{}},
	{name: "fuel-depth", options: &metering.Options{MaxDepth: 100_000, ReportBreaches: true}},
	{name: "close-on-done", closes: true},
}

func (c contestant) start(ctx context.Context, b *testing.B, wasm []byte) *guest {
	b.Helper()
	if c.options != nil {
		wasm = rewrite(b, wasm, *c.options).Wasm
	}
	config := wz.NewRuntimeConfigCompiler().WithCloseOnContextDone(c.closes)
	g, err := startWith(ctx, b, config, wasm, metering.Tank{Limit: 1 << 50})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// BenchmarkOverhead runs the contestants by turns, so that what else the machine
// does hits all of them, and reports the best of each.
func BenchmarkOverhead(b *testing.B) {
	b.Run("c", func(b *testing.B) { benchmarkOverhead(b, testGuest(b, "sorthash"), "run", 16384, 12345) })
	b.Run("go", func(b *testing.B) { benchmarkOverhead(b, goGuest(b, "./testdata/compute"), "run", 200, 12345) })
	b.Run("bodies", func(b *testing.B) { benchmarkOverhead(b, testGuest(b, "floats"), "bodies", 10_000, 1) })
	b.Run("matrices", func(b *testing.B) { benchmarkOverhead(b, testGuest(b, "floats"), "matrices", 10, 65) })
	b.Run("calls", func(b *testing.B) { benchmarkOverhead(b, testGuest(b, "features"), "fib", 25, 0) })
}

func benchmarkOverhead(b *testing.B, wasm []byte, function string, args ...uint64) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	guests := make([]*guest, len(contestants))
	best := make([]time.Duration, len(contestants))
	for i, c := range contestants {
		guests[i] = c.start(ctx, b, wasm)
	}
	for b.Loop() {
		for i, g := range guests {
			begun := time.Now()
			if _, err := g.call(ctx, function, args...); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(begun); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, c := range contestants {
		b.ReportMetric(float64(best[i].Microseconds()), c.name+"-µs")
		if i > 0 {
			b.ReportMetric(100*(float64(best[i])/float64(best[0])-1), c.name+"-%")
		}
	}
}

// BenchmarkCall is the fixed cost of a call with a limit and a context that can
// be cancelled, of a function that does nothing.
func BenchmarkCall(b *testing.B) {
	for _, c := range contestants {
		b.Run(c.name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(background)
			defer cancel()
			g := c.start(ctx, b, testGuest(b, "sorthash"))
			f := g.ExportedFunction("nothing")
			b.ReportAllocs()
			for b.Loop() {
				if err := ctx.Err(); err != nil {
					b.Fatal(err)
				}
				if g.fuel != nil {
					g.fuel.Set(uint64(g.tank.Fill()))
				}
				if err := f.CallWithStack(ctx, nil); err != nil {
					b.Fatal(err)
				}
				if g.fuel != nil && g.used() > 100 {
					b.Fatal("it used fuel")
				}
			}
		})
	}
}

// BenchmarkRefill is what a slice costs in the end: a call of the import.
func BenchmarkRefill(b *testing.B) {
	g := metered(b, "fuel", metering.Options{}, metering.Tank{Slice: 1})
	stack := []uint64{uint64(b.N)}
	f := g.ExportedFunction("count")
	b.ResetTimer()
	g.fuel.Set(uint64(g.tank.Fill()))
	if err := f.CallWithStack(background, stack); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkOutOfFuel is a call that ends by a panic of the import.
func BenchmarkOutOfFuel(b *testing.B) {
	g := metered(b, "endless", metering.Options{}, metering.Tank{Limit: 1})
	f := g.ExportedFunction("loop")
	b.ReportAllocs()
	for b.Loop() {
		g.fuel.Set(uint64(g.tank.Fill()))
		if err := f.CallWithStack(background, nil); err == nil {
			b.Fatal("it ended by itself")
		}
	}
}

func BenchmarkRewrite(b *testing.B) {
	wasm := goGuest(b, "./testdata/compute")
	for _, c := range contestants[1:3] {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(wasm)))
			b.ReportAllocs()
			for b.Loop() {
				result := rewrite(b, wasm, *c.options)
				b.ReportMetric(100*(float64(len(result.Wasm))/float64(len(wasm))-1), "growth-%")
			}
		})
	}
}
