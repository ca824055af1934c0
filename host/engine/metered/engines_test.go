package metered_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

//go:generate testdata/generate.sh

// roomy is the memory limit of the engines, in pages.
const roomy = 640

type maker = func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error)

// engines are those that are metered, by name. With cgo there are more.
var engines = map[string]maker{
	"wazero": func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wazero.New(ctx, wazero.Config{MaxMemoryPages: roomy, Uninterruptible: true}, imports)
	},
}

// canonical are those whose NaNs are what metering makes of them, without metering.
var canonical = map[string]maker{}

// onEach runs a test on each engine.
func onEach(t *testing.T, run func(t *testing.T, inner maker)) {
	for name, inner := range engines {
		t.Run(name, func(t *testing.T) { run(t, inner) })
	}
}

// note is the import of the tests' guests. It answers with what it is given.
func note(look func(in engine.Instance)) engine.HostFunc {
	return engine.HostFunc{
		Module: "env", Name: "note", Type: engine.Func([]engine.ValueType{engine.I32}, engine.I32),
		Call: func(_ context.Context, caller engine.Instance, _ []uint64) error {
			look(caller)
			return nil
		},
	}
}

func silent(engine.Instance) {}

func newMetered(t testing.TB, inner maker, config metered.Config, imports ...engine.HostFunc) *metered.Engine {
	t.Helper()
	if imports == nil {
		imports = []engine.HostFunc{note(silent)}
	}
	e, err := config.New(t.Context(), imports, inner)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

func guest(t testing.TB, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// A tester is an instance with its meter.
type tester struct {
	engine.Instance
	*metered.Meter
}

func instantiate(t testing.TB, m engine.Module) tester {
	t.Helper()
	in, err := m.Instantiate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return testerOf(t, in)
}

func testerOf(t testing.TB, in engine.Instance) tester {
	t.Helper()
	meter, ok := metered.Of(in)
	if !ok {
		t.Fatal("it has no meter")
	}
	return tester{in, meter}
}

// start makes an instance of a guest of testdata.
func start(t testing.TB, inner maker, config metered.Config, name string, imports ...engine.HostFunc) tester {
	t.Helper()
	m, err := newMetered(t, inner, config, imports...).Compile(t.Context(), guest(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return instantiate(t, m)
}

// try makes a call of a function with at most one parameter and one result.
func (in tester) try(t testing.TB, name string, params ...uint64) (uint64, error) {
	t.Helper()
	f, ok := in.Function(name)
	if !ok {
		t.Fatalf("the function %s isn't found", name)
	}
	stack := append(params, 0)
	err := f.Call(t.Context(), stack)
	return stack[0], err
}

// call makes a call that has to succeed.
func (in tester) call(t testing.TB, name string, params ...uint64) uint64 {
	t.Helper()
	result, err := in.try(t, name, params...)
	if err != nil {
		t.Fatalf("%s%v: %v", name, params, err)
	}
	return result
}

// count is what the guest's exported global says.
func (in tester) count(t testing.TB) uint64 {
	t.Helper()
	g, ok := in.Global("count")
	if !ok {
		t.Fatal("the global isn't found")
	}
	return g.Get()
}
