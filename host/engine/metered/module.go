package metered

import (
	"context"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// A Module is a rewritten module that doesn't show it. It is immutable, and safe for
// concurrent use.
type Module struct {
	engine   *Engine
	inner    engine.Module
	imports  []engine.Import
	exports  []engine.Export
	globals  []metering.Global
	offsets  *metering.OffsetMap
	volatile []string
	pages    [2]uint32 // that the memory has from the start, and may have
	limits   Limits    // with the Depth that holds, or 0
	digest   [32]byte
}

var _ engine.Module = (*Module)(nil)

func newModule(e *Engine, inner engine.Module, rewritten *metering.Result, limits Limits, digest [32]byte) *Module {
	return &Module{
		engine: e,
		inner:  inner,
		imports: slices.DeleteFunc(slices.Clone(inner.Imports()), func(i engine.Import) bool {
			return i.Module == metering.ImportModule
		}),
		exports: slices.DeleteFunc(slices.Clone(inner.Exports()), func(e engine.Export) bool {
			return strings.HasPrefix(e.Name, metering.ReservedPrefix)
		}),
		globals:  rewritten.Globals,
		offsets:  rewritten.Offsets,
		volatile: rewritten.Volatile,
		pages:    [2]uint32{rewritten.LeastPages, rewritten.MostPages},
		limits:   limits,
		digest:   digest,
	}
}

// Imports implements [engine.Module].
func (m *Module) Imports() []engine.Import { return m.imports }

// Exports implements [engine.Module].
func (m *Module) Exports() []engine.Export { return m.exports }

// Volatile says why [Meter.State] has nothing to give for an instance of the module,
// and is empty if it has. The caller must not change the slice.
func (m *Module) Volatile() []string { return m.volatile }

// Bounds are the most that an instance of the module can have: what it was compiled
// within, and the bounds of the engine.
func (m *Module) Bounds() engine.Bounds { return m.limits.within(m.engine.Bounds()) }

// Digest is the SHA-256 of the module as it was before it was rewritten.
func (m *Module) Digest() [32]byte { return m.digest }

// Offsets leads from offsets in the stack of a trap to those in the module as it was.
func (m *Module) Offsets() *metering.OffsetMap { return m.offsets }

// Instantiate implements [engine.Module]. Of the instance, [Of] gives the Meter.
func (m *Module) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	return m.InstantiateWithin(ctx, data, m.limits.Fuel, nil)
}

// InstantiateWithin is Instantiate with a limit of the start function's fuel, 0 for none,
// and with reports of it, as [Meter.SetLimit] and [Meter.ReportTo] have them of calls. Both
// also hold for the calls of the instance unless these say otherwise. A start function that
// fails and has used fuel does so with a [*StartError].
func (m *Module) InstantiateWithin(ctx context.Context, data any, fuel int64,
	report func(fuel int64) error,
) (engine.Instance, error) {
	in := &instance{data: data}
	in.instance, in.module = in, m
	in.tank = metering.Tank{Limit: max(fuel, 0), Slice: m.slice(report != nil)}
	in.running, in.report = true, report
	inner, err := m.inner.Instantiate(ctx, in)
	if err != nil {
		return nil, in.unstarted(in.failed(err))
	}
	in.inner = inner
	in.attach()
	in.end()
	return in, nil
}

// slice is how much fuel a guest gets at a time.
func (m *Module) slice(reporting bool) int64 {
	if reporting {
		return min(m.engine.config.Slice, ReportSlice)
	}
	return m.engine.config.Slice
}

// Close implements [engine.Module].
func (m *Module) Close(ctx context.Context) error { return m.inner.Close(ctx) }
