package metered_test

import (
	"context"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A contender is a way to run one call or the like. Contenders run by turns, so that
// what else the machine does hits all of them.
type contender struct {
	name   string
	run    func()
	before func() // not measured; may be nil
}

// contend reports the best time of each, and how many times as long as the first's the
// others' are.
func contend(b *testing.B, rounds int, contenders ...contender) {
	best := make([]time.Duration, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			if c.before != nil {
				c.before()
			}
			begun := time.Now()
			for range rounds {
				c.run()
			}
			if took := time.Since(begun); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, c := range contenders {
		b.ReportMetric(float64(best[i].Nanoseconds())/float64(rounds), c.name+"-ns")
		if i > 0 {
			b.ReportMetric(float64(best[0])/float64(best[i]), c.name+"-times")
		}
	}
}

// BenchmarkCall is a call of a function that does nothing: of the engine inside, and
// metered, with a limit and a context that can be cancelled.
func BenchmarkCall(b *testing.B) {
	for name, inner := range engines {
		b.Run(name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			bare, err := inner(ctx, []engine.HostFunc{note(silent)})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = bare.Close(context.Background()) }()
			m, err := bare.Compile(ctx, guest(b, "limits"))
			if err != nil {
				b.Fatal(err)
			}
			one, err := m.Instantiate(ctx, nil)
			if err != nil {
				b.Fatal(err)
			}
			two := start(b, inner, metered.Config{}, "limits")
			f, _ := one.Function("nothing")
			g, _ := two.Function("nothing")
			call := func() {
				two.SetLimit(50_000_000)
				if err := g.Call(ctx, nil); err != nil || two.Used() > 10 {
					b.Fatal(err)
				}
			}
			if n := testing.AllocsPerRun(100, call); n != 0 {
				b.Errorf("%v allocations", n)
			}
			contend(b, 1000,
				contender{name: "bare", run: func() {
					if err := f.Call(ctx, nil); err != nil {
						b.Fatal(err)
					}
				}},
				contender{name: "metered", run: call})
		})
	}
}

// BenchmarkRestore puts an instance back that has answered a call, beside making one
// anew, and beside a new one that gets the state rather than coming to it.
func BenchmarkRestore(b *testing.B) {
	for name, wasm := range allGuests(b) {
		for engine, inner := range engines {
			b.Run(name+"/"+engine, func(b *testing.B) {
				m := compileGuest(b, inner, wasm)
				in := open(b, m)
				s := snapshot(b, in)
				b.ReportMetric(float64(s.Size()), "state-bytes")
				b.ReportMetric(float64(in.Memory().Size()), "memory-bytes")
				contend(b, 1,
					contender{name: "instantiate", run: func() {
						if err := open(b, m).Close(b.Context()); err != nil {
							b.Fatal(err)
						}
					}},
					contender{name: "fork", run: func() {
						fork, err := m.Instantiate(b.Context(), wasi.NewEnv(wasi.Config{}))
						if err != nil {
							b.Fatal(err)
						}
						restore(b, testerOf(b, fork), s)
						if err := fork.Close(b.Context()); err != nil {
							b.Fatal(err)
						}
					}},
					contender{name: "restore", run: func() { restore(b, in, s) }, before: func() { in.call(b, abi.ExportDescribe) }},
					contender{name: "snapshot", run: func() { snapshot(b, in) }})
			})
		}
	}
}

// BenchmarkDigest is a snapshot of the guest in Go with its digest.
func BenchmarkDigest(b *testing.B) {
	wasm, err := goGuest()
	if err != nil {
		b.Fatal(err)
	}
	in := open(b, compileGuest(b, engines["wazero"], wasm))
	for b.Loop() {
		snapshot(b, in).Digest()
	}
}

// BenchmarkHostCall is a call whose guest calls one import.
func BenchmarkHostCall(b *testing.B) {
	for name, inner := range engines {
		b.Run(name, func(b *testing.B) {
			in := start(b, inner, metered.Config{}, "limits")
			f, _ := in.Function("note")
			stack := make([]uint64, 1)
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Call(b.Context(), stack); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCache reads the rewritten guest in Go from the disk, beside rewriting it.
func BenchmarkCache(b *testing.B) {
	wasm, err := goGuest()
	if err != nil {
		b.Fatal(err)
	}
	options := metering.Options{MaxDepth: metered.DefaultDepth, ExportGlobals: true, ReportBreaches: true}
	key, cache := [32]byte{1}, adapter.NewCache(b.TempDir())
	cache.Store(key, encode(b, wasm, options))
	contend(b, 1,
		contender{name: "rewrite", run: func() {
			if _, err := metering.Rewrite(wasm, options); err != nil {
				b.Fatal(err)
			}
		}},
		contender{name: "read", run: func() {
			if _, ok := metering.DecodeResult(cache.Load(key)); !ok {
				b.Fatal("the entry isn't found")
			}
		}})
}
