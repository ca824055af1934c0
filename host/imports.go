package host

import (
	"context"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// guestOf finds the guest that an instance was made for. Instances of programs,
// which have none, can't import what needs one.
func guestOf(inst engine.Instance) *guest { return inst.Data().(*guestSlot).guest }

// A tenant is what an instance was made for: the slot of a guest, or the run of
// a program.
type tenant interface {
	wasiEnv() *wasi.Env
}

// guestImports are all functions that a guest may import: the ABI's and WASI's.
// None of the ABI's ends the guest, unless its context has ended or it has no fuel left
// to pay with; each answers with a status.
func guestImports() []engine.HostFunc {
	const i32, i64 = engine.I32, engine.I64
	define := func(name string, call abiFunc, result engine.ValueType, params ...engine.ValueType) engine.HostFunc {
		return engine.HostFunc{
			Module: abi.ImportModule, Name: name, Type: engine.Func(params, result),
			Call: func(ctx context.Context, inst engine.Instance, stack []uint64) error {
				c := caller{ctx: ctx, instance: inst, guest: guestOf(inst), memory: inst.Memory()}
				if c.memory == nil {
					c.memory = noMemory{}
				}
				status, err := call(c, stack)
				if result == i32 {
					stack[0] = uint64(uint32(status))
				} else {
					stack[0] = uint64(status)
				}
				return err
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
	}, wasi.Imports(func(inst engine.Instance) *wasi.Env { return inst.Data().(tenant).wasiEnv() })...)
	for i := range offered {
		offered[i].Call = checkingContext(offered[i].Call)
	}
	return offered
}

// An importFunc is what an import does.
type importFunc = func(ctx context.Context, inst engine.Instance, stack []uint64) error

// checkingContext makes an import end the call if its context has ended: imports may take
// much longer than the fuel that a guest pays for calling them, so that fuel alone doesn't
// find out in time.
func checkingContext(call importFunc) importFunc {
	return func(ctx context.Context, inst engine.Instance, stack []uint64) error {
		if err := engine.ContextError(ctx); err != nil {
			return err
		}
		return call(ctx, inst, stack)
	}
}

// An abiFunc is a function of the ABI. It gives a status, or the error that ends the
// guest's call.
type abiFunc func(c caller, stack []uint64) (int64, error)

// A caller is who calls a function of the ABI.
type caller struct {
	ctx      context.Context
	instance engine.Instance
	guest    *guest
	memory   engine.Memory
}

// pay takes the price of bytes that are moved next.
func (c *caller) pay(bytes int) error {
	if err := engine.ContextError(c.ctx); err != nil {
		return err
	}
	return engine.Charge(c.instance, int64(bytes)/engine.BytesPerUnit)
}

func importLog(c caller, stack []uint64) (int64, error) {
	level := uint32(stack[0])
	text, ok := c.memory.View(uint32(stack[1]), uint32(stack[2]))
	if !ok {
		return int64(abi.StatusBadPointer), nil
	}
	if level > uint32(abi.LogError) {
		return int64(abi.StatusBadArgument), nil
	}
	if err := c.pay(len(text)); err != nil {
		return 0, err
	}
	return int64(c.guest.log(SourceLog, LogLevel(level), text)), nil
}

// maxPanicBytes bounds what a dying guest may report.
const maxPanicBytes = 1 << 20

func importFail(c caller, stack []uint64) (int64, error) {
	g := c.guest
	g.panic = new(abi.Panic) // it is dead, however badly it says so
	if uint32(stack[1]) > maxPanicBytes {
		g.panic.Message = "its report is too long"
		return int64(abi.StatusLimit), nil
	}
	data, ok := c.memory.View(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		return int64(abi.StatusBadPointer), nil
	}
	if err := c.pay(len(data)); err != nil {
		return 0, err
	}
	var p abi.Panic
	if err := p.Unmarshal(data); err != nil {
		g.panic.Message = "its report can't be decoded"
		return int64(abi.StatusBadMessage), nil
	}
	g.panic = &p
	return 0, nil
}

func importBlobLen(c caller, stack []uint64) (int64, error) {
	b, ok := c.guest.blobs.get(uint32(stack[0]))
	if !ok {
		return int64(abi.StatusBadHandle), nil
	}
	return int64(len(b.data())), nil
}

func importBlobRead(c caller, stack []uint64) (int64, error) {
	b, ok := c.guest.blobs.get(uint32(stack[0]))
	if !ok {
		return int64(abi.StatusBadHandle), nil
	}
	offset := int64(stack[1])
	if offset < 0 || uint32(stack[3]) > 1<<31-1 {
		return int64(abi.StatusBadArgument), nil
	}
	view, ok := c.memory.View(uint32(stack[2]), uint32(stack[3]))
	if !ok {
		return int64(abi.StatusBadPointer), nil
	}
	data := b.data()
	data = data[min(offset, int64(len(data))):]
	data = data[:min(len(view), len(data))]
	n := 0
	for piece := range slices.Chunk(data, engine.MovePiece) {
		if err := c.pay(len(piece)); err != nil {
			return 0, err
		}
		n += copy(view[n:], piece)
	}
	return int64(n), nil
}

func importBlobNew(c caller, _ []uint64) (int64, error) {
	handle, status := c.guest.blobs.create()
	if status != 0 {
		return int64(status), nil
	}
	return int64(handle), nil
}

func importBlobWrite(c caller, stack []uint64) (int64, error) {
	view, ok := c.memory.View(uint32(stack[1]), uint32(stack[2]))
	switch {
	case !ok:
		return int64(abi.StatusBadPointer), nil
	case len(view) > 1<<31-1:
		return int64(abi.StatusBadArgument), nil
	}
	b, status := c.guest.blobs.room(uint32(stack[0]), len(view))
	if status != 0 {
		return int64(status), nil
	}
	if err := b.grow(c.ctx, len(view)); err != nil {
		return 0, err
	}
	for piece := range slices.Chunk(view, engine.MovePiece) {
		if err := c.pay(len(piece)); err != nil {
			return 0, err
		}
		b.written = append(b.written, piece...)
	}
	return int64(len(view)), nil
}

// importExtension is where later minor versions add functions. There are none.
func importExtension(caller, []uint64) (int64, error) {
	return int64(abi.StatusUnsupported), nil
}

// noMemory stands for the memory of a module that exports none; such a module
// may still call imports from its start function.
type noMemory struct{}

func (noMemory) Size() uint64                       { return 0 }
func (noMemory) View(uint32, uint32) ([]byte, bool) { return nil, false }
func (noMemory) Grow(uint32) bool                   { return false }
