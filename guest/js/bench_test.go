package js

import (
	"context"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

const greeter = `
import { onExec } from "wasmsandbox";
onExec("greet", ({ config }, { command: [, name] }) => ({ stdout: config.string("greeting", "Hello") + ", " + name + "!\n" }));
`

// benchmarkEngines runs a benchmark on the engine that sessions use, and on one
// that looks at contexts between calls only.
func benchmarkEngines(b *testing.B, run func(*testing.B, *host.Module)) {
	dir, _ := host.CacheDir()
	for _, e := range []struct {
		name string
		make func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error)
	}{
		{"default", host.DefaultEngine},
		{"uninterruptible", func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return wazero.New(ctx, wazero.Config{CacheDir: dir, Uninterruptible: true}, imports)
		}},
	} {
		b.Run(e.name, func(b *testing.B) {
			r, err := host.NewRuntime(b.Context(), host.WithEngine(e.make))
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close(context.Background())
			m, err := Load(b.Context(), r, "greeter", "greeter.js", []byte(greeter))
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer() // compiling isn't what is measured
			run(b, m)
		})
	}
}

func greetings(b *testing.B, m *host.Module, calls int) *host.Scripted {
	h, err := m.Responder("greet")
	if err != nil {
		b.Fatal(err)
	}
	s, err := host.NewScripted(slices.Repeat([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(h)}}, calls))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func greet(b *testing.B, s *host.Scripted) {
	if _, err := s.Exec(b.Context(), host.ExecRequest{Command: []string{"greet", "world"}}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCall is a call of a responder that runs already.
func BenchmarkCall(b *testing.B) {
	benchmarkEngines(b, func(b *testing.B, m *host.Module) {
		const calls = 1000
		for n := 0; n < b.N; n += calls {
			b.StopTimer()
			s := greetings(b, m, calls+1)
			greet(b, s)
			b.StartTimer()
			for range min(calls, b.N-n) {
				greet(b, s)
			}
			b.StopTimer()
			_ = s.Close(context.Background())
			b.StartTimer()
		}
	})
}

// BenchmarkStart is a session's first call, which makes the guest.
func BenchmarkStart(b *testing.B) {
	benchmarkEngines(b, func(b *testing.B, m *host.Module) {
		for b.Loop() {
			s := greetings(b, m, 1)
			greet(b, s)
			_ = s.Close(context.Background())
		}
	})
}

// BenchmarkLink puts the interpreter and the glue together.
func BenchmarkLink(b *testing.B) {
	for b.Loop() {
		if _, err := build(nil); err != nil {
			b.Fatal(err)
		}
	}
}
