//go:build cgo

package wasmtime_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

func TestCodeIsKept(t *testing.T) {
	version := enginetest.ModuleVersion(t, "../../../go.mod", "github.com/bytecodealliance/wasmtime-go/v44")
	for folder, config := range map[string]wasmtime.Config{
		"wasmtime-" + version + "-interruptible": {},
		"wasmtime-" + version:                    {Uninterruptible: true},
		"wasmtime-" + version + "-any-nans":      {Uninterruptible: true, AnyNaNs: true},
	} {
		t.Run(folder, func(t *testing.T) {
			enginetest.RunCache(t, enginetest.Cache{
				New: func(ctx context.Context, dir string) (engine.Engine, error) {
					config := config // several engines are made at a time
					config.CacheDir = dir
					return wasmtime.New(ctx, config, nil)
				},
				Folder: folder,
			})
		})
	}
}

// A module from the cache is what it was: it has its names, for one.
func TestCodeFromTheCacheTrapsTheSame(t *testing.T) {
	dir := t.TempDir()
	var traps []map[string]string
	for range 2 {
		e := newEngine(t, wasmtime.Config{CacheDir: dir})
		traps = append(traps, trapsOf(t, e))
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(traps[0], traps[1]); diff != "" {
		t.Errorf("traps (-compiled +cached):\n%s", diff)
	}
}
