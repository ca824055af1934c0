package metering

// Where engines differ from the specification, a module would be another one on each. The
// rewriter leaves nothing of that to them.

// vector takes a vector opcode. One that is longer than it has to be is made shorter: there
// are engines that look at its first byte only, and take what comes after it for instructions,
// which would be some that nobody counts.
func (b *body) vector(at int) {
	op := b.u32()
	if short := at + 1 + widthU32(op); b.pos > short {
		b.edit(editOpcode, at+1, b.pos, op)
	}
	b.vectorImmediate(at, op)
	if op < vectorRelaxed {
		b.computes(floatVectorOps[op], int(vectorEffects[op]))
	}
}

// init notes that memory.init takes from a data segment. One that is active has been dropped
// before any code runs, which there are engines that don't do.
func (b *body) init(at int, segment uint32) {
	if int64(segment) < int64(len(b.module.active)) && b.module.active[segment] {
		b.edit(editDrop, at, at, segment)
	}
}
