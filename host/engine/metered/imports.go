package metered

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// offered are the functions that the engine inside offers: the given ones, which get
// an instance of ours as their caller and have a price, and those that rewritten modules
// import.
func (e *Engine) offered(imports []engine.HostFunc) []engine.HostFunc {
	offered := make([]engine.HostFunc, 0, len(imports)+4)
	for _, f := range imports {
		if call := f.Call; call != nil {
			f.Call = func(ctx context.Context, caller engine.Instance, stack []uint64) error {
				in := callerOf(caller)
				if err := in.pay(ctx); err != nil {
					return err
				}
				return call(ctx, in, stack)
			}
		}
		offered = append(offered, f)
	}
	return append(offered, e.refill(), refused(), refusedTable(), tooDeep())
}

// callerOf is our instance around one of the engine inside, which may be calling from
// its start function, before Instantiate has returned it.
func callerOf(inner engine.Instance) *instance {
	in := inner.Data().(*instance)
	if in.inner == nil {
		in.inner = inner
	}
	return in
}

// refill is the import that gives a guest another slice, or ends its call.
func (e *Engine) refill() engine.HostFunc {
	return engine.HostFunc{
		Module: metering.ImportModule,
		Name:   metering.ImportRefill,
		Type:   engine.Func([]engine.ValueType{engine.I64}, engine.I64),
		Call: func(ctx context.Context, caller engine.Instance, stack []uint64) error {
			if err := e.look(ctx); err != nil {
				return err
			}
			in := callerOf(caller)
			fuel, err := in.refill(int64(stack[0]))
			if err != nil && in.fuel != nil {
				in.fuel.Set(uint64(fuel)) // the guest won't
			}
			stack[0] = uint64(fuel)
			return err
		},
	}
}

// look ends a call whose context has ended, or whose engine is closed.
func (e *Engine) look(ctx context.Context) error {
	if err := engine.ContextError(ctx); err != nil {
		return err
	}
	if e.closed.Load() {
		return engine.ErrClosed
	}
	return nil
}

// refused is the import by which a guest tells that it didn't get memory. It costs what other
// imports do, as a guest that asks again and again takes as long.
func refused() engine.HostFunc {
	return engine.HostFunc{
		Module: metering.ImportModule,
		Name:   metering.ImportRefused,
		Type:   engine.Func([]engine.ValueType{engine.I32}),
		Call: func(ctx context.Context, caller engine.Instance, stack []uint64) error {
			in := callerOf(caller)
			in.refused++
			in.wanted = uint32(stack[0])
			return in.pay(ctx)
		},
	}
}

// refusedTable is the import by which a guest tells that it didn't get entries of a table.
func refusedTable() engine.HostFunc {
	return engine.HostFunc{
		Module: metering.ImportModule,
		Name:   metering.ImportRefusedTable,
		Type:   engine.Func([]engine.ValueType{engine.I32, engine.I32}),
		Call: func(ctx context.Context, caller engine.Instance, stack []uint64) error {
			in := callerOf(caller)
			in.entries, in.wantedEntries = uint32(stack[0]), uint32(stack[1])
			return in.pay(ctx)
		},
	}
}

// tooDeep is the import by which a guest tells that its calls nest too deep. It is about
// to trap.
func tooDeep() engine.HostFunc {
	return engine.HostFunc{
		Module: metering.ImportModule,
		Name:   metering.ImportTooDeep,
		Type:   engine.Func(nil),
		Call: func(_ context.Context, caller engine.Instance, _ []uint64) error {
			callerOf(caller).tooDeep = true
			return nil
		},
	}
}
