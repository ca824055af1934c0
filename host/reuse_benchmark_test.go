package host_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// kitchenWasm is the kitchen-sink guest of a language: one that is committed, or the
// one in Go, which is built.
func kitchenWasm(tb testing.TB, language string) []byte {
	tb.Helper()
	var wasm []byte
	var err error
	if language == "go" {
		wasm, err = buildGo("../guest/kitchen")
	} else {
		wasm, err = os.ReadFile(filepath.Join("../testdata/guests/kitchen", language+".wasm"))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return wasm
}

// BenchmarkFreshSession makes a session, has its guest answer the first call, and
// closes it. "instantiating" is the same where no instance is left from another
// session; "times-faster" compares the two, call by call.
func BenchmarkFreshSession(b *testing.B) {
	for _, language := range []string{"go", "c", "rust", "zig", "assemblyscript"} {
		b.Run(language, func(b *testing.B) {
			wasm := kitchenWasm(b, language)
			warm, closeWarm := freshSession(b, wasm)
			cold, closeCold := freshSession(b, wasm)
			defer closeWarm()
			defer closeCold()
			for range 3 {
				warm(nil)
			}
			var fresh, instantiating time.Duration
			b.ReportAllocs()
			for b.Loop() {
				fresh += warm(nil)
				instantiating += cold((*host.Runtime).DropIdle)
			}
			b.ReportMetric(0, "ns/op") // it is that of both
			b.ReportMetric(float64(fresh)/float64(b.N), "ns/session")
			b.ReportMetric(float64(instantiating)/float64(b.N), "ns/instantiating")
			b.ReportMetric(float64(instantiating)/float64(fresh), "times-faster")
		})
	}
}

// freshSession gives a function that makes a session of one call of a guest in a
// runtime of its own, and says how long that took until it was answered.
func freshSession(b *testing.B, wasm []byte) (run func(before func(*host.Runtime)) time.Duration, end func()) {
	b.Helper()
	runtime, err := host.NewRuntime(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	module, err := runtime.Load(b.Context(), "kitchen", wasm)
	if err != nil {
		b.Fatal(err)
	}
	responder, err := module.Responder("setting")
	if err != nil {
		b.Fatal(err)
	}
	steps, call := []host.Step{{Method: host.MethodExec, Outcome: host.Respond(responder)}}, pwd(b)
	run = func(before func(*host.Runtime)) time.Duration {
		if before != nil {
			before(runtime)
		}
		begun := time.Now()
		s, err := host.NewScripted(steps)
		if err != nil {
			b.Fatal(err)
		}
		call(s)
		took := time.Since(begun)
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		return took
	}
	return run, func() { _ = runtime.Close(context.Background()) }
}
