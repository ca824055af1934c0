//go:build cgo

package wasmtime_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

const memoryLimit = 16

func TestWasmtimeKeepsTheContract(t *testing.T) {
	for name, config := range map[string]wasmtime.Config{
		"interruptible":   {MaxMemoryPages: memoryLimit},
		"uninterruptible": {MaxMemoryPages: memoryLimit, Uninterruptible: true},
		"any NaNs":        {MaxMemoryPages: memoryLimit, Uninterruptible: true, AnyNaNs: true},
		"cached":          {MaxMemoryPages: memoryLimit, CacheDir: t.TempDir()},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, func(t *testing.T, imports ...engine.HostFunc) engine.Engine {
				return newEngine(t, config, imports...)
			}, enginetest.Options{MemoryLimit: memoryLimit, Uninterruptible: config.Uninterruptible})
		})
	}
}

func TestMeteredWasmtimeKeepsTheContract(t *testing.T) {
	enginetest.Run(t, func(t *testing.T, imports ...engine.HostFunc) engine.Engine {
		return newMetered(t, wasmtime.Config{MaxMemoryPages: memoryLimit, Uninterruptible: true, AnyNaNs: true}, imports...)
	}, enginetest.Options{MemoryLimit: memoryLimit})
}

func newEngine(t testing.TB, config wasmtime.Config, imports ...engine.HostFunc) *wasmtime.Engine {
	t.Helper()
	e, err := wasmtime.New(t.Context(), config, imports)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func newMetered(t testing.TB, config wasmtime.Config, imports ...engine.HostFunc) engine.Engine {
	t.Helper()
	e, err := metered.New(t.Context(), imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wasmtime.New(ctx, config, imports)
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
