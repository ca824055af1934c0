package metered

import (
	"context"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// instance implements engine.Instance. It is the data of the one inside, so that a
// host function finds it without a search.
type instance struct {
	Meter
	data      any
	inner     engine.Instance
	functions map[string]*function
}

func (in *instance) Data() any { return in.data }

func (in *instance) Memory() engine.Memory { return in.inner.Memory() }

func (in *instance) Global(name string) (engine.Global, bool) {
	if strings.HasPrefix(name, metering.ReservedPrefix) {
		return nil, false
	}
	return in.inner.Global(name)
}

func (in *instance) Function(name string) (engine.Function, bool) {
	if f, ok := in.functions[name]; ok {
		return f, true
	}
	inner, ok := in.inner.Function(name)
	if !ok {
		return nil, false
	}
	f := &function{instance: in, inner: inner}
	if in.functions == nil {
		in.functions = map[string]*function{}
	}
	in.functions[name] = f
	return f, true
}

func (in *instance) Close(ctx context.Context) error {
	in.closed.Store(true)
	return in.inner.Close(ctx)
}

// function implements engine.Function.
type function struct {
	instance *instance
	inner    engine.Function
}

func (f *function) Call(ctx context.Context, stack []uint64) error {
	m := &f.instance.Meter
	if m.running {
		return &engine.TrapError{Reason: errBusy.Error(), Err: errBusy}
	}
	m.begin()
	err := f.inner.Call(ctx, stack)
	m.end()
	if err != nil {
		return m.failed(err)
	}
	return nil
}
