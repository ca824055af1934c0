package metering

// weight is what a call of the function counts for: 1, and 1 more for each 512 bytes
// of locals and of values on the operand stack, since an engine's own stack holds them.
func (b *body) weight() uint32 {
	operands := max(b.highest-freeHeight, 0)
	return 1 + uint32((uint64(b.locals)+uint64(b.vectors)+2*uint64(operands))/64)
}

// enter counts a call, and opens a block around the body whose end each way out
// of the function leads to: a branch to the function has the same label as one to
// the block.
func (e *emitter) enter(weight uint32, signature funcType) {
	e.op(opGlobalGet, e.depth)
	e.i32(int32(weight))
	e.out = append(e.out, opI32Sub)
	e.op(opGlobalSet, e.depth)
	e.op(opGlobalGet, e.depth)
	e.i32(0)
	e.out = append(e.out, opI32LtS, opIf, typeEmpty)
	if e.reports {
		e.report(reportTooDeep)
	}
	e.out = append(e.out, opUnreachable, opEnd, opBlock)
	switch len(signature.results) {
	case 0:
		e.out = append(e.out, typeEmpty)
	case 1:
		e.out = append(e.out, signature.results[0])
	default:
		e.out = appendS64(e.out, int64(e.wrapper[string(signature.results)]))
	}
}

// leave ends a counted call.
func (e *emitter) leave(weight uint32) {
	e.op(opGlobalGet, e.depth)
	e.i32(int32(weight))
	e.out = append(e.out, opI32Add)
	e.op(opGlobalSet, e.depth)
}
