//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// instance implements engine.Instance.
type instance struct {
	engine    *Engine
	outline   *outline.Outline
	data      any
	held      held
	c         *C.wasmsandbox_instance // nil once it is freed
	memory    memory
	functions map[string]*function
	globals   map[string]*global

	ctx     context.Context // of the call in progress
	failure *hostFailure    // that has ended it

	state       atomic.Uint32
	mu          sync.Mutex // of what closes the instance
	interrupted atomic.Bool
	cleanup     runtime.Cleanup // of a retired one
}

// What an instance may be. A call moves it from idle to running and back.
const (
	idle    uint32 = iota
	running        // a call is in progress
	closing        // a call is in progress, after which it is freed
	retired        // the engine is closed, the memory is still there
	freed
)

// held is what an instance has in C.
type held struct {
	engine  *Engine
	pointer C.uintptr_t
	stack   C.uintptr_t
	handle  uintptr
}

func (h held) free() {
	C.wasmsandbox_instance_delete(h.pointer)
	h.engine.stacks.put(h.stack)
	h.engine.life.leave()
}

func (e *Engine) newInstance(o *outline.Outline, data any) (*instance, error) {
	if !e.life.enter() {
		return nil, adapter.ErrEngineClosed
	}
	stack, ok := e.stacks.take()
	if !ok {
		e.life.leave()
		return nil, trap(errNoMemory)
	}
	in := &instance{engine: e, outline: o, data: data}
	in.memory.instance = in
	in.held = held{engine: e, stack: stack, handle: instances.add(in)}
	in.c = C.wasmsandbox_instance_new(e.c, C.uintptr_t(in.held.handle), &e.limits, stack, C.bool(e.interruptible))
	if in.c == nil {
		instances.remove(in.held.handle)
		e.stacks.put(stack)
		e.life.leave()
		return nil, trap(errNoMemory)
	}
	in.held.pointer = C.uintptr_t(uintptr(unsafe.Pointer(in.c)))
	e.mu.Lock()
	closed := e.instances == nil
	if !closed {
		e.instances[in] = struct{}{}
	}
	e.mu.Unlock()
	if closed {
		_ = in.Close(context.Background())
		return nil, adapter.ErrEngineClosed
	}
	return in, nil
}

// start makes the instance in its store.
func (in *instance) start(ctx context.Context, linked *C.wasmtime_instance_pre_t) error {
	stop, err := in.begin(ctx)
	if err != nil {
		return err
	}
	C.wasmsandbox_instance_start(in.held.pointer, linked)
	return in.end(ctx, stop)
}

// begin starts a call. Who gets no error has to end it.
func (in *instance) begin(ctx context.Context) (stop func(), err error) {
	if !in.state.CompareAndSwap(idle, running) {
		if s := in.state.Load(); s == running {
			return nil, trap(errBusy)
		}
		return nil, engine.ErrClosed
	}
	if err := engine.ContextError(ctx); err != nil {
		in.leave()
		return nil, err
	}
	in.ctx = ctx
	if in.engine.interruptible && ctx.Done() != nil {
		stop = in.watch(ctx)
	}
	return stop, nil
}

// watch interrupts the call when its context ends, until it is stopped.
func (in *instance) watch(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		in.interrupt()
		close(done)
	})
	return func() {
		if !unwatch() {
			<-done
		}
	}
}

// interrupt makes the call in progress end soon. Whoever calls it makes sure that
// there is one.
func (in *instance) interrupt() {
	in.interrupted.Store(true)
	C.wasmsandbox_instance_interrupt(in.held.pointer, true)
	C.wasmtime_engine_increment_epoch(in.engine.c)
}

// end gives the error of the call.
func (in *instance) end(ctx context.Context, stop func()) (err error) {
	if stop != nil {
		stop()
	}
	if in.c.has_failed {
		err = in.callError(ctx)
	}
	in.ctx, in.failure = nil, nil
	in.leave()
	return err
}

func (in *instance) leave() {
	if in.interrupted.Load() && in.state.Load() == running { // by a context
		in.interrupted.Store(false)
		C.wasmsandbox_instance_interrupt(in.held.pointer, false)
	}
	if in.state.CompareAndSwap(running, idle) {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.free()
}

// free is called by whoever has the instance for itself.
func (in *instance) free() {
	in.state.Store(freed)
	in.c = nil
	in.held.free()
	instances.remove(in.held.handle)
}

// Close implements [engine.Instance].
func (in *instance) Close(context.Context) error {
	in.engine.mu.Lock()
	delete(in.engine.instances, in)
	in.engine.mu.Unlock()
	in.mu.Lock()
	defer in.mu.Unlock()
	for {
		switch {
		case in.state.CompareAndSwap(idle, freed):
			in.free()
			return nil
		case in.state.CompareAndSwap(retired, freed):
			in.cleanup.Stop()
			in.c = nil
			in.held.free()
			return nil
		case in.endCall():
			return nil
		}
	}
}

// endCall makes the call in progress the last one. It reports false if there is none:
// if another one has ended it, or it has ended by itself just now.
func (in *instance) endCall() bool {
	switch in.state.Load() {
	case closing, freed:
		return true
	}
	if !in.state.CompareAndSwap(running, closing) {
		return false
	}
	if in.engine.interruptible {
		in.interrupt() // the lock keeps the call from freeing the instance before
	}
	return true
}

// retire closes the instance with its engine, whoever uses it. Its memory is kept:
// who has just made a call may be about to look at it.
func (in *instance) retire() {
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.state.CompareAndSwap(idle, retired) {
		if in.endCall() {
			return
		}
	}
	instances.remove(in.held.handle)
	in.cleanup = runtime.AddCleanup(in, held.free, in.held)
}

func (in *instance) Data() any { return in.data }

func (in *instance) Memory() engine.Memory {
	if !in.outline.Memory {
		return nil
	}
	return &in.memory
}

func (in *instance) Function(name string) (engine.Function, bool) {
	if f, ok := in.functions[name]; ok {
		return f, true
	}
	t, ok := in.outline.Function(name)
	if !ok {
		return nil, false
	}
	f := &function{instance: in, name: name, typ: t}
	f.foreign, f.isForeign = adapter.Unpassable(t, passable)
	if in.functions == nil {
		in.functions = map[string]*function{}
	}
	in.functions[name] = f
	return f, true
}

// function implements engine.Function.
type function struct {
	instance  *instance
	name      string
	typ       engine.FuncType
	foreign   engine.ValueType // of a value that can't pass
	isForeign bool

	c     C.uintptr_t // 0 until it is first called
	store C.uint64_t
}

func (f *function) Call(ctx context.Context, stack []uint64) error {
	in := f.instance
	stop, err := in.begin(ctx)
	if err != nil {
		return err
	}
	if err := f.prepare(stack); err != nil {
		_ = in.end(ctx, stop)
		return trap(err)
	}
	C.wasmsandbox_instance_call(in.held.pointer, f.store, f.c,
		(*C.uint64_t)(unsafe.SliceData(stack)), C.size_t(len(f.typ.Params)), C.size_t(len(f.typ.Results)))
	if err := in.end(ctx, stop); err != nil {
		return err
	}
	narrow(stack, f.typ.Results)
	return nil
}

// prepare makes sure that the function can be called.
func (f *function) prepare(stack []uint64) error {
	if f.isForeign {
		return fmt.Errorf("the function %s has a value of type %s, which can't pass", f.name, f.foreign)
	}
	if slots := max(len(f.typ.Params), len(f.typ.Results)); len(stack) < slots {
		return fmt.Errorf("a stack of %d entries, the function needs %d", len(stack), slots)
	}
	if f.c == 0 && !C.wasmsandbox_instance_function(f.instance.held.pointer,
		charsOf(f.name), C.size_t(len(f.name)), &f.store, &f.c) {
		return fmt.Errorf("the function %s isn't there", f.name)
	}
	return nil
}

// memory implements engine.Memory.
type memory struct{ instance *instance }

func (m *memory) Size() uint64 {
	if c := m.instance.c; c != nil {
		return uint64(c.size)
	}
	return 0
}

func (m *memory) View(offset, n uint32) ([]byte, bool) {
	c := m.instance.c
	if c == nil || uint64(offset)+uint64(n) > uint64(c.size) {
		return nil, false
	}
	end := uint64(offset) + uint64(n)
	return unsafe.Slice((*byte)(c.memory), uint64(c.size))[offset:end:end], true
}

func (m *memory) Grow(pages uint32) bool {
	if m.instance.c == nil {
		return false
	}
	return bool(C.wasmsandbox_instance_grow(m.instance.held.pointer, C.uint32_t(pages)))
}
