package metering

import "math"

// An edit is a change to the code of a function.
type edit struct {
	kind    editKind
	at, end int    // what it replaces; an insertion has end == at
	arg     uint32 // as its kind says
}

type editKind byte

const (
	editCharge    editKind = iota // insert the charge of segment arg
	editIndex                     // replace the index of a function or a label by arg
	editOpcode                    // replace an opcode by arg, as short as it can be
	editDrop                      // insert what drops data segment arg
	editReturn                    // replace a return by a branch to label arg, if calls are counted
	editLeave                     // insert what ends a counted call, if calls are counted
	editLength                    // insert the charge of a length on the stack, arg is a unit
	editPieces                    // insert the call of piece function arg, if the length on the stack is long
	editGrow                      // charge for what the instruction has grown, arg is a unit
	editGuard                     // insert the start of a guard, the loop's type has arg bytes
	editUnguard                   // insert the end of a guard
	editCanonical                 // insert what makes the NaN of result arg canonical, if anybody sees it
)

// A frame is a block that is open.
type frame struct {
	op       byte   // opBlock, opLoop, opIf, opElse; the function is a block
	segment  int32  // at its start
	arity    uint64 // values that a branch to it passes on
	escape   int32  // the outermost frame that a branch from inside goes to
	targeted bool   // by a branch to its end
	live     bool   // the end of its first arm is reached
	guarded  bool   // it is a loop with a guard
	rare     bool   // it is an if that looks at the result of a call
	height   int    // of the operand stack below its parameters
	params   int
	results  int
	shift    uint32 // labels that guards have added, up to this frame
}

// A body is a function's code as it is read. It is reused for the next function.
type body struct {
	*reader
	module   *module
	locals   uint32 // with the parameters
	vectors  uint32 // of them, those of type v128
	groups   int    // of locals
	decls    [2]int // the place of the groups
	starts   bool   // it is the function of the start section
	frames   []frame
	segments []segment
	edits    []edit
	results  []result
	operands []operand // the highest one last
	readers  []readers // of locals
	current  int32     // segment, or dead
	calls    bool      // it calls a function that isn't imported
	covered  bool      // a loop before its first call checks in place of its start
	lengths  bool      // it needs scratch locals
	height   int       // of the operand stack here
	highest  int       // where it is highest

	// constant is the value of the i32.const that ended at constantEnd.
	constant    uint32
	constantEnd int

	callEnd int // where the last call ended

	inLoops uint64 // that are open
	work    work
}

// dead is the segment of code that is never reached.
const dead = -1

// read reads the code of a function from its locals to its end.
func (b *body) read(signature funcType) error {
	b.frames, b.segments, b.edits = b.frames[:0], b.segments[:0], b.edits[:0]
	b.results, b.operands = b.results[:0], b.operands[:0]
	b.calls, b.covered, b.lengths = false, false, false
	b.height, b.highest, b.inLoops = 0, 0, 0
	b.constantEnd, b.callEnd, b.work = -1, -1, work{}
	b.readLocals(signature)
	b.current = b.begin(dead, checkNone)
	b.push(opBlock)
	b.top().arity = uint64(len(signature.results))
	for len(b.frames) > 0 && b.err == nil {
		b.instruction()
	}
	b.shown()
	if b.err == nil {
		b.err = b.done("a function")
	}
	return b.err
}

func (b *body) readLocals(signature funcType) {
	total, vectors := uint64(signature.params), uint64(signature.vectors)
	b.groups = b.count()
	b.decls[0] = b.pos
	for range b.groups {
		at := b.pos
		n := uint64(b.u32())
		total += n
		if b.valueType() == typeV128 {
			vectors += n
		}
		if total > math.MaxUint32-uint64(scratchLocals) {
			b.malformed(at, "%d locals", total)
		}
	}
	b.decls[1] = b.pos
	b.locals, b.vectors = uint32(total), uint32(vectors)
	b.readers = append(b.readers[:0], make([]readers, min(total, mostFollowed))...)
}

// begin starts a segment here. The ones that are checked have no parent.
func (b *body) begin(parent int32, how check) int32 {
	n := int32(len(b.segments))
	b.segments = append(b.segments, segment{parent: parent, check: how})
	b.edit(editCharge, b.pos, b.pos, uint32(n))
	return n
}

func (b *body) edit(kind editKind, at, end int, arg uint32) {
	b.edits = append(b.edits, edit{kind, at, end, arg})
}

func (b *body) push(op byte) {
	f := frame{op: op, segment: b.current, escape: math.MaxInt32}
	if len(b.frames) > 0 {
		f.shift = b.top().shift
	}
	b.frames = append(b.frames, f)
}

func (b *body) top() *frame { return &b.frames[len(b.frames)-1] }

func (b *body) charge(cost uint64) {
	if b.current != dead {
		b.segments[b.current].own += cost
	}
}

// instruction reads one instruction.
func (b *body) instruction() {
	at := b.pos
	op := b.byte()
	b.takes(spaceOf[op])
	switch forms[op] {
	case formNone:
	case formLocal:
		b.access(at, op)
		b.charge(1)
		return
	case formMemory:
		b.memoryAccess()
	case formI32:
		b.constant = uint32(b.s64(5))
		b.constantEnd = b.pos
	case formI64:
		b.s64(10)
	case formGlobal:
		b.index("global", len(b.module.globals))
	case formTable:
		b.index("table", b.module.tables)
		if op == opTableSet {
			b.changes("table.set")
		}
	case form4:
		b.skip(4)
	case form8:
		b.skip(8)
	case formByteZero:
		b.zero("another memory", "multiple memories")
	case formRefType:
		b.refType()
	case formSpecial:
		b.special(at, op)
		return
	default:
		b.refuseOpcode(at, op)
	}
	b.computes(floatOps[op], int(effects[op]))
	b.charge(1)
}

// special reads an instruction that the rewriter has a closer look at.
func (b *body) special(at int, op byte) {
	switch op {
	case opNop:
		return
	case opPrefixBulk, opPrefixVector:
	default:
		b.takeAll()
	}
	switch op {
	case opBlock, opLoop, opIf:
		b.open(at, op)
		return
	case opElse:
		b.otherwise(at)
		return
	case opEnd:
		b.close()
		return
	}
	b.charge(1)
	b.moves(int(effects[op]))
	switch op {
	case opBr, opBrIf, opBrTable, opReturn, opUnreachable:
		b.branch(at, op)
	case opCall, opCallIndirect, opReturnCall, opReturnCallIndirect:
		b.call(at, op)
	case opRefFunc:
		b.charge(slowPrice)
		if i := b.function(); b.err == nil {
			b.module.escapes(i)
		}
	case opSelectTyped:
		b.types()
	case opMemoryGrow:
		b.varies()
		b.zero("another memory", "multiple memories")
		b.grow(at, unitPage)
	case opPrefixBulk:
		b.bulk(at)
	case opPrefixVector:
		b.vector(at)
	}
}

func (b *body) open(at int, op byte) {
	if op == opIf {
		b.charge(1)
	}
	params, results := b.blockType(b.module.types)
	b.enters(op, params, results)
	b.joins(op, params, results)
	if len(b.frames) > maxNesting {
		b.tooLarge(at, "%d nested blocks, the most is %d", len(b.frames), maxNesting)
	}
	switch {
	case b.current == dead || b.err != nil:
	case op == opLoop:
		b.covered = b.covered || b.current == 0 && !b.calls
		how := checkHere
		if params == 0 {
			b.guard(at)
			how = checkGuarded
		}
		b.current = b.begin(dead, how)
	case op == opIf:
		b.top().rare = b.callEnd == at
		b.current = b.begin(b.current, checkNone)
	}
}

// joins notes the work of a block, whose frame is on top.
func (b *body) joins(op byte, params, results int) {
	w, f := &b.work, b.top()
	w.values += uint64(params + results)
	f.arity = uint64(results)
	switch op {
	case opLoop:
		w.loops++
		b.inLoops++
		w.nested = max(w.nested, b.inLoops)
		w.joins += joinsLoop
		f.arity = uint64(params)
	case opIf:
		w.joins += joinsIf
	default:
		w.joins++
	}
}

func (b *body) otherwise(at int) {
	f := b.top()
	if f.op != opIf {
		b.malformed(at, "an else without an if")
		return
	}
	f.op, f.rare = opElse, false
	f.live = b.current != dead
	b.height = f.height + f.params
	b.current = f.segment
	if b.current != dead {
		b.current = b.begin(f.segment, checkNone)
	}
}

// close ends a block. What comes after it is as certain to be reached as the
// block was, unless a branch leads from the inside to further out.
func (b *body) close() {
	f := *b.top()
	if f.op == opLoop {
		b.inLoops--
	}
	b.frames = b.frames[:len(b.frames)-1]
	height := int32(len(b.frames))
	if height == 0 {
		return
	}
	if f.guarded {
		b.edit(editUnguard, b.pos, b.pos, 0)
	}
	outer := b.top()
	outer.escape = min(outer.escape, f.escape)
	live := b.current != dead || f.live || f.op == opIf || f.targeted && f.op != opLoop
	switch {
	case f.segment == dead || !live:
		b.current = dead
	case f.escape < height:
		b.current = b.begin(f.segment, checkNone)
	default:
		b.current = f.segment
	}
	b.height = f.height
	b.moves(f.results)
}

func (b *body) branch(at int, op byte) {
	if op == opBrIf || op == opBrTable {
		b.moves(-1)
	}
	switch op {
	case opBr, opBrIf:
		b.work.joins += joinsBranch
		b.passes(b.label())
	case opBrTable:
		n := b.count()
		if n > maxTargets {
			b.tooLarge(at, "a br_table of %d targets, the most is %d", n, maxTargets)
			return
		}
		b.work.targets += uint64(n)
		b.takes(spaceTarget * uint64(n))
		b.work.joins++
		for range n + 1 {
			b.passes(b.label())
		}
	case opReturn:
		label := uint32(len(b.frames) - 1)
		b.work.joins += joinsBranch
		b.passes(label)
		b.edit(editReturn, at, b.pos, b.shifted(label))
		if !b.top().rare { // else what comes after it goes on as if there were no way out
			b.target(label)
		}
	}
	switch {
	case op != opBrIf:
		b.current = dead
	case b.current != dead:
		b.current = b.begin(b.current, checkNone)
	}
}

// label takes the target of a branch.
func (b *body) label() uint32 {
	at := b.pos
	label := b.index("label", len(b.frames))
	if b.err != nil {
		return 0
	}
	if shifted := b.shifted(label); shifted != label {
		b.edit(editIndex, at, b.pos, shifted)
	}
	b.target(label)
	return label
}

// passes notes the values that a branch to a label passes on.
func (b *body) passes(label uint32) {
	b.work.values += b.frames[len(b.frames)-1-int(label)].arity
}

func (b *body) target(label uint32) {
	if b.current == dead {
		return
	}
	height := len(b.frames) - 1 - int(label)
	b.frames[height].targeted = true
	f := b.top()
	f.escape = min(f.escape, int32(height))
}

func (b *body) call(at int, op byte) {
	b.varies()
	switch op {
	case opReturnCall, opReturnCallIndirect:
		b.edit(editLeave, at, at, 0)
	}
	switch op {
	case opCall, opReturnCall:
		b.takes(spaceCall)
		i := b.function()
		if int(i) >= b.module.importedFuncs {
			b.calls = true
		}
		if b.err == nil {
			b.called(b.module.functions[i])
		}
	case opCallIndirect, opReturnCallIndirect:
		b.takes(spaceCallIndirect)
		b.moves(-1)
		t := b.index("type", len(b.module.types))
		b.index("table", b.module.tables)
		b.calls = true
		if b.err == nil {
			b.called(t)
		}
	}
	b.callEnd = b.pos
	switch op {
	case opReturnCall, opReturnCallIndirect:
		b.target(uint32(len(b.frames) - 1))
		b.current = dead
	}
}

// called notes the work of a call of a type, and what it takes and leaves.
func (b *body) called(t uint32) {
	signature := &b.module.types[t]
	b.work.calls++
	params, results := signature.params, len(signature.results)
	b.work.values += uint64(params + results)
	b.moves(-params)
	b.moves(results)
	b.holds(params + results) // passed in memory, for which the frame has room besides
}

// function takes the index of a function.
func (b *body) function() uint32 {
	start := b.pos
	i := b.index("function", len(b.module.functions))
	b.module.refer(i)
	if moved := b.module.moved(i); moved != i {
		b.edit(editIndex, start, b.pos, moved)
	}
	return i
}
