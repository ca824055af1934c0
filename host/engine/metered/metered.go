// Package metered makes an engine whose guests end with their context, out of one
// whose guests don't. Package metering rewrites each module so that it counts what
// it does; a guest whose fuel is used up asks for more through an import, and that
// is where its context is looked at. So a call needs no goroutine, and code runs
// nearly as fast as without.
package metered

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// Slice is how much fuel a guest gets at a time: what it does in a millisecond or
// so, and a thousand times what asking for more costs. Fuel isn't limited here, so
// what one call leaves of its slice is the next one's.
const Slice = 1_000_000

// An Engine rewrites modules before another engine compiles them. It is safe for
// concurrent use.
type Engine struct {
	inner  engine.Engine
	closed atomic.Bool
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine around the one that newEngine makes, which should look at
// contexts between calls only. It is given the imports and one more. The caller
// closes the engine, and thereby the one inside.
func New(ctx context.Context, imports []engine.HostFunc,
	newEngine func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error),
) (*Engine, error) {
	e := new(Engine)
	inner, err := newEngine(ctx, append(imports[:len(imports):len(imports)], e.refill()))
	if err != nil {
		return nil, err
	}
	e.inner = inner
	return e, nil
}

// refill is the import that gives a guest another slice, or ends its call.
func (e *Engine) refill() engine.HostFunc {
	return engine.HostFunc{
		Module: metering.ImportModule,
		Name:   metering.ImportRefill,
		Type:   engine.Func([]engine.ValueType{engine.I64}, engine.I64),
		Call: func(ctx context.Context, _ engine.Instance, stack []uint64) error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("engine: the context ended the call: %w", err)
			}
			if e.closed.Load() {
				return engine.ErrClosed
			}
			stack[0] = Slice
			return nil
		},
	}
}

// Name is that of the engine inside.
func (e *Engine) Name() string { return e.inner.Name() }

// Compile implements [engine.Engine].
func (e *Engine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("engine: the context ended the compilation: %w", err)
	}
	if e.closed.Load() {
		return nil, engine.ErrClosed
	}
	rewritten, err := metering.Rewrite(wasm, metering.Options{})
	if err != nil {
		return nil, &engine.CompileError{Err: err}
	}
	inner, err := e.inner.Compile(ctx, rewritten.Wasm)
	if err != nil {
		return nil, err
	}
	return newModule(inner), nil
}

// Close implements [engine.Engine].
func (e *Engine) Close(ctx context.Context) error {
	e.closed.Store(true)
	return e.inner.Close(ctx)
}
