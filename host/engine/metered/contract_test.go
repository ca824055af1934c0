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
	enginetest.Run(t, func(t *testing.T, imports ...engine.HostFunc) engine.Engine {
		return newEngine(t, imports...)
	}, enginetest.Options{MemoryLimit: memoryLimit})
}

func newEngine(t testing.TB, imports ...engine.HostFunc) *metered.Engine {
	t.Helper()
	e, err := metered.New(t.Context(), imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wazero.New(ctx, wazero.Config{MaxMemoryPages: memoryLimit, Uninterruptible: true}, imports)
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
