package metering_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

const features = api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall

// background is the context of what outlives a test.
var background = context.Background()

// A guest is an instance under wazero, of a module that may have been rewritten.
type guest struct {
	api.Module
	tank  metering.Tank
	fuel  api.MutableGlobal // nil in an original
	notes []uint32          // what the guest gave to the import note

	refused []uint32    // pages it didn't get
	tables  [][2]uint32 // what a table had, and the entries it didn't get
	tooDeep int
}

// i32 and i64 are types of host functions.
var i32, i64 = []api.ValueType{api.ValueTypeI32}, []api.ValueType{api.ValueTypeI64}

// start instantiates a module. Its imports are those of the tests' guests.
func start(ctx context.Context, t testing.TB, wasm []byte, tank metering.Tank) (*guest, error) {
	t.Helper()
	return startWith(ctx, t, wz.NewRuntimeConfigCompiler(), wasm, tank)
}

func startWith(ctx context.Context, t testing.TB, config wz.RuntimeConfig, wasm []byte, tank metering.Tank) (*guest, error) {
	t.Helper()
	r := wz.NewRuntimeWithConfig(ctx, config.WithCoreFeatures(features).WithMemoryLimitPages(1024))
	t.Cleanup(func() { _ = r.Close(background) })
	g := &guest{tank: tank}
	if err := g.offer(ctx, r); err != nil {
		t.Fatal(err)
	}
	mod, err := r.InstantiateWithConfig(ctx, wasm, wz.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return g, err
	}
	g.Module = mod
	g.fuel, _ = mod.ExportedGlobal(metering.ExportFuel).(api.MutableGlobal)
	return g, nil
}

func (g *guest) offer(ctx context.Context, r wz.Runtime) error {
	note := api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
		g.notes = append(g.notes, uint32(stack[0]))
	})
	twice := api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
		stack[0] = uint64(2 * uint32(stack[0]))
	})
	refused := api.GoFunc(func(_ context.Context, stack []uint64) {
		g.refused = append(g.refused, uint32(stack[0]))
	})
	table := api.GoFunc(func(_ context.Context, stack []uint64) {
		g.tables = append(g.tables, [2]uint32{uint32(stack[0]), uint32(stack[1])})
	})
	tooDeep := api.GoFunc(func(context.Context, []uint64) { g.tooDeep++ })
	_, err1 := r.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithGoModuleFunction(note, i32, nil).Export("note").
		NewFunctionBuilder().WithGoModuleFunction(twice, i32, i32).Export("twice").
		Instantiate(ctx)
	_, err2 := r.NewHostModuleBuilder(metering.ImportModule).
		NewFunctionBuilder().WithGoFunction(api.GoFunc(g.refill), i64, i64).Export(metering.ImportRefill).
		NewFunctionBuilder().WithGoFunction(refused, i32, nil).Export(metering.ImportRefused).
		NewFunctionBuilder().WithGoFunction(table, []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, nil).Export(metering.ImportRefusedTable).
		NewFunctionBuilder().WithGoFunction(tooDeep, nil, nil).Export(metering.ImportTooDeep).
		Instantiate(ctx)
	_, err3 := wasi_snapshot_preview1.Instantiate(ctx, r)
	return errors.Join(err1, err2, err3)
}

// refill drives a rewritten guest, as the package's documentation says.
func (g *guest) refill(ctx context.Context, stack []uint64) {
	if err := ctx.Err(); err != nil {
		panic(err)
	}
	fuel, err := g.tank.Refill(int64(stack[0]))
	if err != nil {
		panic(err)
	}
	stack[0] = uint64(fuel)
}

// call calls an export with as many of the arguments as it has parameters.
func (g *guest) call(ctx context.Context, name string, args ...uint64) ([]uint64, error) {
	f := g.ExportedFunction(name)
	if f == nil {
		return nil, fmt.Errorf("there is no function %s", name)
	}
	if g.fuel != nil {
		g.fuel.Set(uint64(g.tank.Fill()))
	}
	results, err := f.Call(ctx, args[:min(len(args), len(f.Definition().ParamTypes()))]...)
	for i, t := range f.Definition().ResultTypes() {
		if err == nil && t == api.ValueTypeI32 { // the upper half means nothing
			results[i] = uint64(uint32(results[i]))
		}
	}
	return results, err
}

// used is the fuel of the last call.
func (g *guest) used() int64 { return g.tank.Used(int64(g.fuel.Get())) }

// state describes all that a guest has changed and shows.
func (g *guest) state() string {
	var s strings.Builder
	fmt.Fprintf(&s, "notes %v", g.notes)
	if m := g.ExportedMemory("memory"); m != nil {
		content, _ := m.Read(0, m.Size())
		fmt.Fprintf(&s, ", memory of %d: %x", m.Size(), sha256.Sum256(content))
	}
	if c := g.ExportedGlobal("count"); c != nil {
		fmt.Fprintf(&s, ", count %d", c.Get())
	}
	return s.String()
}

// reason is the first line of an error, without the stack.
func reason(err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func rewrite(t testing.TB, wasm []byte, options metering.Options) *metering.Result {
	t.Helper()
	result, err := metering.Rewrite(wasm, options)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func testGuest(t testing.TB, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// metered starts one of the tests' guests, rewritten.
func metered(t testing.TB, name string, options metering.Options, tank metering.Tank) *guest {
	t.Helper()
	g, err := start(background, t, rewrite(t, testGuest(t, name), options).Wasm, tank)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
