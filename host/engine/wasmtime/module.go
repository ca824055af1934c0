//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// module implements engine.Module.
type module struct {
	engine  *Engine
	outline *outline.Outline
	code    *C.wasmtime_module_t
	linked  *C.wasmtime_instance_pre_t // nil when link isn't
	life    lifetime                   // of both
	link    *engine.LinkError          // nil when all imports are on offer
}

// newModule takes over the code.
func (e *Engine) newModule(code *C.wasmtime_module_t, o *outline.Outline) (engine.Module, error) {
	if !e.life.enter() {
		C.wasmtime_module_delete(code)
		return nil, adapter.ErrEngineClosed
	}
	m := &module{engine: e, outline: o, code: code, link: e.offered.Link(o.Imports)}
	m.life.free = m.free
	if m.link == nil {
		if failure := C.wasmtime_linker_instantiate_pre(e.linker, code, &m.linked); failure != nil {
			err := takeError(failure)
			m.life.close()
			return nil, &engine.CompileError{Err: err}
		}
	}
	e.mu.Lock()
	closed := e.modules == nil
	if !closed {
		e.modules[m] = struct{}{}
	}
	e.mu.Unlock()
	if closed {
		m.life.close()
		return nil, adapter.ErrEngineClosed
	}
	return m, nil
}

func (m *module) free() {
	if m.linked != nil {
		C.wasmtime_instance_pre_delete(m.linked)
	}
	C.wasmtime_module_delete(m.code)
	m.engine.life.leave()
}

func (m *module) Imports() []engine.Import { return m.outline.Imports }
func (m *module) Exports() []engine.Export { return m.outline.Exports }

func (m *module) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	if m.engine.life.isClosed() {
		return nil, adapter.ErrEngineClosed
	}
	if !m.life.enter() {
		return nil, adapter.ErrModuleClosed
	}
	defer m.life.leave()
	if m.link != nil {
		return nil, m.link
	}
	if err := engine.ContextError(ctx); err != nil {
		return nil, err
	}
	in, err := m.engine.newInstance(m.outline, data)
	if err != nil {
		return nil, err
	}
	if err := in.start(ctx, m.linked); err != nil {
		_ = in.Close(ctx)
		return nil, err
	}
	return in, nil
}

func (m *module) Close(context.Context) error {
	m.engine.mu.Lock()
	delete(m.engine.modules, m)
	m.engine.mu.Unlock()
	m.life.close()
	return nil
}
