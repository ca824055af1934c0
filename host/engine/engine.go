// Package engine is what a WebAssembly engine has to offer the host: compile,
// instantiate, call, look at memory. It knows bytes and functions, and nothing
// of the messages that travel over them, so that an adapter stays thin and the
// ABI is written once, in package host.
//
// Adapters live in sub-packages; package enginetest holds the contract that
// each of them has to pass. Embedders rarely import this package: package host
// picks an engine by itself.
package engine

import "context"

// An Engine compiles modules. It is safe for concurrent use.
//
// The functions a guest may import are given to the adapter's constructor: they
// are the same for all modules of an engine, and find their own state in the
// [Instance] that calls them.
type Engine interface {
	// Name identifies the engine in reports, for example "wazero".
	Name() string

	// Compile validates and compiles a core WebAssembly module. Neither the
	// module's start function nor anything else of it runs. The engine doesn't
	// keep wasm. Fails with a *CompileError, which wraps a *SizeError if the module
	// wants more from the start than Bounds, or an error that wraps ErrClosed once
	// the engine is closed.
	Compile(ctx context.Context, wasm []byte) (Module, error)

	// Bounds tells the most that an instance can have, whatever its module says.
	Bounds() Bounds

	// Close releases the engine, its modules and their instances. It doesn't wait for
	// calls in progress, as [Instance.Close] doesn't.
	Close(ctx context.Context) error
}

// PageSize is the size of a page of a memory in bytes.
const PageSize = 64 << 10

// Bounds are the most that an instance can have. 0 is as much as WebAssembly allows.
type Bounds struct {
	MemoryPages  uint64 // of its memory
	TableEntries uint64 // of each of its tables
}

// A Module is compiled code. It is immutable, and safe for concurrent use.
type Module interface {
	// Imports lists what the module wants, in the order of its import section.
	// The caller must not change the slice.
	Imports() []Import

	// Exports lists what the module offers, sorted by name. The caller must not
	// change the slice.
	Exports() []Export

	// Instantiate makes an instance with a memory of its own, and runs the
	// start function of the module's start section if it has one. It calls no
	// export: neither _start nor _initialize. The instance keeps data, which
	// host functions get back from [Instance.Data].
	//
	// Fails with a *LinkError when an import is unknown or has another type,
	// and as [Function.Call] does when the start function fails.
	Instantiate(ctx context.Context, data any) (Instance, error)

	// Close releases the compiled code. Instances made before stay usable.
	Close(ctx context.Context) error
}

// An Instance is a module with memory. But for Close, it is not safe for concurrent
// use: one call at a time, and no call into an instance from one of its own imports.
type Instance interface {
	// Data is what Instantiate was given.
	Data() any

	// Function finds an exported function. The result may be kept as long as
	// the instance.
	Function(name string) (Function, bool)

	// Memory is the memory exported under the name "memory", or nil. The result
	// may be kept as long as the instance, and sees the memory grow.
	Memory() Memory

	// Global finds an exported global of a number type: those of vectors and
	// references aren't found, and while the start function runs there may be none.
	// The result may be kept as long as the instance.
	Global(name string) (Global, bool)

	// Close releases the instance. It is idempotent, and may be called while a call is in
	// progress: it doesn't wait for that, which fails with ErrClosed or comes to its end,
	// and what the call uses is released then.
	Close(ctx context.Context) error
}

// A Function is an exported function of an instance.
type Function interface {
	// Call runs the function. The stack holds the parameters on entry and the
	// results on return, each as the raw bits of its value; its length must be
	// at least the larger of both counts. Of a value of 32 bits, the upper half of
	// its entry means nothing. The engine doesn't keep the stack.
	//
	// Call fails with
	//   - an error that wraps the error of the host function that ended the call,
	//   - an error that wraps ctx.Err() when the context ended it,
	//   - ErrClosed when the instance was closed before,
	//   - a *TrapError for everything else that ends a call.
	//
	// It never panics. After any failure the instance must not be called again.
	Call(ctx context.Context, stack []uint64) error
}

// A Memory is the linear memory of an instance.
type Memory interface {
	// Size is the current size in bytes.
	Size() uint64

	// View gives n bytes at an offset, or false when they aren't all inside the
	// memory. The slice aliases guest memory: writes go to the guest, and it is
	// valid only until the next call into the instance, or until that is closed.
	View(offset, n uint32) ([]byte, bool)

	// Grow adds pages, which hold zeros, or answers false and adds none
	// when that is more than the module or the engine allows. Views from before are
	// no longer valid.
	Grow(pages uint32) bool
}

// A Global is an exported global of an instance, of a number type.
type Global interface {
	// Type is I32, I64, F32 or F64.
	Type() ValueType

	// Get gives the raw bits of the value. Of a value of 32 bits, the upper half is 0.
	// Once the instance is closed, it is 0 or what it was then.
	Get() uint64

	// Set changes the value to one of these bits. Of a value of 32 bits, the upper half
	// means nothing. It answers false when the global can't be changed, which is so for
	// one that isn't mutable and, with some engines, one of a closed instance.
	Set(bits uint64) bool
}

// A HostFunc is a function that guests may import.
type HostFunc struct {
	Module string
	Name   string
	Type   FuncType

	// Call is run when a guest calls the import. The stack holds the parameters
	// on entry and takes the results. The caller is the guest's instance, whose
	// memory may be read and written. An error ends the guest's call at once;
	// Function.Call then returns an error that wraps it. Calls of different
	// instances may overlap.
	Call func(ctx context.Context, caller Instance, stack []uint64) error
}
