package metering

// A unit is the cost of a length: a shift to the left of the number, or to the
// right if it is negative.
type unit uint32

const (
	unitEntry unit = iota // an entry of a table is a unit of fuel
	unitBytes             // so are eight bytes of memory, rounded down
	unitPage              // and a new page of memory is as many as its bytes
)

// shifts of a length, to the left if positive.
var unitShift = [...]int64{unitEntry: 0, unitBytes: -3, unitPage: 13}

// cost is the fuel for n.
func (u unit) cost(n uint32) uint64 {
	if s := unitShift[u]; s < 0 {
		return uint64(n) >> -s
	}
	return uint64(n) << unitShift[u]
}

// slowPrice is what an instruction is more than one unit if engines call a function of
// their own for it.
const slowPrice = 31

// A segment is code that is charged at its start, because all of it runs when
// the start does: a function up to its first branch, the body of a loop, an arm
// of an if. Segments form trees: one that has a parent runs at most once for
// each run of the parent.
type segment struct {
	own    uint64 // fuel for its instructions
	merged uint64 // fuel for those of small segments below it
	parent int32  // dead if it has none
	check  check  // for fuel that has run out
}

// A check is how a segment finds out that there is no fuel left.
type check byte

const (
	checkNone    check = iota
	checkHere          // after its charge
	checkGuarded       // before its charge, at the start of a loop with a guard
)

func (s *segment) cost() uint64 { return s.own + s.merged }

// A segment of up to smallSegment is charged with its parent whether it runs or
// not, since a charge of its own would cost as much time as it does. But a parent
// takes no more of them than mostMerged, or what it costs itself.
const (
	smallSegment = 4
	mostMerged   = 8
)

// merge charges small segments to their parents, the innermost ones first: a
// parent comes before its children.
func merge(segments []segment) {
	for i := len(segments) - 1; i > 0; i-- {
		s := &segments[i]
		cost := s.cost()
		if cost == 0 || s.parent == dead || cost > smallSegment {
			continue
		}
		parent := &segments[s.parent]
		if parent.merged+cost <= max(mostMerged, parent.own) {
			parent.merged += cost
			s.own, s.merged = 0, 0
		}
	}
}

// length charges the instruction at a place for the length on top of the stack,
// which may be known by now.
func (b *body) length(at int, u unit) {
	b.work.joins += joinsBulk
	switch {
	case b.current == dead:
	case b.constantEnd == at:
		b.charge(u.cost(b.constant))
	default:
		b.lengths = true
		b.edit(editLength, at, at, uint32(u))
	}
}

func (b *body) grow(at int, u unit) {
	b.work.joins += joinsGrow
	if b.current != dead {
		b.lengths = true
		b.edit(editGrow, at, b.pos, uint32(u))
	}
}
