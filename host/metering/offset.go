package metering

import "encoding/binary"

// A span is a piece of the rewritten code: a copy of a piece of the original, or
// what was inserted for the instruction there.
type span struct {
	rewritten uint32
	original  uint32 // with spanInserted set for what was inserted
}

const spanInserted = 1 << 31

// An OffsetMap leads from places in the rewritten code to those in the original.
// It is immutable.
type OffsetMap struct{ spans spanList }

// A spanList is spans by their rewritten offset, the last of which is after the code.
// There is one for each edit, so they are kept small: as how far each is from the one
// before, in two varints, the lower bit of the second of which is for what was inserted.
type spanList []byte

// append adds a span behind the last one.
func (l spanList) append(last, s span) spanList {
	from, to := last.original&^spanInserted, s.original&^spanInserted
	l = binary.AppendUvarint(l, uint64(s.rewritten-last.rewritten))
	return binary.AppendUvarint(l, uint64(to-from)<<1|uint64(s.original/spanInserted))
}

// next takes off the span behind the last one. It is false at the end.
func (l *spanList) next(last span) (s span, ok bool) {
	far, n := binary.Uvarint(*l)
	if n <= 0 {
		return span{}, false
	}
	place, m := binary.Uvarint((*l)[n:])
	if m <= 0 {
		return span{}, false
	}
	*l = (*l)[n+m:]
	original := last.original&^spanInserted + uint32(place>>1)
	return span{last.rewritten + uint32(far), original&^spanInserted | uint32(place&1)*spanInserted}, true
}

// Original gives the place of an instruction in the original module, both in
// bytes from the start of the module. What was inserted is at the instruction
// that it was inserted before. It is false for a place outside of the code. It takes a
// time that grows with the code, a millisecond for a module of some megabytes.
func (m *OffsetMap) Original(rewritten int) (original int, ok bool) {
	spans := m.spans
	s, ok := spans.next(span{})
	if !ok || int64(rewritten) < int64(s.rewritten) {
		return 0, false
	}
	for {
		after, ok := spans.next(s)
		switch {
		case !ok:
			return 0, false
		case int64(rewritten) >= int64(after.rewritten):
			s = after // also if it is empty: another one at the same place comes after it
		case s.original&spanInserted != 0:
			return int(s.original &^ spanInserted), true
		default:
			return int(s.original) + rewritten - int(s.rewritten), true
		}
	}
}
