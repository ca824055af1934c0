package metering

import "fmt"

// Opcodes that the rewriter has to know.
const (
	opUnreachable        = 0x00
	opNop                = 0x01
	opBlock              = 0x02
	opLoop               = 0x03
	opIf                 = 0x04
	opElse               = 0x05
	opEnd                = 0x0b
	opBr                 = 0x0c
	opBrIf               = 0x0d
	opBrTable            = 0x0e
	opReturn             = 0x0f
	opCall               = 0x10
	opCallIndirect       = 0x11
	opReturnCall         = 0x12
	opReturnCallIndirect = 0x13
	opSelect             = 0x1b
	opSelectTyped        = 0x1c
	opLocalGet           = 0x20
	opLocalSet           = 0x21
	opLocalTee           = 0x22
	opGlobalGet          = 0x23
	opGlobalSet          = 0x24
	opTableGet           = 0x25
	opTableSet           = 0x26
	opMemorySize         = 0x3f
	opMemoryGrow         = 0x40
	opI32Const           = 0x41
	opI64Const           = 0x42
	opF32Const           = 0x43
	opF64Const           = 0x44
	opI32Ne              = 0x47
	opI32LtS             = 0x48
	opI32GtU             = 0x4b
	opI32LeU             = 0x4d
	opI64LtS             = 0x53
	opI64LeU             = 0x58
	opF32Ge              = 0x60
	opF64Ge              = 0x66
	opI32Add             = 0x6a
	opI32Sub             = 0x6b
	opI32Mul             = 0x6c
	opI32DivS            = 0x6d
	opI32And             = 0x71
	opI64Add             = 0x7c
	opI64Sub             = 0x7d
	opI64Mul             = 0x7e
	opI64DivS            = 0x7f
	opI64Shl             = 0x86
	opI64ShrU            = 0x88
	opI32TruncF32S       = 0xa8
	opI64ExtendI32U      = 0xad
	opI64TruncF32S       = 0xae
	opRefNull            = 0xd0
	opRefFunc            = 0xd2
	opPrefixGC           = 0xfb
	opPrefixBulk         = 0xfc
	opPrefixVector       = 0xfd
	opPrefixAtomic       = 0xfe
)

// Opcodes after opPrefixBulk.
const (
	bulkMemoryInit = 8
	bulkDataDrop   = 9
	bulkMemoryCopy = 10
	bulkMemoryFill = 11
	bulkTableInit  = 12
	bulkElemDrop   = 13
	bulkTableCopy  = 14
	bulkTableGrow  = 15
	bulkTableSize  = 16
	bulkTableFill  = 17
)

// Opcodes after opPrefixVector.
const (
	vectorConst       = 12
	vectorShuffle     = 13
	vectorExtractLane = 21 // the first of those with a lane
	vectorReplaceLast = 34 // the last of those
	vectorF32x4Eq     = 65
	vectorF64x2Eq     = 71
	vectorBitselect   = 82
	vectorLoadLane    = 84  // the first of those with a place in memory and a lane
	vectorStoreLast   = 91  // the last of those
	vectorLoadZero    = 92  // the first of two with a place in memory
	vectorRelaxed     = 256 // the first of relaxed SIMD
)

// A form is what follows an opcode.
type form byte

const (
	formUnknown form = iota
	formNone
	formSpecial // its function is in body.go
	formMemory
	formLocal
	formGlobal
	formTable
	formByteZero // memory.size
	formI32
	formI64
	form4
	form8
	formRefType
	formGC
	formExceptions
	formReferences
	formThreads
)

var forms = makeForms()

func makeForms() (f [256]form) {
	for op := 0x45; op <= 0xc4; op++ { // numbers
		f[op] = formNone
	}
	for op := 0x28; op <= 0x3e; op++ { // loads and stores
		f[op] = formMemory
	}
	for op, form := range map[byte]form{
		opUnreachable: formSpecial, opNop: formSpecial, opBlock: formSpecial, opLoop: formSpecial, opIf: formSpecial,
		opElse: formSpecial, opEnd: formSpecial, opBr: formSpecial, opBrIf: formSpecial, opBrTable: formSpecial,
		opReturn: formSpecial, opCall: formSpecial, opCallIndirect: formSpecial, opReturnCall: formSpecial,
		opReturnCallIndirect: formSpecial, opRefFunc: formSpecial, opMemoryGrow: formSpecial,
		opSelectTyped: formSpecial, opPrefixBulk: formSpecial, opPrefixVector: formSpecial,

		0x1a: formNone, opSelect: formNone, 0xd1: formNone, // drop, select, ref.is_null
		opLocalGet: formLocal, opLocalSet: formLocal, opLocalTee: formLocal,
		opGlobalGet: formGlobal, opGlobalSet: formGlobal,
		opTableGet: formTable, opTableSet: formTable,
		opMemorySize: formByteZero,
		opI32Const:   formI32, opI64Const: formI64, opF32Const: form4, opF64Const: form8,
		opRefNull: formRefType,

		0x06: formExceptions, 0x07: formExceptions, 0x08: formExceptions, 0x09: formExceptions,
		0x0a: formExceptions, 0x18: formExceptions, 0x19: formExceptions, 0x1f: formExceptions,
		0x14: formReferences, 0x15: formReferences, 0xd4: formReferences, 0xd5: formReferences,
		0xd6: formReferences, 0xd3: formGC, opPrefixGC: formGC, opPrefixAtomic: formThreads,
	} {
		f[op] = form
	}
	return f
}

// refusedNames are the opcodes that are known and refused, but for those with a
// prefix.
var refusedNames = map[byte]string{
	0x06: "try", 0x07: "catch", 0x08: "throw", 0x09: "rethrow", 0x0a: "throw_ref", 0x18: "delegate",
	0x19: "catch_all", 0x1f: "try_table", 0x14: "call_ref", 0x15: "return_call_ref", 0xd3: "ref.eq",
	0xd4: "ref.as_non_null", 0xd5: "br_on_null", 0xd6: "br_on_non_null",
}

func (r *reader) refuseOpcode(at int, op byte) {
	name, ok := refusedNames[op]
	if !ok {
		name = fmt.Sprintf("%#x %#x", op, r.u32())
	}
	what := "the opcode " + name
	switch forms[op] {
	case formGC:
		r.unsupported(at, what, "garbage collection")
	case formExceptions:
		r.unsupported(at, what, "exceptions")
	case formReferences:
		r.unsupported(at, what, "typed function references")
	case formThreads:
		r.unsupported(at, what, "threads")
	default:
		r.malformed(at, "the unknown opcode %#x", op)
	}
}

// memoryAccess takes the alignment and the offset of a load or a store.
func (r *reader) memoryAccess() {
	at := r.pos
	if align := r.u32(); align >= 64 && r.err == nil {
		r.unsupported(at, "an access to a second memory", "multiple memories")
	}
	r.u32()
}

// vectorImmediate takes what follows a vector opcode.
func (r *reader) vectorImmediate(at int, op uint32) {
	switch {
	case op < vectorConst, op == vectorLoadZero, op == vectorLoadZero+1:
		r.memoryAccess()
	case op == vectorConst, op == vectorShuffle:
		r.skip(16)
	case op >= vectorExtractLane && op <= vectorReplaceLast:
		r.skip(1)
	case op >= vectorLoadLane && op <= vectorStoreLast:
		r.memoryAccess()
		r.skip(1)
	case op >= vectorRelaxed && r.err == nil:
		r.unsupported(at, fmt.Sprintf("the vector opcode %#x", op), "relaxed SIMD")
	}
}
