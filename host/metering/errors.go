package metering

import "fmt"

// An ErrorKind says why a module wasn't rewritten. It is an error itself, so
// that errors.Is(err, metering.Unsupported) works.
type ErrorKind int

const (
	// Malformed is a module that breaks the binary format, or refers to
	// something that it doesn't have.
	Malformed ErrorKind = iota + 1

	// Unsupported is a module that uses a feature of WebAssembly which can't be
	// metered: garbage collection, exceptions, threads, several memories, 64-bit
	// memories, typed function references or relaxed SIMD.
	Unsupported

	// Reserved is a module that imports or exports a name which starts with
	// [ReservedPrefix], as one does that has been rewritten already.
	Reserved

	// TooLarge is a module with a part that is larger than any compiler makes it, and
	// that engines take very long for: their time grows with its square. So is one whose
	// functions take very long all together, or that takes very much memory to compile.
	TooLarge
)

// The largest parts of a module. The first three are those of browsers.
const (
	maxTypes    = 1_000     // parameters, or results, of a function
	maxTargets  = 65_520    // of a br_table
	maxSegments = 100_000   // of data, or elements
	maxNesting  = 10_000    // of blocks in a function
	maxBody     = 1_000_000 // bytes of a function; the largest of Go's own compiler has 666 326
)

func (k ErrorKind) Error() string {
	switch k {
	case Malformed:
		return "the module is malformed"
	case Unsupported:
		return "the module uses an unsupported feature"
	case Reserved:
		return "the module uses a reserved name"
	case TooLarge:
		return "the module has a part that is too large"
	default:
		return fmt.Sprintf("error kind %d", int(k))
	}
}

// An Error says why a module wasn't rewritten, and where.
type Error struct {
	Kind   ErrorKind
	Offset int    // in bytes from the start of the module
	Reason string // for example "the opcode atomic.fence needs threads"
	Err    error  // a *SizeError, or nil
}

func (e *Error) Error() string {
	return fmt.Sprintf("metering: %v: %s at offset %#x", e.Kind, e.Reason, e.Offset)
}

// Unwrap gives the kind, and the cause if there is one.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// A SizeError is the cause of an [Error] of the kind TooLarge: a memory or a table is
// larger from the start than [Options] allow.
type SizeError struct {
	Memory bool   // else it is a table
	Wanted uint32 // pages of 64 KiB, or entries
	Most   uint32
}

func (e *SizeError) Error() string {
	if e.Memory {
		return fmt.Sprintf("a memory of %d pages, the most is %d", e.Wanted, e.Most)
	}
	return fmt.Sprintf("a table of %d entries, the most is %d", e.Wanted, e.Most)
}
