package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A Program is a guest written in Go. It must not change once it has been given
// to [NewFake].
type Program struct {
	Imports   []engine.Import
	Functions map[string]Func // the exported ones, by name
	Pages     uint32          // of the memory exported as "memory" at the start; 0 means none
	MaxPages  uint32          // that the memory may grow to; 0 means no further
	Globals   []FakeGlobal    // the exported ones
	Exports   []engine.Export // more to list, of other kinds

	// Start, if not nil, is the function of the start section.
	Start func(ctx context.Context, in *FakeInstance) error
}

// A Func is a function of a [Program]. Run is called as an engine calls a guest:
// the stack holds the parameters and takes the results. What it returns is the
// error of the call as it is; a *engine.TrapError stands for a trap, and so does
// a panic.
type Func struct {
	Type engine.FuncType
	Run  func(ctx context.Context, in *FakeInstance, stack []uint64) error
}

// A Fake is an engine for tests of what is above the engine: its guests do what
// no compiler would make a guest do. Where a module is wanted, it takes the name
// of a program. It keeps the contract as far as its programs do.
type Fake struct {
	programs map[string]Program
	offered  []engine.HostFunc
	closed   atomic.Bool
}

var _ engine.Engine = (*Fake)(nil)

// NewFake makes an engine for the programs, by name. Both arguments are kept.
func NewFake(programs map[string]Program, imports ...engine.HostFunc) *Fake {
	return &Fake{programs: programs, offered: imports}
}

// Name is "fake".
func (f *Fake) Name() string { return "fake" }

// Compile finds the program of that name.
func (f *Fake) Compile(ctx context.Context, name []byte) (engine.Module, error) {
	if f.closed.Load() {
		return nil, errFakeClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, ok := f.programs[string(name)]
	if !ok {
		return nil, &engine.CompileError{Err: fmt.Errorf("there is no program %q", name)}
	}
	return &fakeModule{engine: f, program: p}, nil
}

// Bounds are those of WebAssembly: a program has its own.
func (f *Fake) Bounds() engine.Bounds { return engine.Bounds{} }

// Close implements [engine.Engine].
func (f *Fake) Close(context.Context) error {
	f.closed.Store(true)
	return nil
}

var errFakeClosed = fmt.Errorf("engine: the engine or module is closed: %w", engine.ErrClosed)

type fakeModule struct {
	engine  *Fake
	program Program
	closed  atomic.Bool
}

func (m *fakeModule) Imports() []engine.Import { return m.program.Imports }

func (m *fakeModule) Exports() []engine.Export {
	exports := slices.Clone(m.program.Exports)
	for name, f := range m.program.Functions {
		exports = append(exports, engine.Export{Name: name, Kind: engine.ExternFunc, Type: f.Type})
	}
	if m.program.Pages > 0 {
		exports = append(exports, engine.Export{Name: "memory", Kind: engine.ExternMemory})
	}
	for i := range m.program.Globals {
		exports = append(exports, engine.Export{Name: m.program.Globals[i].Name, Kind: engine.ExternGlobal})
	}
	slices.SortFunc(exports, func(a, b engine.Export) int { return strings.Compare(a.Name, b.Name) })
	return exports
}

func (m *fakeModule) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	if m.closed.Load() || m.engine.closed.Load() {
		return nil, errFakeClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in := &FakeInstance{engine: m.engine, program: m.program, data: data, functions: map[string]*fakeFunction{}}
	if err := in.link(); err != nil {
		return nil, err
	}
	in.globals = slices.Clone(m.program.Globals)
	in.memory = fakeMemory{make([]byte, m.program.Pages*page), max(m.program.Pages, m.program.MaxPages)}
	for name, f := range m.program.Functions {
		in.functions[name] = &fakeFunction{in: in, name: name, Func: f}
	}
	if m.program.Start != nil {
		start := Func{Run: func(ctx context.Context, in *FakeInstance, _ []uint64) error {
			return m.program.Start(ctx, in)
		}}
		if err := (&fakeFunction{in: in, name: "start", Func: start}).Call(ctx, nil); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func (m *fakeModule) Close(context.Context) error {
	m.closed.Store(true)
	return nil
}

// A FakeInstance is an instance of a [Program], as its functions see it.
type FakeInstance struct {
	// State belongs to the program, as globals do.
	State any

	engine    *Fake
	program   Program
	data      any
	memory    fakeMemory
	globals   []FakeGlobal
	functions map[string]*fakeFunction
	closed    bool
}

func (in *FakeInstance) link() error {
	for _, i := range in.program.Imports {
		f := in.offered(i.Module, i.Name)
		switch {
		case f == nil || i.Kind != engine.ExternFunc:
			return &engine.LinkError{Import: i}
		case !f.Type.Equal(i.Type):
			return &engine.LinkError{Import: i, Have: &f.Type}
		}
	}
	return nil
}

func (in *FakeInstance) offered(module, name string) *engine.HostFunc {
	for i := range in.engine.offered {
		if f := &in.engine.offered[i]; f.Module == module && f.Name == name {
			return f
		}
	}
	return nil
}

// Import calls a host function. The program has to return its error.
func (in *FakeInstance) Import(ctx context.Context, module, name string, stack []uint64) error {
	return in.offered(module, name).Call(ctx, in, stack)
}

// Bytes is the memory. It is valid until the memory grows.
func (in *FakeInstance) Bytes() []byte { return in.memory.bytes }

// Grow adds pages to the memory and gives its size in pages before that, or -1.
func (in *FakeInstance) Grow(pages uint32) int32 {
	before := len(in.memory.bytes) / page
	if !in.memory.Grow(pages) {
		return -1
	}
	return int32(before)
}

// Data implements [engine.Instance].
func (in *FakeInstance) Data() any { return in.data }

// Function implements [engine.Instance].
func (in *FakeInstance) Function(name string) (engine.Function, bool) {
	if f, ok := in.functions[name]; ok {
		return f, true
	}
	return nil, false
}

// Memory implements [engine.Instance].
func (in *FakeInstance) Memory() engine.Memory {
	if in.program.Pages == 0 {
		return nil
	}
	return &in.memory
}

// Close implements [engine.Instance].
func (in *FakeInstance) Close(context.Context) error {
	in.closed = true
	return nil
}

type fakeFunction struct {
	Func
	in   *FakeInstance
	name string
}

func (f *fakeFunction) Call(ctx context.Context, stack []uint64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = f.trap(r)
		}
	}()
	if f.in.closed || f.in.engine.closed.Load() {
		return engine.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(stack) < max(len(f.Type.Params), len(f.Type.Results)) {
		return f.trap(errors.New("the stack is too short"))
	}
	return f.Run(ctx, f.in, stack)
}

func (f *fakeFunction) trap(r any) error {
	err, ok := r.(error)
	if !ok {
		err = fmt.Errorf("%v", r)
	}
	reason, _, _ := strings.Cut(err.Error(), "\n")
	return &engine.TrapError{Reason: reason, Stack: f.name, Err: err}
}

type fakeMemory struct {
	bytes    []byte
	maxPages uint32
}

func (m *fakeMemory) Size() uint64 { return uint64(len(m.bytes)) }

func (m *fakeMemory) View(offset, n uint32) ([]byte, bool) {
	end := uint64(offset) + uint64(n)
	if end > m.Size() {
		return nil, false
	}
	return m.bytes[offset:end:end], true
}

func (m *fakeMemory) Grow(pages uint32) bool {
	if uint64(len(m.bytes)/page)+uint64(pages) > uint64(m.maxPages) {
		return false
	}
	m.bytes = append(m.bytes, make([]byte, int(pages)*page)...)
	return true
}
