package metering

// One memory.copy or memory.fill may work on gigabytes, which takes longer than a guest may
// go on once nobody wants it any more. So one that is longer than a piece has a function of ours
// do all but the last piece of it:
//
//	if the length is above pieceBytes
//	  call pieces   ;; takes and gives the operands
//	end
//	the original
//
// The function asks for fuel after each piece, so that the host gets to look at the call.
// What is out of bounds it leaves to the original, which then changes nothing and traps.

// pieceBytes is the length of a piece. It takes milliseconds where the memory is touched for
// the first time and the machine is a virtual one, whose own memory is touched with it.
const pieceBytes = 1 << 20

// A pieceFunc is a function that works in pieces.
type pieceFunc byte

const (
	copyPieces pieceFunc = iota
	fillPieces
	pieceFuncs
)

// pieceNames are what traces call the functions.
var pieceNames = [pieceFuncs]string{copyPieces: "memory.copy", fillPieces: "memory.fill"}

// The parameters of a piece function, all i32.
const (
	pieceTo     = iota
	pieceFrom   // of a copy, or the value of a fill
	pieceLength // what is left of it
)

// inPieces has an instruction that is charged for its length done in pieces.
func (b *body) inPieces(at int, f pieceFunc) {
	if b.current != dead && (b.constantEnd != at || b.constant > pieceBytes) {
		b.lengths = true
		b.edit(editPieces, at, at, uint32(f))
	}
}

// pieces calls a piece function if the length on the stack, which a local holds as well, is
// above that of a piece.
func (e *emitter) pieces(f pieceFunc, length uint32) {
	e.op(opLocalTee, length)
	e.op(opLocalGet, length)
	e.i32(pieceBytes)
	e.out = appendS64(append(e.out, opI32GtU, opIf), int64(e.pieceType))
	e.op(opCall, e.firstPiece+uint32(f))
	e.out = append(e.out, opEnd)
}

// pieceBody is the code of a piece function.
func (e *emitter) pieceBody(f pieceFunc) []byte {
	e.out = append(e.out[:0], 0) // no locals
	e.inBounds(pieceTo)
	if f == copyPieces {
		e.inBounds(pieceFrom)
		e.out = append(e.out, opI32And)
	}
	e.out = append(e.out, opIf, typeEmpty, opLoop, typeEmpty)
	e.op(opLocalGet, pieceLength)
	e.i32(pieceBytes)
	e.out = append(e.out, opI32GtU, opIf, typeEmpty)
	if f == copyPieces {
		e.copyPiece()
	} else {
		e.op(opLocalGet, pieceTo)
		e.op(opLocalGet, pieceFrom)
		e.i32(pieceBytes)
		e.out = append(e.out, opPrefixBulk, bulkMemoryFill, 0)
		e.move(pieceTo, opI32Add)
		e.move(pieceLength, opI32Sub)
	}
	e.refill()
	e.op(opBr, 1)
	e.out = append(e.out, opEnd, opEnd, opEnd)
	for local := range uint32(pieceLength + 1) {
		e.op(opLocalGet, local)
	}
	return append(e.out, opEnd)
}

// copyPiece copies the first piece of what is left, or the last one if what is copied would
// overwrite what is still to be copied.
func (e *emitter) copyPiece() {
	e.op(opLocalGet, pieceTo)
	e.op(opLocalGet, pieceFrom)
	e.out = append(e.out, opI32LeU, opIf, typeEmpty)
	e.op(opLocalGet, pieceTo)
	e.op(opLocalGet, pieceFrom)
	e.i32(pieceBytes)
	e.out = append(e.out, opPrefixBulk, bulkMemoryCopy, 0, 0)
	e.move(pieceTo, opI32Add)
	e.move(pieceFrom, opI32Add)
	e.move(pieceLength, opI32Sub)
	e.out = append(e.out, opElse)
	e.move(pieceLength, opI32Sub)
	for _, start := range []uint32{pieceTo, pieceFrom} {
		e.op(opLocalGet, start)
		e.op(opLocalGet, pieceLength)
		e.out = append(e.out, opI32Add)
	}
	e.i32(pieceBytes)
	e.out = append(e.out, opPrefixBulk, bulkMemoryCopy, 0, 0, opEnd)
}

// move adds the length of a piece to a local, or takes it away.
func (e *emitter) move(local uint32, op byte) {
	e.op(opLocalGet, local)
	e.i32(pieceBytes)
	e.out = append(e.out, op)
	e.op(opLocalSet, local)
}

// inBounds tells whether all the length from an address on is inside the memory.
func (e *emitter) inBounds(start uint32) {
	e.op(opLocalGet, start)
	e.out = append(e.out, opI64ExtendI32U)
	e.op(opLocalGet, pieceLength)
	e.out = append(e.out, opI64ExtendI32U, opI64Add, opMemorySize, 0, opI64ExtendI32U)
	e.i64(16) // a page is 64 KiB
	e.out = append(e.out, opI64Shl, opI64LeU)
}
