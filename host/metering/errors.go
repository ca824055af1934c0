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
)

func (k ErrorKind) Error() string {
	switch k {
	case Malformed:
		return "the module is malformed"
	case Unsupported:
		return "the module uses an unsupported feature"
	case Reserved:
		return "the module uses a reserved name"
	default:
		return fmt.Sprintf("error kind %d", int(k))
	}
}

// An Error says why a module wasn't rewritten, and where.
type Error struct {
	Kind   ErrorKind
	Offset int    // in bytes from the start of the module
	Reason string // for example "the opcode atomic.fence needs threads"
}

func (e *Error) Error() string {
	return fmt.Sprintf("metering: %v: %s at offset %#x", e.Kind, e.Reason, e.Offset)
}

// Unwrap gives the kind.
func (e *Error) Unwrap() error { return e.Kind }
