package metered_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

const memoryLimit = 16

func TestAMeteredEngineKeepsTheContract(t *testing.T) {
	for name, config := range map[string]metered.Config{
		"plain":  {},
		"cached": {CacheDir: t.TempDir()}, // most modules are compiled more than once
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func(t *testing.T, imports ...engine.HostFunc) engine.Engine {
				return newEngineOf(t, config, imports...)
			}, enginetest.Options{MemoryLimit: memoryLimit})
		})
	}
}

func newEngine(t testing.TB, imports ...engine.HostFunc) *metered.Engine {
	t.Helper()
	return newEngineOf(t, metered.Config{}, imports...)
}

func newEngineOf(t testing.TB, config metered.Config, imports ...engine.HostFunc) *metered.Engine {
	t.Helper()
	e, err := config.New(t.Context(), imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wazero.New(ctx, wazero.Config{MaxMemoryPages: memoryLimit, Uninterruptible: true}, imports)
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
