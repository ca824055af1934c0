package metering

// scratchLengths are the locals that a function with lengths gets, of type i32: for
// the length, and for the result of growing. scratchLocals are the most that any gets.
const (
	scratchLengths = 2
	scratchLocals  = scratchLengths + len(scratchTypes)
)

// An emitter writes the code of a function with its edits.
type emitter struct {
	out     []byte
	spans   []span
	module  *module
	fuel    uint32 // index of the global
	depth   uint32 // index of the global
	deep    bool   // calls are counted
	reports bool   // of breaches

	pieceType  uint32 // of the piece functions, if there are any
	firstPiece uint32 // index of the first one

	wrapper map[string]uint32
	scratch [shapes]uint32 // locals for what is made canonical
}

// function writes a body that has been read, from its locals to its end.
func (e *emitter) function(b *body, signature funcType) {
	e.out, e.spans = e.out[:0], e.spans[:0]
	merge(b.segments)
	if b.calls && !b.covered {
		b.segments[0].check = checkHere
	}
	e.locals(b)
	counted := e.deep && b.calls
	weight := b.weight()
	if counted {
		e.inserted(b.decls[1])
		e.enter(weight, signature)
	}
	copied := b.decls[1]
	for i := range b.edits {
		d := &b.edits[i]
		if skip(d, b, counted) {
			continue
		}
		e.copy(b.wasm, copied, d.at)
		e.apply(d, b, weight)
		copied = d.end
	}
	e.copy(b.wasm, copied, b.end)
	if counted {
		e.inserted(b.end - 1)
		e.leave(weight)
		e.out = append(e.out, opEnd)
	}
}

func skip(d *edit, b *body, counted bool) bool {
	switch d.kind {
	case editCharge:
		s := &b.segments[d.arg]
		return s.cost() == 0 && s.check == checkNone
	case editReturn, editLeave:
		return !counted
	case editCanonical:
		return !b.results[d.arg].seen
	default:
		return false
	}
}

// locals writes the function's locals, and scratch ones for what needs them.
func (e *emitter) locals(b *body) {
	var groups []byte
	last := b.locals
	if b.lengths {
		groups = append(groups, scratchLengths, typeI32)
		last += scratchLengths
	}
	for _, t := range scratchTypes {
		if e.needs(b, t, last) {
			groups = append(groups, 1, t)
			last++
		}
	}
	e.inserted(b.decls[0])
	e.out = appendU32(e.out, uint32(b.groups+len(groups)/2))
	e.copy(b.wasm, b.decls[0], b.decls[1])
	if len(groups) > 0 {
		e.inserted(b.decls[1])
		e.out = append(e.out, groups...)
	}
}

// copy copies a part of the original.
func (e *emitter) copy(wasm []byte, start, end int) {
	if start < end {
		e.spans = append(e.spans, span{uint32(len(e.out)), uint32(start)})
		e.out = append(e.out, wasm[start:end]...)
	}
}

// inserted says that what comes now belongs to the instruction at a place.
func (e *emitter) inserted(at int) {
	e.spans = append(e.spans, span{uint32(len(e.out)), uint32(at) | spanInserted})
}

func (e *emitter) apply(d *edit, b *body, weight uint32) {
	if d.kind == editIndex {
		e.copyIndex(d)
		return
	}
	e.inserted(d.at)
	switch d.kind {
	case editOpcode:
		e.out = appendU32(e.out, d.arg)
	case editDrop:
		e.out = appendU32(append(e.out, opPrefixBulk, bulkDataDrop), d.arg)
	case editCharge:
		e.segment(&b.segments[d.arg])
	case editReturn:
		e.op(opBr, d.arg)
	case editLeave:
		e.leave(weight)
	case editLength:
		e.op(opLocalTee, b.locals)
		e.chargeLength(b.locals, unit(d.arg))
	case editPieces:
		e.pieces(pieceFunc(d.arg), b.locals)
	case editGrow:
		e.grow(b, d)
	case editGuard:
		e.guard(b.wasm[d.at+1 : d.at+1+int(d.arg)])
	case editUnguard:
		e.unguard()
	case editCanonical:
		e.canonical(b.results[d.arg].shape)
	}
}

// copyIndex writes another index, as wide as the one that was there if it fits.
func (e *emitter) copyIndex(d *edit) {
	e.spans = append(e.spans, span{uint32(len(e.out)), uint32(d.at) | spanInserted})
	e.out = appendWide(e.out, d.arg, d.end-d.at)
}

func (e *emitter) op(op byte, arg uint32) { e.out = appendU32(append(e.out, op), arg) }

func (e *emitter) i32(v int32) { e.out = appendS64(append(e.out, opI32Const), int64(v)) }

func (e *emitter) i64(v int64) { e.out = appendS64(append(e.out, opI64Const), v) }

func (e *emitter) segment(s *segment) {
	switch s.check {
	case checkNone:
		e.charge(s.cost())
	case checkGuarded:
		e.checkGuarded()
		e.charge(s.cost())
	case checkHere:
		e.charge(s.cost())
		e.check()
	}
}

func (e *emitter) charge(cost uint64) {
	if cost == 0 {
		return
	}
	e.op(opGlobalGet, e.fuel)
	e.i64(int64(cost))
	e.out = append(e.out, opI64Sub)
	e.op(opGlobalSet, e.fuel)
}

// check asks for more fuel when there is none left.
func (e *emitter) check() {
	e.isEmpty()
	e.out = append(e.out, opIf, typeEmpty)
	e.refill()
	e.out = append(e.out, opEnd)
}

func (e *emitter) isEmpty() {
	e.op(opGlobalGet, e.fuel)
	e.i64(0)
	e.out = append(e.out, opI64LtS)
}

func (e *emitter) refill() {
	e.op(opGlobalGet, e.fuel)
	e.op(opCall, uint32(e.module.importedFuncs))
	e.op(opGlobalSet, e.fuel)
}

// chargeLength charges for the length in a local.
func (e *emitter) chargeLength(local uint32, u unit) {
	e.op(opGlobalGet, e.fuel)
	e.op(opLocalGet, local)
	e.out = append(e.out, opI64ExtendI32U)
	switch shift := unitShift[u]; {
	case shift < 0:
		e.i64(-shift)
		e.out = append(e.out, opI64ShrU)
	case shift > 0:
		e.i64(shift)
		e.out = append(e.out, opI64Shl)
	}
	e.out = append(e.out, opI64Sub)
	e.op(opGlobalSet, e.fuel)
	e.check()
}

// grow charges after the instruction, if it did grow something.
func (e *emitter) grow(b *body, d *edit) {
	length, result := b.locals, b.locals+1
	e.op(opLocalTee, length)
	e.copy(b.wasm, d.at, d.end)
	e.inserted(d.at)
	e.op(opLocalTee, result)
	e.i32(-1)
	e.out = append(e.out, opI32Ne, opIf, typeEmpty)
	e.chargeLength(length, unit(d.arg))
	if e.reports {
		e.out = append(e.out, opElse)
		e.refused(b, d, length)
	}
	e.out = append(e.out, opEnd)
	e.op(opLocalGet, result)
}

// refused reports that the instruction hasn't grown anything.
func (e *emitter) refused(b *body, d *edit, length uint32) {
	if unit(d.arg) == unitPage {
		e.op(opLocalGet, length)
		e.report(reportRefused)
		return
	}
	grow := &reader{wasm: b.wasm, pos: d.at + 1, end: d.end}
	_ = grow.u32() // the second half of the opcode; then comes the table
	e.out = append(e.out, opPrefixBulk, bulkTableSize)
	e.out = appendU32(e.out, grow.u32())
	e.op(opLocalGet, length)
	e.report(reportRefusedTable)
}

func (e *emitter) report(which int) { e.op(opCall, uint32(e.module.importedFuncs+1+which)) }
