package wazero

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// instance implements engine.Instance.
type instance struct {
	engine    *Engine
	data      any
	module    api.Module // nil until the start function calls an import
	memory    *memory    // nil when none is exported as "memory"
	functions map[string]*function
	call      callContext // of the call in progress
	users     users
}

// end ends a call, and what waited for that.
func (in *instance) end() {
	waiting := in.users.end()
	if waiting&owner != 0 {
		_ = in.release() // nobody is left to tell
	}
	if waiting&engineEnd != 0 {
		_ = in.engine.leave(context.Background())
	}
}

// release closes the instance, which nobody uses any more.
func (in *instance) release() (err error) {
	defer recovered(&err)
	in.engine.forget(in)
	if in.module == nil {
		return nil
	}
	return in.module.Close(context.Background())
}

// A callContext is the context of a call that also leads the host functions to
// the instance. There is one an instance, so that a call allocates nothing.
type callContext struct {
	context.Context // nil between calls
	caller          *instance
}

type callKey struct{}

func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// enter gives the context for a call into wazero. In an interruptible engine
// wazero watches the context on a goroutine that may see the end of one call
// after the start of the next, so each call needs a context of its own there.
// When the call is over, the caller resumes what ran before.
func (in *instance) enter(ctx context.Context) *callContext {
	if in.engine.interruptible {
		return &callContext{Context: ctx, caller: in}
	}
	in.call.Context = ctx
	return &in.call
}

// resume makes it known that a call is over, and that of the context, if it isn't nil, goes on.
func (in *instance) resume(ctx context.Context) { in.call.Context = ctx }

// attach completes the instance: after it was made, or from within its start
// function, where a host function is the first to see the module. When that
// host function is itself the start function, wazero shows it the host module,
// which has a name; guests have none.
func (in *instance) attach(mod api.Module) {
	if in.module != nil || mod.Name() != "" {
		return
	}
	in.module = mod
	if m := mod.ExportedMemory("memory"); m != nil {
		in.memory = &memory{in, m}
	}
}

func (in *instance) Data() any { return in.data }

func (in *instance) Memory() engine.Memory {
	if in.memory == nil {
		return nil
	}
	return in.memory
}

func (in *instance) Function(name string) (engine.Function, bool) {
	if f, ok := in.functions[name]; ok {
		return f, true
	}
	if in.module == nil {
		return nil, false
	}
	exported := in.module.ExportedFunction(name)
	if exported == nil {
		return nil, false
	}
	d := exported.Definition()
	f := &function{
		instance: in,
		exported: exported,
		slots:    max(len(d.ParamTypes()), len(d.ResultTypes())),
	}
	if in.functions == nil {
		in.functions = map[string]*function{}
	}
	in.functions[name] = f
	return f, true
}

// Close implements [engine.Instance]. A call in progress ends soon if it can be
// interrupted, and the instance is released when it has ended.
func (in *instance) Close(ctx context.Context) (err error) {
	defer recovered(&err)
	first, over := in.users.wait(owner)
	switch {
	case first && over:
		return in.release()
	case in.engine.interruptible && in.module != nil:
		return in.module.Close(ctx)
	default:
		return nil
	}
}

// function implements engine.Function.
type function struct {
	instance *instance
	exported api.Function
	slots    int // stack entries needed
}

func (f *function) Call(ctx context.Context, stack []uint64) (err error) {
	if !f.instance.users.begin() {
		return engine.ErrClosed
	}
	defer f.instance.end()
	defer f.instance.resume(f.instance.call.Context)
	defer func() {
		if r := recover(); r != nil {
			err = &engine.TrapError{Reason: adapter.FirstLine(fmt.Sprintf("wazero panicked: %v", r)), Err: adapter.PanicError(r)}
		}
	}()
	if f.instance.module.IsClosed() {
		return engine.ErrClosed
	}
	if err := engine.ContextError(ctx); err != nil {
		return err
	}
	if len(stack) < f.slots {
		err := fmt.Errorf("a stack of %d entries, the function needs %d", len(stack), f.slots)
		return &engine.TrapError{Reason: err.Error(), Err: err}
	}
	if err := f.exported.CallWithStack(f.instance.enter(ctx), stack); err != nil {
		return callError(ctx, err)
	}
	return nil
}

// memory implements engine.Memory.
type memory struct {
	instance *instance
	wazero   api.Memory
}

func (m *memory) Size() uint64 { return uint64(m.wazero.Size()) }

func (m *memory) View(offset, n uint32) ([]byte, bool) { return m.wazero.Read(offset, n) }

// Grow is for the host: no context ends it. Nor does it grow once the instance is closed.
func (m *memory) Grow(pages uint32) bool {
	if !m.instance.users.begin() {
		return false
	}
	defer m.instance.end()
	defer m.instance.resume(m.instance.call.Context)
	m.instance.call.Context = nil
	_, ok := m.wazero.Grow(pages)
	return ok
}
