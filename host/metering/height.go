package metering

// What a frame has room for beside its locals: values on the operand stack that a call
// has to keep, or passes on. A body follows how many there are. It doesn't know their
// types, so that each counts as a vector.

// freeHeight is how many of them nobody counts, as hardly any function has less.
const freeHeight = 8

// moves notes that an instruction leaves so many more values than it takes.
func (b *body) moves(by int) {
	b.height = max(b.height+by, b.top().height)
	b.holds(0)
}

// holds notes that the frame has room for so many values more than there are.
func (b *body) holds(more int) {
	if b.current != dead {
		b.highest = max(b.highest, b.height+more)
	}
}

// enters opens the frame of a block, which takes its parameters, and an if a condition
// as well.
func (b *body) enters(op byte, params, results int) {
	taken := params
	if op == opIf {
		taken++
	}
	b.moves(-taken)
	below := b.height
	b.push(op)
	f := b.top()
	f.height, f.params, f.results = below, params, results
	b.moves(params)
}

// A run is opcodes that follow each other, and leave by as many more values than they take.
type run struct {
	first, last byte
	by          int8
}

// effects is what opcodes leave more than they take, but for those that have a closer look
// taken at: 0 where no run says otherwise.
var effects = makeEffects([]run{
	{0x1a, 0x1a, -1},              // drop
	{opSelect, opSelectTyped, -2}, // both forms of select
	{opLocalGet, opLocalGet, 1},
	{opLocalSet, opLocalSet, -1},
	{opGlobalGet, opGlobalGet, 1},
	{opGlobalSet, opGlobalSet, -1},
	{opTableSet, opTableSet, -2},
	{0x36, 0x3e, -2}, // stores
	{opMemorySize, opMemorySize, 1},
	{opI32Const, opF64Const, 1},
	{0x46, 0x4f, -1}, {0x51, 0x66, -1}, // comparisons, but for eqz
	{opI32Add, 0x78, -1}, {opI64Add, 0x8a, -1}, // of integers, but for clz, ctz and popcnt
	{0x92, 0x98, -1}, {0xa0, 0xa6, -1}, // of floats, with two of them
	{opRefNull, opRefNull, 1},
	{opRefFunc, opRefFunc, 1},
})

var bulkEffects = makeEffects([]run{
	{bulkMemoryInit, bulkMemoryInit, -3},
	{bulkMemoryCopy, bulkTableInit, -3},
	{bulkTableCopy, bulkTableCopy, -3},
	{bulkTableGrow, bulkTableGrow, -1},
	{bulkTableSize, bulkTableSize, 1},
	{bulkTableFill, bulkTableFill, -3},
})

var vectorEffects = makeEffects([]run{
	{11, 11, -2}, // store
	{vectorConst, vectorConst, 1},
	{vectorShuffle, 14, -1},                                                            // and swizzle
	{23, 23, -1}, {26, 26, -1}, {28, 28, -1}, {30, 30, -1}, {32, 32, -1}, {34, 34, -1}, // replace_lane
	{35, 76, -1},               // comparisons
	{78, 81, -1}, {82, 82, -2}, // of bits, with two of them; bitselect
	{vectorLoadLane, 87, -1},
	{88, vectorStoreLast, -2},
	{0x65, 0x66, -1}, {0x6b, 0x73, -1}, {0x76, 0x79, -1}, {0x7b, 0x7b, -1}, // of i8x16, with two of them
	{0x82, 0x82, -1}, {0x85, 0x86, -1}, {0x8b, 0x93, -1}, {0x95, 0x9f, -1}, // of i16x8
	{0xab, 0xbf, -1},                   // of i32x4
	{0xcb, 0xdf, -1},                   // of i64x2
	{0xe4, 0xeb, -1}, {0xf0, 0xf7, -1}, // of f32x4 and f64x2
})

func makeEffects(runs []run) (effects [256]int8) {
	for _, r := range runs {
		for op := int(r.first); op <= int(r.last); op++ {
			effects[op] = r.by
		}
	}
	return effects
}
