//go:build wasmtime && cgo

package verify_test

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

func init() {
	engines["wasmtime"] = func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		dir, _ := host.CacheDir()
		return metered.Config{CacheDir: dir}.New(ctx, imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return wasmtime.New(ctx, wasmtime.Config{CacheDir: dir, Uninterruptible: true, AnyNaNs: true}, imports)
		})
	}
}
