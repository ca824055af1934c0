package metered

import (
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var errBusy = errors.New("the instance is in a call already")

// A StartError is what a start function has failed with that has used fuel. Nobody can
// see how much an instance has left that isn't made: it pays for all that it was dealt, by
// which it may pay for a slice too much, but never more than its limit.
type StartError struct {
	Used int64
	Err  error // what Instantiate would fail with otherwise
}

func (e *StartError) Error() string { return e.Err.Error() }

func (e *StartError) Unwrap() error { return e.Err }

// A DepthError is the end of a call whose calls nested too deep. It wraps the trap,
// whose reason is the one for a stack that has overflown.
type DepthError struct {
	Limit int
	Trap  *engine.TrapError

	// Full says that the stack of the engine was full before the limit was reached, which
	// only happens to functions that an engine keeps much more for than they have.
	Full bool
}

func (e *DepthError) Error() string {
	if e.Full {
		return "engine: calls nest so deep that the stack is full"
	}
	return fmt.Sprintf("engine: calls nest deeper than %d", e.Limit)
}

func (e *DepthError) Unwrap() error { return e.Trap }

// A MemoryError is a trap in a call that was refused memory before. It wraps the trap.
type MemoryError struct {
	Wanted uint32 // pages more, when it was last refused
	Pages  uint32 // that it has
	Trap   *engine.TrapError
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("engine: the guest has %d pages of memory, and trapped after it was refused %d more: %s",
		e.Pages, e.Wanted, e.Trap.Reason)
}

func (e *MemoryError) Unwrap() error { return e.Trap }

// A TableError is a trap in a call that was refused entries of a table before. It wraps
// the trap.
type TableError struct {
	Wanted  uint32 // entries more, when it was last refused
	Entries uint32 // that the table has
	Trap    *engine.TrapError
}

func (e *TableError) Error() string {
	return fmt.Sprintf("engine: the guest has a table of %d entries, and trapped after it was refused %d more: %s",
		e.Entries, e.Wanted, e.Trap.Reason)
}

func (e *TableError) Unwrap() error { return e.Trap }

// A StateErrorKind says why a state couldn't be taken, given or read. It is an error
// itself, so that errors.Is(err, metered.Volatile) works.
type StateErrorKind int

const (
	// NotIdle is an instance that is in a call, or whose last call has failed.
	NotIdle StateErrorKind = iota + 1

	// Volatile is an instance whose memory and globals aren't all of its state.
	Volatile

	// OtherModule is an instance of another module than the state's.
	OtherModule

	// LargerMemory is an instance whose memory is larger than the state's, and can't
	// shrink. A new instance takes the state.
	LargerMemory

	// NoMemory is an instance whose memory can't grow to the state's size.
	NoMemory

	// Malformed is an encoded state that isn't one, or is damaged.
	Malformed
)

func (k StateErrorKind) Error() string {
	switch k {
	case NotIdle:
		return "the instance isn't idle"
	case Volatile:
		return "the instance has state that can't be copied"
	case OtherModule:
		return "the state is one of another module"
	case LargerMemory:
		return "the memory is larger than the state's"
	case NoMemory:
		return "the memory can't grow to the state's size"
	case Malformed:
		return "the encoded state is malformed"
	default:
		return fmt.Sprintf("state error kind %d", int(k))
	}
}

// A StateError says why a state couldn't be taken, given or read.
type StateError struct {
	Kind   StateErrorKind
	Reason string // more on it, if there is more
}

func (e *StateError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("engine: %v", e.Kind)
	}
	return fmt.Sprintf("engine: %v: %s", e.Kind, e.Reason)
}

// Unwrap gives the kind.
func (e *StateError) Unwrap() error { return e.Kind }
