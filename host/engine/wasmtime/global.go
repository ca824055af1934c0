//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import "github.com/wasmsandbox/wasmsandbox/host/engine"

// global implements engine.Global.
type global struct {
	instance *instance
	typ      engine.ValueType
	c        C.wasmsandbox_global
}

func (in *instance) Global(name string) (engine.Global, bool) {
	if g, ok := in.globals[name]; ok {
		return g, true
	}
	if in.c == nil {
		return nil, false
	}
	g := &global{instance: in}
	if !C.wasmsandbox_instance_global(in.held.pointer, charsOf(name), C.size_t(len(name)), &g.c) {
		return nil, false
	}
	for t, kind := range numbers {
		if kind == byte(g.c.kind) {
			g.typ = t
		}
	}
	if in.globals == nil {
		in.globals = map[string]*global{}
	}
	in.globals[name] = g
	return g, true
}

func (g *global) Type() engine.ValueType { return g.typ }

func (g *global) Get() uint64 {
	if g.instance.c == nil {
		return 0
	}
	return uint64(C.wasmsandbox_instance_global_get(g.instance.held.pointer, &g.c))
}

func (g *global) Set(bits uint64) bool {
	if g.instance.c == nil || !g.c.is_mutable {
		return false
	}
	C.wasmsandbox_instance_global_set(g.instance.held.pointer, &g.c, C.uint64_t(bits))
	return true
}
