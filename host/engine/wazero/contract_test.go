package wazero_test

import (
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
