package wazero

import (
	"context"
	"runtime"
	"testing"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
)

// A watchedRuntime notes with how many workers it was asked to compile, and how often it was
// closed.
type watchedRuntime struct {
	wz.Runtime
	workers, closed int
}

func (r *watchedRuntime) Close(ctx context.Context) error {
	r.closed++
	return r.Runtime.Close(ctx)
}

func (r *watchedRuntime) CompileModule(ctx context.Context, wasm []byte) (wz.CompiledModule, error) {
	r.workers = experimental.GetCompilationWorkers(ctx)
	return r.Runtime.CompileModule(ctx, wasm)
}

func TestEachProcessorCompilesFunctionsOfAModule(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	e, err := New(t.Context(), Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	watched := &watchedRuntime{Runtime: e.runtime}
	e.runtime = watched
	module, err := e.Compile(t.Context(), []byte(header))
	if err != nil {
		t.Fatal(err)
	}
	defer module.Close(context.Background())
	if watched.workers != 3 {
		t.Errorf("%d workers compile", watched.workers)
	}
}
