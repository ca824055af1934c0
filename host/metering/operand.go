package metering

// A NaN that nobody sees needs no code. So a body follows where results of arithmetic go:
// what compares them, converts them to integers, or computes with them, sees no bits. A
// local that holds one may be read anywhere, and shows it if any of its readers sees bits.

// A result is what arithmetic has given.
type result struct {
	shape shape
	held  bool   // by a local
	seen  bool   // by something that isn't that
	local uint32 // which holds it
}

// An operand is a value on the operand stack that is followed: a result, or what has been
// read from a local.
type operand struct {
	height int // of the stack below it
	local  bool
	index  uint32 // of the local, or of the result
}

// readers says of a local for which shapes it is taken, one bit for each. The first one
// says that it is read by what sees bits.
type readers byte

// mostFollowed is how many locals of a function are followed.
const mostFollowed = 4096

// take takes values off the operand stack, for a shape.
func (b *body) take(n int, s shape) {
	rest := b.below(n)
	for _, o := range b.operands[rest:] {
		b.shows(o, s)
	}
	b.operands = b.operands[:rest]
}

// below is how many operands are below so many values on the operand stack.
func (b *body) below(n int) int {
	i := len(b.operands)
	for i > 0 && b.operands[i-1].height >= b.height-n {
		i--
	}
	return i
}

// takeAll gives up all operands, where the control may go elsewhere.
func (b *body) takeAll() { b.take(b.height, shapeBits) }

// shows notes that an operand is taken for a shape.
func (b *body) shows(o operand, s shape) {
	switch {
	case o.local:
		b.readers[o.index] |= 1 << s
	case s != b.results[o.index].shape:
		b.results[o.index].seen = true
	}
}

// computes notes what an instruction takes and gives, one value at most, which leaves by
// as many more than it takes. Of one that gives nothing it takes one value too many, which
// is then seen, and costs no more than code that isn't needed.
func (b *body) computes(op floatOp, by int) {
	b.take(1-by, op.takes)
	b.moves(by)
	if op.gives == shapeBits || b.current == dead {
		return
	}
	b.follow(operand{index: uint32(len(b.results))})
	b.edit(editCanonical, b.pos, b.pos, uint32(len(b.results)))
	b.results = append(b.results, result{shape: op.gives})
}

// follow follows the value on top of the operand stack.
func (b *body) follow(o operand) {
	if o.local && o.index >= mostFollowed {
		return
	}
	o.height = b.height - 1
	b.operands = append(b.operands, o)
}

// access takes the index of a local, which is read or written.
func (b *body) access(at int, op byte) {
	local := b.u32()
	if local >= b.locals && b.err == nil {
		b.malformed(at, "the local %d of %d", local, b.locals)
	}
	if b.err != nil {
		return
	}
	if op != opLocalGet {
		b.hold(local)
	}
	if op == opLocalSet {
		b.operands = b.operands[:b.below(1)]
	}
	b.moves(int(effects[op]))
	if op == opLocalGet && b.current != dead {
		b.follow(operand{local: true, index: local})
	}
}

// hold notes that a local gets the value on top of the operand stack.
func (b *body) hold(local uint32) {
	for _, o := range b.operands[b.below(1):] {
		if o.local || b.results[o.index].held || local >= mostFollowed {
			b.shows(o, shapeBits)
		} else {
			r := &b.results[o.index]
			r.held, r.local = true, local
		}
	}
}

// shown decides of each result whether anybody sees it, when all readers are known.
func (b *body) shown() {
	for i := range b.results {
		r := &b.results[i]
		r.seen = r.seen || r.held && b.readers[r.local]&^(1<<r.shape) != 0
		if r.seen {
			b.work.canonical++
			b.takes(spaceCanonical)
		}
	}
}
