package metering

// Which NaN arithmetic gives depends on the engine, the order of operands in its code, and
// the processor, and a guest can look at the bits. So arithmetic is followed by code that
// makes any NaN the one that the specification always allows, the canonical one without a
// sign. What moves a float, negates it, or copies a sign keeps all bits, as it has to.

// A shape is what arithmetic takes its operands for.
type shape byte

const (
	shapeBits shape = iota // any, all of whose bits count
	shapeF32
	shapeF64
	shapeF32x4
	shapeF64x2
	shapes
)

// A floatOp is an instruction of the numbers: arithmetic on floats gives a shape, and
// nothing of a NaN's bits gets through what takes one but shapeBits.
type floatOp struct{ takes, gives shape }

// A floatRun is opcodes that follow each other, and are alike.
type floatRun struct {
	first, last byte
	floatOp
}

var floatOps = makeFloatOps([]floatRun{
	{0x5b, 0x60, floatOp{takes: shapeF32}}, // comparisons
	{0x61, 0x66, floatOp{takes: shapeF64}},
	{0x8d, 0x97, floatOp{shapeF32, shapeF32}}, // ceil to max
	{0x9b, 0xa5, floatOp{shapeF64, shapeF64}},
	{0xa8, 0xa9, floatOp{takes: shapeF32}}, {0xae, 0xaf, floatOp{takes: shapeF32}}, // trunc
	{0xaa, 0xab, floatOp{takes: shapeF64}}, {0xb0, 0xb1, floatOp{takes: shapeF64}},
	{0xb6, 0xb6, floatOp{shapeF64, shapeF32}}, // demote
	{0xbb, 0xbb, floatOp{shapeF32, shapeF64}}, // promote
})

var floatBulkOps = makeFloatOps([]floatRun{
	{0, 1, floatOp{takes: shapeF32}}, {4, 5, floatOp{takes: shapeF32}}, // trunc_sat
	{2, 3, floatOp{takes: shapeF64}}, {6, 7, floatOp{takes: shapeF64}},
})

// pmin and pmax aren't among them, since they give one of their operands as it is.
var floatVectorOps = makeFloatOps([]floatRun{
	{0x41, 0x46, floatOp{takes: shapeF32x4}}, // comparisons
	{0x47, 0x4c, floatOp{takes: shapeF64x2}},
	{0x5e, 0x5e, floatOp{shapeF64x2, shapeF32x4}},                                                // demote
	{0x5f, 0x5f, floatOp{shapeF32x4, shapeF64x2}},                                                // promote
	{0x67, 0x6a, floatOp{shapeF32x4, shapeF32x4}}, {0xe3, 0xe9, floatOp{shapeF32x4, shapeF32x4}}, // ceil to nearest, sqrt to max
	{0x74, 0x75, floatOp{shapeF64x2, shapeF64x2}}, {0x7a, 0x7a, floatOp{shapeF64x2, shapeF64x2}},
	{0x94, 0x94, floatOp{shapeF64x2, shapeF64x2}}, {0xef, 0xf5, floatOp{shapeF64x2, shapeF64x2}},
	{0xf8, 0xf9, floatOp{takes: shapeF32x4}}, {0xfc, 0xfd, floatOp{takes: shapeF64x2}}, // trunc_sat
})

func makeFloatOps(runs []floatRun) (ops [256]floatOp) {
	for _, r := range runs {
		for op := int(r.first); op <= int(r.last); op++ {
			ops[op] = r.floatOp
		}
	}
	return ops
}

// A canon is how values of a shape are made canonical.
type canon struct {
	local   byte   // the type of the scratch local
	nan     []byte // the code of the constant
	ordered []byte // what compares a value with itself: true but for NaN
	choose  []byte // the value where that is true, or else the constant
}

var canons = [shapes]canon{
	shapeF32:   {typeF32, []byte{opF32Const, 0, 0, 0xc0, 0x7f}, []byte{opF32Ge}, []byte{opSelect}},
	shapeF64:   {typeF64, []byte{opF64Const, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, []byte{opF64Ge}, []byte{opSelect}},
	shapeF32x4: {typeV128, []byte("\xfd\x0c\x00\x00\xc0\x7f\x00\x00\xc0\x7f\x00\x00\xc0\x7f\x00\x00\xc0\x7f"), []byte{opPrefixVector, vectorF32x4Eq}, []byte{opPrefixVector, vectorBitselect}},
	shapeF64x2: {typeV128, []byte("\xfd\x0c\x00\x00\x00\x00\x00\x00\xf8\x7f\x00\x00\x00\x00\x00\x00\xf8\x7f"), []byte{opPrefixVector, vectorF64x2Eq}, []byte{opPrefixVector, vectorBitselect}},
}

// scratchTypes are those of the locals that it takes to make values canonical.
var scratchTypes = [...]byte{typeF32, typeF64, typeV128}

// needs tells whether a function needs a scratch local of a type, which is then used.
func (e *emitter) needs(b *body, t byte, local uint32) (needed bool) {
	for _, r := range b.results {
		if r.seen && canons[r.shape].local == t {
			e.scratch[r.shape], needed = local, true
		}
	}
	return needed
}

// canonical makes a NaN on top of the stack the canonical one.
func (e *emitter) canonical(s shape) {
	c := &canons[s]
	local := e.scratch[s]
	e.op(opLocalTee, local)
	e.out = append(e.out, c.nan...)
	e.op(opLocalGet, local)
	e.op(opLocalGet, local)
	e.out = append(e.out, c.ordered...)
	e.out = append(e.out, c.choose...)
}
