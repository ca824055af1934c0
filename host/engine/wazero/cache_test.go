package wazero_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

func TestCodeIsKept(t *testing.T) {
	enginetest.RunCache(t, enginetest.Cache{
		New: func(ctx context.Context, dir string) (engine.Engine, error) {
			return wazero.New(ctx, wazero.Config{CacheDir: dir}, nil)
		},
		Folder: "wazero-" + enginetest.ModuleVersion(t, "../../../go.mod", "github.com/tetratelabs/wazero"),
	})
}
