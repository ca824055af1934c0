//go:build cgo

package metered_test

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

func init() {
	engines["wasmtime"] = func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wasmtime.New(ctx, wasmtime.Config{MaxMemoryPages: roomy, Uninterruptible: true, AnyNaNs: true}, imports)
	}
	canonical["wasmtime"] = func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wasmtime.New(ctx, wasmtime.Config{MaxMemoryPages: roomy, Uninterruptible: true}, imports)
	}
}
