package host_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// A panickyEngine breaks the contract of engines: a call of the export respond
// panics instead of returning an error.
type (
	panickyEngine   struct{ engine.Engine }
	panickyModule   struct{ engine.Module }
	panickyInstance struct{ engine.Instance }
	panickyFunction struct{ engine.Function }
)

func (e panickyEngine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	m, err := e.Engine.Compile(ctx, wasm)
	return panickyModule{m}, err
}

func (m panickyModule) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	in, err := m.Module.Instantiate(ctx, data)
	return panickyInstance{in}, err
}

func (in panickyInstance) Function(name string) (engine.Function, bool) {
	f, ok := in.Instance.Function(name)
	if name == abi.ExportRespond {
		f = panickyFunction{f}
	}
	return f, ok
}

func (panickyFunction) Call(context.Context, []uint64) error { panic("engine") }

// An engine that panics holds up neither later calls nor Close, and its guest
// isn't used any more.
func TestAnEnginesPanicEndsTheGuestOnly(t *testing.T) {
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return panickyEngine{enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": fakeGuest(nil)}, imports...)}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	module, err := runtime.Load(t.Context(), "fake", []byte("fake.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := module.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s := newSession(t, append([]host.Step{step, step}, answering(host.MethodExec)...))

	_, err = s.Exec(t.Context(), host.ExecRequest{})
	if p := errorAs[*host.PanicError](t, err); p.In != "responder" || p.Value != "engine" {
		t.Errorf("panic %+v", p)
	}
	_, err = s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestDead)
	execute(t, s)
}
