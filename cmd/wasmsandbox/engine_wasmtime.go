//go:build wasmtime && cgo

package main

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

func init() {
	engines = append(engines, engineEntry{"wasmtime", "github.com/bytecodealliance/wasmtime-go/v44", startWasmtime})
}

// startWasmtime makes the engine with the cache in host.CacheDir, or without one when
// nobody asked for the folder and it can't be used.
func startWasmtime(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
	dir, named := host.CacheDir()
	e, err := newWasmtime(ctx, dir, imports)
	if err != nil && !named {
		return newWasmtime(ctx, "", imports)
	}
	return e, err
}

func newWasmtime(ctx context.Context, dir string, imports []engine.HostFunc) (engine.Engine, error) {
	return metered.Config{CacheDir: dir}.New(ctx, imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wasmtime.New(ctx, wasmtime.Config{CacheDir: dir, Uninterruptible: true, AnyNaNs: true}, imports)
	})
}
