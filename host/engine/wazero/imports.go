package wazero

import (
	"context"
	"fmt"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// offer registers the functions, a wazero host module for each import module.
func offer(ctx context.Context, r wz.Runtime, imports []engine.HostFunc) (adapter.Offer, error) {
	offered := make(adapter.Offer, len(imports))
	builders := map[string]wz.HostModuleBuilder{}
	var order []string
	for _, f := range imports {
		if err := offered.Add(f, "wazero", passable); err != nil {
			return nil, err
		}
		b, ok := builders[f.Module]
		if !ok {
			b = r.NewHostModuleBuilder(f.Module)
			builders[f.Module] = b
			order = append(order, f.Module)
		}
		b.NewFunctionBuilder().
			WithGoModuleFunction(&hostFunc{f}, toWazero(f.Type.Params), toWazero(f.Type.Results)).
			Export(f.Name)
	}
	for _, module := range order {
		if _, err := builders[module].Instantiate(ctx); err != nil {
			return nil, fmt.Errorf("engine: the imports of %q can't be offered: %w", module, err)
		}
	}
	return offered, nil
}

// passable are the types that wazero passes to host functions.
var passable = []engine.ValueType{
	engine.I32, engine.I64, engine.F32, engine.F64, engine.ExternRef, engine.FuncRef,
}

// A hostFunc is one of our imports as wazero calls it.
type hostFunc struct {
	engine.HostFunc
}

// Call has no result for an error: it leaves the guest by a panic, which wazero
// catches before it returns from the outer call.
func (f *hostFunc) Call(ctx context.Context, mod api.Module, stack []uint64) {
	call, ok := ctx.(*callContext)
	if !ok {
		call = ctx.Value(callKey{}).(*callContext)
	}
	call.caller.attach(mod)
	if failure := f.run(call, stack); failure != nil {
		panic(failure)
	}
}

func (f *hostFunc) run(call *callContext, stack []uint64) (failure *hostFailure) {
	defer func() {
		if r := recover(); r != nil {
			failure = &hostFailure{
				err:    adapter.PanicError(r),
				reason: fmt.Sprintf("the host function %s.%s panicked: %v", f.Module, f.Name, r),
			}
		}
	}()
	if err := f.HostFunc.Call(call.Context, call.caller, stack); err != nil {
		return &hostFailure{err: err}
	}
	return nil
}

func toWazero(types []engine.ValueType) []api.ValueType {
	out := make([]api.ValueType, len(types))
	for i, t := range types {
		out[i] = api.ValueType(t)
	}
	return out
}
