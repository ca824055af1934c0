package metering

import (
	"fmt"
	"slices"
)

// volatile is why an instance can't be put back to an earlier state by writing its
// memory and its globals.
type volatile struct {
	start       int      // the function of the start section, or -1
	startCalls  bool     // it can run again later
	startVaries bool     // what it does may follow from more than the module
	inStart     []string // what it changes
	reasons     []string
}

// changes notes an instruction that changes what can't be written from outside: a
// table, or which segments there are. In the start function that does no harm, since
// each instance has done it before it is seen, if all have done the same.
func (b *body) changes(instruction string) {
	v := &b.module.volatile
	switch {
	case b.current == dead:
	case b.starts:
		v.inStart = append(v.inStart, instruction)
	default:
		v.reasons = append(v.reasons, "its code uses "+instruction)
	}
}

// varies notes an instruction whose results can be others in another instance: those of
// a call may be the host's, and what grows depends on limits.
func (b *body) varies() {
	if b.starts && b.current != dead {
		b.module.startVaries = true
	}
}

// refer notes that something but the start section refers to a function.
func (v *volatile) refer(function uint32) {
	if int64(function) == int64(v.start) {
		v.startCalls = true
	}
}

// why lists the reasons, each once.
func (v *volatile) why() []string {
	reasons := slices.Clone(v.reasons)
	if v.startCalls || v.startVaries {
		for _, instruction := range v.inStart {
			reasons = append(reasons, "its code uses "+instruction)
		}
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// hidden notes the state of a module that no export leads to.
func (w *writer) hidden() {
	if w.memories > 0 && !w.showsMemory {
		w.reasons = append(w.reasons, `it doesn't export its memory as "memory"`)
	}
	for i, g := range w.globals {
		switch {
		case !g.mutable:
		case g.kind == typeV128:
			w.reasons = append(w.reasons, fmt.Sprintf("its global %d is a vector that can change", i))
		case g.kind == typeFuncRef || g.kind == typeExternRef:
			w.reasons = append(w.reasons, fmt.Sprintf("its global %d is a reference that can change", i))
		}
	}
}
