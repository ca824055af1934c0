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
