package enginetest_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

func TestFakeKeepsTheContract(t *testing.T) {
	programs := map[string]enginetest.Program{}
	for name, program := range contractPrograms() {
		wasm, err := os.ReadFile("testdata/" + name + ".wasm")
		if err != nil {
			t.Fatal(err)
		}
		programs[string(wasm)] = program
	}
	enginetest.Run(t, func(_ *testing.T, imports ...engine.HostFunc) engine.Engine {
		return enginetest.NewFake(programs, imports...)
	}, enginetest.Options{NoWasm: true})
}

type instance = enginetest.FakeInstance

const (
	i32 = engine.I32
	i64 = engine.I64
	f32 = engine.F32
	f64 = engine.F64
)

// fn makes a function that can't fail.
func fn(t engine.FuncType, run func(in *instance, stack []uint64)) enginetest.Func {
	return enginetest.Func{Type: t, Run: func(_ context.Context, in *instance, stack []uint64) error {
		run(in, stack)
		return nil
	}}
}

func params(types ...engine.ValueType) []engine.ValueType { return types }

var unary = engine.Func(params(i32), i32)

// calls makes a function that calls an import, and adds to its result.
func calls(name string, t engine.FuncType, add uint64) enginetest.Func {
	return enginetest.Func{Type: t, Run: func(ctx context.Context, in *instance, stack []uint64) error {
		err := in.Import(ctx, "env", name, stack)
		stack[0] += add
		return err
	}}
}

func trapping(name string) enginetest.Func {
	return enginetest.Func{Run: func(context.Context, *instance, []uint64) error {
		return &engine.TrapError{Reason: name, Stack: "fault_" + name + "\n" + name, Err: os.ErrInvalid}
	}}
}

func waits(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

var (
	load = fn(unary, func(in *instance, stack []uint64) { stack[0] = uint64(in.Bytes()[uint32(stack[0])]) })
	grow = fn(unary, func(in *instance, stack []uint64) { stack[0] = uint64(uint32(in.Grow(uint32(stack[0])))) })
	one  = fn(engine.Func(nil, i32), func(_ *instance, stack []uint64) { stack[0] = 1 })
	noop = fn(engine.Func(nil), func(*instance, []uint64) {})
)

// contractPrograms are the guests of the testdata folder in Go.
func contractPrograms() map[string]enginetest.Program {
	wideType := engine.Func(params(i64, f32, f64), f64)
	noteImport := engine.Import{Module: "env", Name: "note", Type: unary}
	return map[string]enginetest.Program{
		"numbers": numbers(),
		"globals": globals(),
		"memory": {Pages: 1, MaxPages: 3, Start: fillMemory, Functions: map[string]enginetest.Func{
			"load": load, "grow": grow, "store": fn(engine.Func(params(i32, i32)), storeByte),
			"echo": fn(engine.Func(params(i32, i32), i64), echo),
		}},
		"externs": externs(),
		"host": {
			Pages: 1,
			Imports: []engine.Import{
				noteImport, {Module: "env", Name: "wide", Type: wideType},
			},
			Functions: map[string]enginetest.Func{
				"note": calls("note", unary, 1), "again": calls("note", unary, 0),
				"wide": calls("wide", wideType, 0), "load": load,
			},
		},
		"traps": traps(),
		"loop": {Functions: map[string]enginetest.Func{
			"fine": one,
			"forever": {Run: func(ctx context.Context, _ *instance, _ []uint64) error {
				return waits(ctx)
			}},
		}},
		"start": {Pages: 1, Start: func(_ context.Context, in *instance) error {
			in.Bytes()[0] = 1
			return nil
		}},
		"start-trap": {Start: func(context.Context, *instance) error { panic("start") }},
		"start-host": {Pages: 1, Imports: []engine.Import{noteImport}, Start: startHost},
		"start-import": {
			Pages:   1,
			Imports: []engine.Import{{Module: "env", Name: "begin"}},
			Start: func(ctx context.Context, in *instance) error {
				return in.Import(ctx, "env", "begin", nil)
			},
		},
		"start-loop":   {Start: func(ctx context.Context, _ *instance) error { return waits(ctx) }},
		"other-memory": {Functions: map[string]enginetest.Func{"memory": noop}},
	}
}

func numbers() enginetest.Program {
	return enginetest.Program{Functions: map[string]enginetest.Func{
		"nothing": noop,
		"add": fn(engine.Func(params(i32, i32), i32), func(_ *instance, stack []uint64) {
			stack[0] = uint64(uint32(stack[0]) + uint32(stack[1]))
		}),
		"all": fn(engine.Func(params(i32, i64, f32, f64), i32, i64, f32, f64), func(*instance, []uint64) {}),
		"split": fn(engine.Func(params(i64), i32, i32, i32), func(_ *instance, stack []uint64) {
			stack[0], stack[1], stack[2] = uint64(uint32(stack[0])), stack[0]>>32, 7
		}),
		"count": fn(engine.Func(nil, i32), func(in *instance, stack []uint64) {
			count, _ := in.State.(uint64)
			in.State = count + 1
			stack[0] = count + 1
		}),
	}}
}

func globals() enginetest.Program {
	global := func(in *instance, name string) engine.Global { g, _ := in.Global(name); return g }
	return enginetest.Program{
		Globals: []enginetest.FakeGlobal{
			{Name: "i32", Kind: i32, Mutable: true, Bits: math.MaxUint64},
			{Name: "i64", Kind: i64, Mutable: true, Bits: 0x1234_5678_9abc_def0},
			{Name: "f32", Kind: f32, Mutable: true, Bits: uint64(math.Float32bits(1.5))},
			{Name: "f64", Kind: f64, Mutable: true, Bits: math.Float64bits(-2.5)},
			{Name: "constant", Kind: i32, Bits: 7},
			{Name: "vector", Kind: engine.V128, Mutable: true},
			{Name: "function", Kind: engine.FuncRef, Mutable: true},
		},
		Functions: map[string]enginetest.Func{
			"get_i32": fn(engine.Func(nil, i32), func(in *instance, stack []uint64) { stack[0] = global(in, "i32").Get() }),
			"get_i64": fn(engine.Func(nil, i64), func(in *instance, stack []uint64) { stack[0] = global(in, "i64").Get() }),
			"set_i64": fn(engine.Func(params(i64)), func(in *instance, stack []uint64) { global(in, "i64").Set(stack[0]) }),
		},
	}
}

func externs() enginetest.Program {
	all := engine.Func(params(i32, i64, f32, f64), i64)
	return enginetest.Program{
		Pages: 1,
		Imports: []engine.Import{
			{Module: "z", Name: "global", Kind: engine.ExternGlobal},
			{Module: "a", Name: "func", Type: all},
			{Module: "a", Name: "table", Kind: engine.ExternTable},
			{Module: "a", Name: "memory", Kind: engine.ExternMemory},
			{Module: "z", Name: "mutable", Kind: engine.ExternGlobal},
			{Module: "a", Name: "late"},
		},
		Exports: []engine.Export{
			{Name: "zero", Kind: engine.ExternGlobal}, {Name: "table", Kind: engine.ExternTable},
		},
		Functions: map[string]enginetest.Func{
			"again": {Type: all},
			"func":  {Type: engine.Func(params(engine.ExternRef), f64, engine.FuncRef)},
		},
	}
}

func traps() enginetest.Program {
	functions := map[string]enginetest.Func{"fine": one}
	for _, name := range []string{
		"unreachable", "memory", "divide", "overflow", "convert", "null", "type", "table", "stack",
	} {
		functions[name] = trapping(name)
	}
	return enginetest.Program{Functions: functions}
}

func fillMemory(_ context.Context, in *instance) error {
	copy(in.Bytes()[16:], "sixteen")
	return nil
}

func storeByte(in *instance, stack []uint64) { in.Bytes()[uint32(stack[0])] = byte(stack[1]) }

func echo(in *instance, stack []uint64) {
	offset, n := uint32(stack[0]), uint32(stack[1])
	copy(in.Bytes()[32768:], in.Bytes()[offset:offset+n])
	stack[0] = 32768<<32 | uint64(n)
}

func startHost(ctx context.Context, in *instance) error {
	copy(in.Bytes()[8:], "hello")
	stack := []uint64{8}
	err := in.Import(ctx, "env", "note", stack)
	binary.LittleEndian.PutUint32(in.Bytes(), uint32(stack[0]))
	return err
}
