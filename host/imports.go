package host

import (
	"context"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// guestOf finds the guest that an instance was made for. Instances of programs,
// which have none, can't import what needs one.
func guestOf(inst engine.Instance) *guest { return inst.Data().(*seat).guest }

// An inhabitant is what an instance was made for: the seat of a guest, or the run of
// a program.
type inhabitant interface {
	world() *wasi.Env
}

// guestImports are all functions that a guest may import: the ABI's and WASI's.
// None of the ABI's ends the guest, unless its context has ended; each answers with a
// status.
func guestImports() []engine.HostFunc {
	const i32, i64 = engine.I32, engine.I64
	define := func(name string, call func(context.Context, *guest, engine.Memory, []uint64) int64, result engine.ValueType, params ...engine.ValueType) engine.HostFunc {
		return engine.HostFunc{
			Module: abi.ImportModule, Name: name, Type: engine.Func(params, result),
			Call: func(ctx context.Context, inst engine.Instance, stack []uint64) error {
				memory := inst.Memory()
				if memory == nil {
					memory = noMemory{}
				}
				status := call(ctx, guestOf(inst), memory, stack)
				if result == i32 {
					stack[0] = uint64(uint32(status))
				} else {
					stack[0] = uint64(status)
				}
				return ended(ctx) // it may have stopped early
			},
		}
	}
	offered := append([]engine.HostFunc{
		define(abi.ImportLog, importLog, i32, i32, i32, i32),
		define(abi.ImportFail, importFail, i32, i32, i32),
		define(abi.ImportBlobLen, importBlobLen, i64, i32),
		define(abi.ImportBlobRead, importBlobRead, i32, i32, i64, i32, i32),
		define(abi.ImportBlobNew, importBlobNew, i32),
		define(abi.ImportBlobWrite, importBlobWrite, i32, i32, i32, i32),
		define(abi.ImportExtension, importExtension, i64, i32, i32, i32),
	}, wasi.Imports(func(inst engine.Instance) *wasi.Env { return inst.Data().(inhabitant).world() })...)
	for i := range offered {
		offered[i].Call = untilTheEnd(offered[i].Call)
	}
	return offered
}

// An importFunc is what an import does.
type importFunc = func(ctx context.Context, inst engine.Instance, stack []uint64) error

// untilTheEnd makes an import end the call once its context has ended: an import may
// take much longer than the fuel that a guest pays for calling it.
func untilTheEnd(call importFunc) importFunc {
	return func(ctx context.Context, inst engine.Instance, stack []uint64) error {
		if err := ended(ctx); err != nil {
			return err
		}
		return call(ctx, inst, stack)
	}
}

func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("host: the context ended the call: %w", err)
	}
	return nil
}

func importLog(_ context.Context, g *guest, memory engine.Memory, stack []uint64) int64 {
	level := uint32(stack[0])
	text, ok := memory.View(uint32(stack[1]), uint32(stack[2]))
	if !ok {
		return int64(abi.StatusBadPointer)
	}
	if level > uint32(abi.LogError) {
		return int64(abi.StatusBadArgument)
	}
	return int64(g.log(SourceLog, LogLevel(level), text))
}

// maxPanicBytes bounds what a dying guest may report.
const maxPanicBytes = 1 << 20

func importFail(_ context.Context, g *guest, memory engine.Memory, stack []uint64) int64 {
	g.panic = new(abi.Panic) // it is dead, however badly it says so
	if uint32(stack[1]) > maxPanicBytes {
		g.panic.Message = "its report is too long"
		return int64(abi.StatusLimit)
	}
	data, ok := memory.View(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		return int64(abi.StatusBadPointer)
	}
	var p abi.Panic
	if err := p.Unmarshal(data); err != nil {
		g.panic.Message = "its report can't be decoded"
		return int64(abi.StatusBadMessage)
	}
	g.panic = &p
	return 0
}

func importBlobLen(_ context.Context, g *guest, _ engine.Memory, stack []uint64) int64 {
	b, ok := g.blobs.get(uint32(stack[0]))
	if !ok {
		return int64(abi.StatusBadHandle)
	}
	return int64(len(b.data()))
}

// copyPiece is how much is copied before the context is looked at.
const copyPiece = 1 << 20

func importBlobRead(ctx context.Context, g *guest, memory engine.Memory, stack []uint64) int64 {
	b, ok := g.blobs.get(uint32(stack[0]))
	if !ok {
		return int64(abi.StatusBadHandle)
	}
	offset := int64(stack[1])
	if offset < 0 || uint32(stack[3]) > 1<<31-1 {
		return int64(abi.StatusBadArgument)
	}
	view, ok := memory.View(uint32(stack[2]), uint32(stack[3]))
	if !ok {
		return int64(abi.StatusBadPointer)
	}
	data := b.data()
	data = data[min(offset, int64(len(data))):]
	n := 0
	for n < min(len(view), len(data)) && (n == 0 || ctx.Err() == nil) {
		n += copy(view[n:], data[n:min(n+copyPiece, len(data))])
	}
	return int64(n)
}

func importBlobNew(_ context.Context, g *guest, _ engine.Memory, _ []uint64) int64 {
	handle, status := g.blobs.create()
	if status != 0 {
		return int64(status)
	}
	return int64(handle)
}

func importBlobWrite(ctx context.Context, g *guest, memory engine.Memory, stack []uint64) int64 {
	view, ok := memory.View(uint32(stack[1]), uint32(stack[2]))
	switch {
	case !ok:
		return int64(abi.StatusBadPointer)
	case len(view) > 1<<31-1:
		return int64(abi.StatusBadArgument)
	}
	if status := g.blobs.append(ctx, uint32(stack[0]), view); status != 0 {
		return int64(status)
	}
	return int64(len(view))
}

// importExtension is where later minor versions add functions. There are none.
func importExtension(context.Context, *guest, engine.Memory, []uint64) int64 {
	return int64(abi.StatusUnsupported)
}

// noMemory stands for the memory of a module that exports none; such a module
// may still call imports from its start function.
type noMemory struct{}

func (noMemory) Size() uint64                       { return 0 }
func (noMemory) View(uint32, uint32) ([]byte, bool) { return nil, false }
func (noMemory) Grow(uint32) bool                   { return false }
