package enginetest

import "github.com/wasmsandbox/wasmsandbox/host/engine"

// A FakeGlobal is an exported global of a [Program]. It implements [engine.Global].
type FakeGlobal struct {
	Name    string
	Kind    engine.ValueType
	Mutable bool
	Bits    uint64 // at the start, in a program
}

// Global implements [engine.Instance].
func (in *FakeInstance) Global(name string) (engine.Global, bool) {
	for i := range in.globals {
		if g := &in.globals[i]; g.Name == name && g.isNumber() {
			return g, true
		}
	}
	return nil, false
}

func (g *FakeGlobal) isNumber() bool {
	switch g.Kind {
	case engine.I32, engine.I64, engine.F32, engine.F64:
		return true
	default:
		return false
	}
}

// Type implements [engine.Global].
func (g *FakeGlobal) Type() engine.ValueType { return g.Kind }

// Get implements [engine.Global].
func (g *FakeGlobal) Get() uint64 {
	if g.Kind == engine.I32 || g.Kind == engine.F32 {
		return uint64(uint32(g.Bits))
	}
	return g.Bits
}

// Set implements [engine.Global].
func (g *FakeGlobal) Set(bits uint64) bool {
	if g.Mutable {
		g.Bits = bits
	}
	return g.Mutable
}
