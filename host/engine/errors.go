package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrClosed is what a call into a closed instance fails with.
var ErrClosed = errors.New("engine: the instance is closed")

// ContextError is the error of a call whose context has ended, which wraps that of the
// context. It is nil if the context lasts.
func ContextError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("engine: the context ended the call: %w", err)
	}
	return nil
}

// A CompileError says why a module can't be compiled.
type CompileError struct {
	Err error
}

func (e *CompileError) Error() string { return "engine: invalid module: " + e.Err.Error() }
func (e *CompileError) Unwrap() error { return e.Err }

// A SizeError says that a module wants more from the start than an instance can have. A
// CompileError wraps it.
type SizeError struct {
	Part   ExternKind // ExternMemory or ExternTable
	Wanted uint64     // pages of the memory, or entries of the table
	Most   uint64     // of them
	Err    error      // who says so; may be nil
}

func (e *SizeError) Error() string {
	unit := "pages"
	if e.Part == ExternTable {
		unit = "entries"
	}
	return fmt.Sprintf("it has a %s of %d %s, the most is %d", e.Part, e.Wanted, unit, e.Most)
}

func (e *SizeError) Unwrap() error { return e.Err }

// A CacheError says that a folder can't hold compiled code.
type CacheError struct {
	Dir string
	Err error
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("engine: the folder %s can't be a compilation cache: %v", e.Dir, e.Err)
}
func (e *CacheError) Unwrap() error { return e.Err }

// A LinkError names the import that the host doesn't offer, or offers with
// another type.
type LinkError struct {
	Import Import
	Have   *FuncType // the type on offer; nil when there is none
}

func (e *LinkError) Error() string {
	if e.Have == nil {
		return fmt.Sprintf("engine: nothing offers the import %s.%s (%s)", e.Import.Module, e.Import.Name, e.Import.Kind)
	}
	return fmt.Sprintf("engine: the import %s.%s wants the type %s, the host offers %s",
		e.Import.Module, e.Import.Name, e.Import.Type, *e.Have)
}

// A TrapError is the end of a call by the WebAssembly machine itself: an
// unreachable instruction, a memory access out of bounds, a stack overflow.
type TrapError struct {
	Reason string // in the engine's words, one line
	Stack  string // the guest's frames, innermost first, one a line; may be empty
	Err    error  // the engine's own error
}

func (e *TrapError) Error() string { return "engine: trap: " + e.Reason }
func (e *TrapError) Unwrap() error { return e.Err }
