//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// offer tells the linker of the functions. Each is known to C by its index.
func (e *Engine) offer(imports []engine.HostFunc) error {
	e.imports = slices.Clone(imports)
	e.offered = make(adapter.Offer, len(imports))
	for i, f := range e.imports {
		if err := e.offered.Add(f, "wasmtime", passable); err != nil {
			return err
		}
		kinds := kindsOf(slices.Concat(f.Type.Params, f.Type.Results))
		t := C.wasmsandbox_functype_new(bytesOf(kinds), C.size_t(len(f.Type.Params)), C.size_t(len(f.Type.Results)))
		failure := C.wasmsandbox_offer(e.linker, charsOf(f.Module), C.size_t(len(f.Module)),
			charsOf(f.Name), C.size_t(len(f.Name)), t, C.uintptr_t(i))
		C.wasm_functype_delete(t)
		if failure != nil {
			return fmt.Errorf("engine: the import %s.%s can't be offered: %w", f.Module, f.Name, takeError(failure))
		}
	}
	return nil
}

// numbers are the types of values that pass between host and guest, with what C
// calls them. References would need an owner, and vectors two entries of a stack.
var numbers = map[engine.ValueType]byte{
	engine.I32: C.WASM_I32, engine.I64: C.WASM_I64, engine.F32: C.WASM_F32, engine.F64: C.WASM_F64,
}

var passable = slices.Collect(maps.Keys(numbers))

// narrow clears the upper halves of values of 32 bits, where the engine leaves what
// was there before.
func narrow(stack []uint64, types []engine.ValueType) {
	for i, t := range types {
		if t == engine.I32 || t == engine.F32 {
			stack[i] = uint64(uint32(stack[i]))
		}
	}
}

func kindsOf(types []engine.ValueType) []byte {
	kinds := make([]byte, len(types))
	for i, t := range types {
		kinds[i] = numbers[t]
	}
	return kinds
}

// wasmsandboxHostCall is how a guest calls an import. The stack lasts as long as
// the call. It answers whether the guest may go on.
//
//export wasmsandboxHostCall
func wasmsandboxHostCall(handle, index C.uintptr_t, stack *C.uint64_t, n C.size_t) C.bool {
	in := instances.get(uintptr(handle))
	in.failure = in.hostCall(&in.engine.imports[index], unsafe.Slice((*uint64)(stack), n))
	return in.failure == nil
}

func (in *instance) hostCall(f *engine.HostFunc, stack []uint64) (failure *hostFailure) {
	defer func() {
		if r := recover(); r != nil {
			failure = &hostFailure{
				err:    adapter.PanicError(r),
				reason: fmt.Sprintf("the host function %s.%s panicked: %v", f.Module, f.Name, r),
			}
		}
	}()
	narrow(stack, f.Type.Params)
	if err := f.Call(in.ctx, in, stack); err != nil {
		return &hostFailure{err: err}
	}
	return nil
}
