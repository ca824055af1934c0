package wazero_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

func TestWazeroKeepsTheContract(t *testing.T) {
	const limit = 16
	for name, config := range map[string]wazero.Config{
		"interruptible":   {MaxMemoryPages: limit},
		"uninterruptible": {MaxMemoryPages: limit, Uninterruptible: true},
		"cached":          {MaxMemoryPages: limit, CacheDir: t.TempDir()},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func(t *testing.T, imports ...engine.HostFunc) engine.Engine {
				return newEngine(t, config, imports...)
			}, enginetest.Options{MemoryLimit: limit, Uninterruptible: config.Uninterruptible})
		})
	}
}

func newEngine(t testing.TB, config wazero.Config, imports ...engine.HostFunc) *wazero.Engine {
	t.Helper()
	e, err := wazero.New(t.Context(), config, imports)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// newInstance makes an instance of a guest, whose engine is closed when the test ends.
func newInstance(t testing.TB, config wazero.Config, name string, imports ...engine.HostFunc) engine.Instance {
	t.Helper()
	e := newEngine(t, config, imports...)
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return instantiate(t, e, name)
}

func instantiate(t testing.TB, e *wazero.Engine, name string) engine.Instance {
	t.Helper()
	m, err := e.Compile(t.Context(), guest(t, name))
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Instantiate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return in
}
