package engine

import "strings"

// A ValueType is the type of a parameter or result, as the binary format codes it.
type ValueType byte

const (
	I32       ValueType = 0x7f
	I64       ValueType = 0x7e
	F32       ValueType = 0x7d
	F64       ValueType = 0x7c
	V128      ValueType = 0x7b
	FuncRef   ValueType = 0x70
	ExternRef ValueType = 0x6f
)

// String is the name of the type in the text format.
func (t ValueType) String() string {
	switch t {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case V128:
		return "v128"
	case FuncRef:
		return "funcref"
	case ExternRef:
		return "externref"
	default:
		return "unknown"
	}
}

// A FuncType is the signature of a function.
type FuncType struct {
	Params  []ValueType
	Results []ValueType
}

// Func makes a signature; it keeps the slices.
func Func(params []ValueType, results ...ValueType) FuncType {
	return FuncType{Params: params, Results: results}
}

// Equal reports whether both signatures are the same.
func (t FuncType) Equal(other FuncType) bool {
	return string(bytesOf(t.Params)) == string(bytesOf(other.Params)) &&
		string(bytesOf(t.Results)) == string(bytesOf(other.Results))
}

// String is the signature as in "(i32, i32) -> i64".
func (t FuncType) String() string {
	var b strings.Builder
	b.WriteByte('(')
	writeTypes(&b, t.Params)
	b.WriteByte(')')
	if len(t.Results) > 0 {
		b.WriteString(" -> ")
		writeTypes(&b, t.Results)
	}
	return b.String()
}

func writeTypes(b *strings.Builder, types []ValueType) {
	for i, t := range types {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t.String())
	}
}

func bytesOf(types []ValueType) []byte {
	b := make([]byte, len(types))
	for i, t := range types {
		b[i] = byte(t)
	}
	return b
}

// An ExternKind is what an import or export is.
type ExternKind byte

const (
	ExternFunc ExternKind = iota
	ExternTable
	ExternMemory
	ExternGlobal
)

// String is the name of the kind in the text format.
func (k ExternKind) String() string {
	switch k {
	case ExternFunc:
		return "func"
	case ExternTable:
		return "table"
	case ExternMemory:
		return "memory"
	case ExternGlobal:
		return "global"
	default:
		return "unknown"
	}
}

// An Import is something that a module wants from the host.
type Import struct {
	Module string
	Name   string
	Kind   ExternKind
	Type   FuncType // of a function; else zero
}

// An Export is something that a module offers.
type Export struct {
	Name string
	Kind ExternKind
	Type FuncType // of a function; else zero
}
