package metering

import (
	"cmp"
	"slices"
)

// A span is a piece of the rewritten code: a copy of a piece of the original, or
// what was inserted for the instruction there.
type span struct {
	rewritten uint32
	original  uint32 // with spanInserted set for what was inserted
}

const spanInserted = 1 << 31

// An OffsetMap leads from places in the rewritten code to those in the original.
// It is immutable.
type OffsetMap struct {
	spans []span // by rewritten offset; the last one is after the code
}

// Original gives the place of an instruction in the original module, both in
// bytes from the start of the module. What was inserted is at the instruction
// that it was inserted before. It is false for a place outside of the code.
func (m *OffsetMap) Original(rewritten int) (original int, ok bool) {
	if rewritten < 0 || int64(rewritten) >= spanInserted {
		return 0, false
	}
	i, found := slices.BinarySearchFunc(m.spans, uint32(rewritten), func(s span, target uint32) int {
		return cmp.Compare(s.rewritten, target)
	})
	if !found {
		i--
	}
	// A span that is empty has another one at the same place after it.
	for i+1 < len(m.spans) && i >= 0 && m.spans[i+1].rewritten == m.spans[i].rewritten {
		i++
	}
	if i < 0 || i >= len(m.spans)-1 {
		return 0, false
	}
	s := m.spans[i]
	if s.original&spanInserted != 0 {
		return int(s.original &^ spanInserted), true
	}
	return int(s.original) + rewritten - int(s.rewritten), true
}
