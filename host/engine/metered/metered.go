package metered

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// An Engine rewrites modules before another engine compiles them. It is safe for
// concurrent use.
type Engine struct {
	inner  engine.Engine
	config Config
	cache  *adapter.Cache // nil: none
	closed atomic.Bool
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine with the settings of the zero Config. See [Config.New].
func New(ctx context.Context, imports []engine.HostFunc,
	newEngine func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error),
) (*Engine, error) {
	return Config{}.New(ctx, imports, newEngine)
}

// Name is that of the engine inside.
func (e *Engine) Name() string { return e.inner.Name() }

// Compile implements [engine.Engine]. The limits are those of the engine's Config,
// and the module is a [*Module].
func (e *Engine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	m, err := e.CompileWithin(ctx, wasm, e.config.Limits)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// CompileWithin is Compile with limits of the module's own.
func (e *Engine) CompileWithin(ctx context.Context, wasm []byte, limits Limits) (*Module, error) {
	return e.CompileSource(ctx, SourceOf(wasm), limits)
}

// CompileSource is CompileWithin for who has the module's digest already. The engine
// doesn't keep the source.
func (e *Engine) CompileSource(ctx context.Context, source Source, limits Limits) (*Module, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("engine: the context ended the compilation: %w", err)
	}
	if e.closed.Load() {
		return nil, engine.ErrClosed
	}
	if err := limits.check(); err != nil {
		return nil, err
	}
	options := limits.options()
	rewritten, inner, err := e.compile(ctx, source, options)
	if err != nil {
		return nil, err
	}
	limits.Depth = options.MaxDepth
	return newModule(e, inner, rewritten, limits, source.digest), nil
}

// Limits are what modules are compiled with unless they have their own.
func (e *Engine) Limits() Limits { return e.config.Limits }

// sizeError is an error of the rewriting as engines have it.
func sizeError(err error) error {
	size, ok := errors.AsType[*metering.SizeError](err)
	if !ok {
		return err
	}
	part := engine.ExternTable
	if size.Memory {
		part = engine.ExternMemory
	}
	return &engine.SizeError{Part: part, Wanted: uint64(size.Wanted), Most: uint64(size.Most), Err: err}
}

// Bounds are those of the engine's Config, and of the engine inside.
func (e *Engine) Bounds() engine.Bounds { return e.config.within(e.inner.Bounds()) }

// Close implements [engine.Engine].
func (e *Engine) Close(ctx context.Context) error {
	e.closed.Store(true)
	return e.inner.Close(ctx)
}
