package wazero

import (
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// global implements engine.Global.
type global struct {
	wazero  api.Global
	mutable api.MutableGlobal // nil when it isn't
	typ     engine.ValueType
}

func (in *instance) Global(name string) (engine.Global, bool) {
	if in.module == nil {
		return nil, false
	}
	exported := in.module.ExportedGlobal(name)
	if exported == nil {
		return nil, false
	}
	g := &global{wazero: exported, typ: engine.ValueType(exported.Type())}
	switch g.typ {
	case engine.I32, engine.I64, engine.F32, engine.F64:
	default:
		return nil, false
	}
	g.mutable, _ = exported.(api.MutableGlobal)
	return g, true
}

func (g *global) Type() engine.ValueType { return g.typ }

func (g *global) Get() uint64 { return g.narrow(g.wazero.Get()) }

func (g *global) Set(bits uint64) bool {
	if g.mutable == nil {
		return false
	}
	g.mutable.Set(g.narrow(bits))
	return true
}

// narrow clears the upper half of a value of 32 bits.
func (g *global) narrow(bits uint64) uint64 {
	if g.typ == engine.I32 || g.typ == engine.F32 {
		return uint64(uint32(bits))
	}
	return bits
}
