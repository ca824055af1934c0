package wazero

import (
	"context"
	"sync/atomic"

	wz "github.com/tetratelabs/wazero"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// module implements engine.Module.
type module struct {
	engine   *Engine
	compiled wz.CompiledModule
	imports  []engine.Import
	exports  []engine.Export
	link     *engine.LinkError // nil when all imports are on offer
	closed   atomic.Bool
}

func newModule(e *Engine, compiled wz.CompiledModule, o *outline.Outline) *module {
	m := &module{engine: e, compiled: compiled, imports: o.Imports, exports: o.Exports}
	m.link = e.offered.Link(m.imports)
	return m
}

func (m *module) Imports() []engine.Import { return m.imports }
func (m *module) Exports() []engine.Export { return m.exports }

func (m *module) Instantiate(ctx context.Context, data any) (_ engine.Instance, err error) {
	defer recovered(&err)
	if m.engine.closed.Load() {
		return nil, adapter.ErrEngineClosed
	}
	if m.closed.Load() {
		return nil, adapter.ErrModuleClosed
	}
	if m.link != nil {
		return nil, m.link
	}
	if err := engine.ContextError(ctx); err != nil {
		return nil, err
	}
	in := &instance{engine: m.engine, data: data}
	in.call.caller = in
	in.users.begin()
	defer in.end()
	made := false
	defer func() {
		if !made { // also if wazero has panicked; what failed matters more
			_ = in.Close(ctx)
		}
	}()
	if !m.engine.keep(in) {
		return nil, adapter.ErrEngineClosed
	}
	anonymous := wz.NewModuleConfig().WithName("").WithStartFunctions()
	defer in.resume(in.call.Context)
	mod, err := m.engine.runtime.InstantiateModule(in.within(ctx), m.compiled, anonymous)
	if err != nil {
		return nil, callError(ctx, err)
	}
	in.attach(mod)
	made = true
	return in, nil
}

func (m *module) Close(ctx context.Context) (err error) {
	defer recovered(&err)
	// wazero counts the modules with the same code, and would count a second
	// Close of this one as that of another.
	if m.closed.Swap(true) {
		return nil
	}
	return m.compiled.Close(ctx)
}
