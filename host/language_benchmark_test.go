package host_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

// BenchmarkLanguages has the same call answered by the kitchen-sink guest of each
// language; see benchmarkLanguage.
func BenchmarkLanguages(b *testing.B) {
	files, err := filepath.Glob("../testdata/guests/kitchen/*.wasm")
	if err != nil || len(files) == 0 {
		b.Fatalf("no guests: %v", err)
	}
	for _, file := range files {
		wasm, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		language := strings.TrimSuffix(filepath.Base(file), ".wasm")
		b.Run(language, func(b *testing.B) { benchmarkLanguage(b, language, wasm) })
	}
	b.Run("go", func(b *testing.B) {
		wasm, err := buildGo("../guest/kitchen")
		if err != nil {
			b.Fatal(err)
		}
		benchmarkLanguage(b, "go", wasm)
	})
	b.Run("js", func(b *testing.B) {
		const file = "../guest/js/kitchen/kitchen.js"
		source, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		wasm, err := js.Bundle(file, source)
		if err != nil {
			b.Fatal(err)
		}
		benchmarkLanguage(b, "js", wasm)
	})
}

// benchmarkLanguage measures by turns
//
//   - exec: a session's whole call,
//   - limited: the same with a limit of fuel and a context that can be cancelled,
//   - bare: their baseline, the same message sent to the same export by the engine alone,
//   - unmetered: the same with an engine that doesn't count,
//   - start: a session of one call, from its making to its close, after another one.
func benchmarkLanguage(b *testing.B, language string, wasm []byte) {
	module, err := host.Load(context.Background(), language, wasm)
	if err != nil {
		b.Fatal(err)
	}
	responder, err := module.Responder("setting")
	if err != nil {
		b.Fatal(err)
	}
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(responder)}
	request := host.ExecRequest{Command: []string{"pwd"}}
	id := handlerID(b, module.Description(), "setting")
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()

	rounds := 1000
	if language == "js" {
		rounds = 50
	}
	contend(b, "bare",
		contender{"bare", rounds, repeated(newBareGuest(b, host.DefaultEngine, wasm).responding(id, &request), rounds)},
		contender{"unmetered", rounds, repeated(newBareGuest(b, unmetered, wasm).responding(id, &request), rounds)},
		contender{"exec", rounds, execs(context.Background(), b, step, request, rounds)},
		contender{"limited", rounds, execs(cancellable, b, step, request, rounds, host.WithLimits(host.Limits{CallFuel: 1 << 40}))},
		contender{"start", 1, func() time.Duration {
			session := execs(context.Background(), b, step, request, 0)
			session() // leaves an instance, unlike the long ones, whose memory may have grown
			begun := time.Now()
			session()
			return time.Since(begun)
		}})
}

// execs makes a session, whose first call makes the guest, and measures the calls
// after it.
func execs(ctx context.Context, b *testing.B, step host.Step, request host.ExecRequest, calls int, options ...host.Option) func() time.Duration {
	steps := slices.Repeat([]host.Step{step}, calls+1)
	return func() time.Duration {
		s, err := host.NewScripted(steps, options...)
		if err != nil {
			b.Fatal(err)
		}
		call := func() {
			if _, err := s.Exec(ctx, request); err != nil {
				b.Fatal(err)
			}
		}
		call()
		took := repeated(call, calls)()
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		return took
	}
}

// unmetered is the engine alone.
func unmetered(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
	return wazero.New(ctx, wazero.Config{Uninterruptible: true}, imports)
}

// A contender is one of several that are measured by turns, so that what else the
// machine does hits all of them.
type contender struct {
	name   string
	rounds int // of what is measured
	run    func() time.Duration
}

// repeated measures so many rounds of something.
func repeated(round func(), rounds int) func() time.Duration {
	return func() time.Duration {
		begun := time.Now()
		for range rounds {
			round()
		}
		return time.Since(begun)
	}
}

// contend reports the median of each, and how many times the base's it is.
func contend(b *testing.B, base string, contenders ...contender) {
	took := map[string][]float64{}
	for b.Loop() {
		for _, c := range contenders {
			took[c.name] = append(took[c.name], float64(c.run().Nanoseconds())/float64(c.rounds))
		}
	}
	b.ReportMetric(0, "ns/op")
	for _, c := range contenders {
		b.ReportMetric(median(took[c.name]), c.name+"-ns")
		if c.name != base && c.rounds > 1 {
			b.ReportMetric(median(took[c.name])/median(took[base]), c.name+"-x")
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
