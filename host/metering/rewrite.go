package metering

import (
	"fmt"
	"math"
)

// Names that the rewriter reserves. A module that already uses the prefix, in an
// export or as the module of an import, is refused.
const (
	ReservedPrefix = "wasmsandbox."

	// ImportModule and ImportRefill name the function that a rewritten module
	// imports, of type (i64) -> i64.
	ImportModule = ReservedPrefix + "metering"
	ImportRefill = "refill"

	// ImportRefused, of type (i32) -> (), ImportTooDeep, of type () -> (), and
	// ImportRefusedTable, of type (i32, i32) -> (), are what it imports as well with
	// [Options.ReportBreaches].
	ImportRefused      = "refused"
	ImportTooDeep      = "too-deep"
	ImportRefusedTable = "refused-table"

	// ExportFuel is the global of type i64 that holds the fuel that is left.
	ExportFuel = ReservedPrefix + "fuel"

	// ExportDepth is the global of type i32 that holds how many calls deeper the
	// guest may go.
	ExportDepth = ReservedPrefix + "depth"

	// ExportGlobal and the index of a global are the name under which
	// [Options.ExportGlobals] exports it.
	ExportGlobal = ReservedPrefix + "global."
)

// MaxDepth is the most that [Options.MaxDepth] may be.
const MaxDepth = math.MaxInt32

// Options say what a rewritten module is to have besides fuel, which it always
// counts.
type Options struct {
	// MaxDepth bounds how deep calls may nest. 0 means that they aren't counted.
	// A call counts if the called function is the module's and calls others of
	// the module; it counts 1, and 1 more for each 64 parameters and locals that
	// the function has, where a vector is two. What is on its operand stack where that
	// is highest, with what calls pass, counts as vectors, but for 8 of it.
	MaxDepth int

	// ExportGlobals exports all mutable globals, so that the state of an instance
	// can be read and written from outside.
	ExportGlobals bool

	// ReportBreaches makes a guest whose memory.grow is refused call the import
	// [ImportRefused] with the number of pages it wanted, before it goes on, one whose
	// table.grow is refused call [ImportRefusedTable] with the entries that the table has
	// and the number it wanted, and one whose calls nest too deep call [ImportTooDeep],
	// before it traps.
	ReportBreaches bool

	// MaxMemoryPages and MaxTableEntries bound what the module's memory, and each of
	// its tables, can have: a larger maximum is lowered, and a module that wants more
	// from the start is refused. 0 leaves the module as it is.
	MaxMemoryPages  uint32
	MaxTableEntries uint32
}

// Rewrite gives a module that computes what the original does and counts fuel.
// It doesn't keep or change wasm. It fails with an [*Error].
//
// The original doesn't have to be valid: Rewrite checks what keeps a guest from
// reaching what it adds, which is the format and all indices, and leaves the
// types to the engine that compiles the result.
func Rewrite(wasm []byte, options Options) (*Result, error) {
	if options.MaxDepth < 0 || options.MaxDepth > MaxDepth {
		panic(fmt.Sprintf("metering: a MaxDepth of %d", options.MaxDepth))
	}
	if len(wasm) > math.MaxInt32/2 {
		return nil, &Error{Kind: Unsupported, Reason: "it is larger than a gibibyte"}
	}
	m, err := scan(wasm)
	if err != nil {
		return nil, err
	}
	w := newWriter(m, options)
	if err := w.write(); err != nil {
		return nil, err
	}
	w.hidden()
	return &Result{
		Wasm:       w.out,
		Exports:    w.exports,
		Globals:    w.exposed,
		Offsets:    &OffsetMap{spans: w.spans},
		LeastPages: w.pages.least,
		MostPages:  w.pages.most,
		Volatile:   w.why(),
	}, nil
}
