//go:build cgo

package wasmtime_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/conformance"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

const kitchens = "../../../testdata/guests/kitchen"

// runtimes are one of each engine, as an embedder makes them.
func runtimes(t testing.TB) (onWazero, onWasmtime *host.Runtime) {
	t.Helper()
	start := func(inner func(context.Context, []engine.HostFunc) (engine.Engine, error)) *host.Runtime {
		r, err := host.NewRuntime(t.Context(), host.WithEngine(
			func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
				return metered.New(ctx, imports, inner)
			}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close(context.Background()) })
		return r
	}
	return start(bareWazero), start(bareWasmtime)
}

// committed are the guests of testdata, by language.
func committed(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(kitchens, "*.wasm"))
	if err != nil || len(files) == 0 {
		t.Fatalf("guests %v, %v", files, err)
	}
	guests := map[string][]byte{}
	for _, file := range files {
		if guests[strings.TrimSuffix(filepath.Base(file), ".wasm")], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return guests
}

func load(t testing.TB, r *host.Runtime, name string, wasm []byte) *host.Module {
	t.Helper()
	m, err := r.Load(t.Context(), name, wasm)
	if err != nil {
		t.Fatalf("%s on %s: %v", name, r.Engine(), err)
	}
	return m
}

func TestGuestsAnswerOnBothEnginesTheSame(t *testing.T) {
	onWazero, onWasmtime := runtimes(t)
	for name, wasm := range committed(t) {
		t.Run(name, func(t *testing.T) {
			report := func(r *host.Runtime) *conformance.Report {
				report, err := conformance.Run(t.Context(), load(t, r, name, wasm), conformance.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return report
			}
			want, got := report(onWazero), report(onWasmtime)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("reports (-wazero +wasmtime):\n%s", diff)
			}
			if !got.OK() || len(got.Rows) == 0 {
				t.Errorf("the report is %+v", got)
			}
		})
	}
}

// failure is how a call of a responder fails.
func failure(t *testing.T, m *host.Module, responder string) *host.GuestError {
	t.Helper()
	r, err := m.Responder(responder)
	if err != nil {
		t.Fatal(err)
	}
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.Background()) }()
	_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	e, ok := errors.AsType[*host.GuestError](err)
	if !ok {
		t.Fatalf("error %v, want a *GuestError", err)
	}
	return e
}

func TestGuestsFailOnBothEnginesTheSame(t *testing.T) {
	onWazero, onWasmtime := runtimes(t)
	for name, wasm := range committed(t) {
		for _, responder := range []string{"panic", "broken"} {
			want := failure(t, load(t, onWazero, name, wasm), responder)
			got := failure(t, load(t, onWasmtime, name, wasm), responder)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(host.GuestError{}, "Err")); diff != "" {
				t.Errorf("%s, %s (-wazero +wasmtime):\n%s", name, responder, diff)
			}
		}
	}
}

// BenchmarkRespond is a session's call of a guest.
func BenchmarkRespond(b *testing.B) {
	onWazero, onWasmtime := runtimes(b)
	for name, wasm := range committed(b) {
		for _, r := range []*host.Runtime{onWazero, onWasmtime} {
			b.Run(name+"/"+r.Engine(), func(b *testing.B) {
				responder, err := load(b, r, name, wasm).Responder("count")
				if err != nil {
					b.Fatal(err)
				}
				steps := make([]host.Step, 1000)
				for i := range steps {
					steps[i] = host.Step{Method: host.MethodExec, Outcome: host.Respond(responder)}
				}
				b.ReportAllocs()
				b.ResetTimer() // the code is made by the first run
				for calls := 0; calls < b.N; {
					s, err := host.NewScripted(steps)
					if err != nil {
						b.Fatal(err)
					}
					for i := 0; i < len(steps) && calls < b.N; i, calls = i+1, calls+1 {
						if _, err := s.Exec(b.Context(), host.ExecRequest{Command: []string{"x"}}); err != nil {
							b.Fatal(err)
						}
					}
					_ = s.Close(b.Context())
				}
			})
		}
	}
}

// Sessions are put back, and copied, on both engines the same.
func TestGuestsArePutBackAndCopiedOnBothEngines(t *testing.T) {
	onWazero, onWasmtime := runtimes(t)
	for name, wasm := range committed(t) {
		t.Run(name, func(t *testing.T) {
			want, got := lives(t, load(t, onWazero, name, wasm)), lives(t, load(t, onWasmtime, name, wasm))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-wazero +wasmtime):\n%s", diff)
			}
		})
	}
}

// lives are what a guest is in the course of some sessions, and of copies of these.
func lives(t *testing.T, m *host.Module) (digests [][32]byte) {
	t.Helper()
	r, err := m.Responder("count")
	if err != nil {
		t.Fatal(err)
	}
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	call := func(s *host.Scripted, want int) {
		t.Helper()
		if got, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil || got.ExitCode != want {
			t.Errorf("it counts %d, %v, want %d", got.ExitCode, err, want)
		}
		digests = append(digests, s.GuestDigests()[m.Name()])
	}
	for range 4 {
		s, err := host.NewScripted([]host.Step{step, step, step})
		if err != nil {
			t.Fatal(err)
		}
		call(s, 1)
		c, err := s.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			fork, err := c.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			call(fork, 2)
			if err := fork.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
		call(s, 2)
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for i := 4; i < len(digests); i++ {
		if digests[i] != digests[i-4] || digests[i] == ([32]byte{}) {
			t.Errorf("the guest isn't the same in session %d", i/4)
		}
	}
	return digests
}
