package host_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

// readProgram reads a module of testdata/guests/programs.
func readProgram(tb testing.TB, name string) []byte {
	tb.Helper()
	wasm, err := os.ReadFile("../testdata/guests/programs/" + name + ".wasm")
	if err != nil {
		tb.Fatal(err)
	}
	return wasm
}

func loadProgram(tb testing.TB, name string, opts ...host.ModuleOption) *host.Program {
	tb.Helper()
	p, err := host.LoadProgram(context.Background(), name, readProgram(tb, name), opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func loadCommand(tb testing.TB, opts ...host.ModuleOption) *host.Command {
	tb.Helper()
	c, err := host.LoadCommand(context.Background(), "answer", readProgram(tb, "answer"), opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// runs gives steps that a program answers.
func runs(p *host.Program, n int) []host.Step {
	steps := make([]host.Step, n)
	for i := range steps {
		steps[i] = host.Step{Method: host.MethodExec, Outcome: host.Respond(p.Responder())}
	}
	return steps
}

// runProgram calls a program that is alone in its session.
func runProgram(t *testing.T, p *host.Program, command ...string) (host.ExecResult, error) {
	t.Helper()
	return newSession(t, runs(p, 1)).Exec(t.Context(), host.ExecRequest{Command: command})
}

// A countingEngine knows how many instances are open, and how much code there is.
type countingEngine struct {
	engine.Engine
	opened, open   atomic.Int64
	compiled, code atomic.Int64
}

// newCountingRuntime makes a runtime of an engine like the default one that counts.
func newCountingRuntime(t *testing.T) (*host.Runtime, *countingEngine) {
	t.Helper()
	counter := &countingEngine{}
	dir, _ := host.CacheDir()
	inner := func(ctx context.Context, imports []engine.HostFunc) (_ engine.Engine, err error) {
		counter.Engine, err = wazero.New(ctx, wazero.Config{CacheDir: dir, Uninterruptible: true}, imports)
		return counter, err
	}
	r, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return metered.New(ctx, imports, inner)
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.DropIdle()
		if n := counter.open.Load(); n != 0 {
			t.Errorf("%d of %d instances are still open", n, counter.opened.Load())
		}
		_ = r.Close(context.Background())
	})
	return r, counter
}

func (e *countingEngine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	m, err := e.Engine.Compile(ctx, wasm)
	if err != nil {
		return nil, err
	}
	e.compiled.Add(1)
	e.code.Add(1)
	return &countingModule{m, e}, nil
}

type countingModule struct {
	engine.Module
	engine *countingEngine
}

func (m *countingModule) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	in, err := m.Module.Instantiate(ctx, data)
	if err != nil {
		return nil, err
	}
	m.engine.opened.Add(1)
	m.engine.open.Add(1)
	return &countingInstance{Instance: in, engine: m.engine}, nil
}

func (m *countingModule) Close(ctx context.Context) error {
	m.engine.code.Add(-1)
	return m.Module.Close(ctx)
}

type countingInstance struct {
	engine.Instance
	engine *countingEngine
	closed atomic.Bool
}

func (in *countingInstance) Close(ctx context.Context) error {
	if in.closed.CompareAndSwap(false, true) {
		in.engine.open.Add(-1)
	}
	return in.Instance.Close(ctx)
}
