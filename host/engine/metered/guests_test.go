package metered_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// committed are the compiled guests of the tree, by language.
func committed(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../../testdata/guests/kitchen/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatalf("guests %v, %v", files, err)
	}
	guests := map[string][]byte{}
	for _, file := range files {
		if guests[strings.TrimSuffix(filepath.Base(file), ".wasm")], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return guests
}

// goGuest is the guest in Go, which isn't in the tree.
var goGuest = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "metered")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", file,
		"github.com/wasmsandbox/wasmsandbox/guest/kitchen")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// allGuests are the committed ones and the one in Go.
func allGuests(t testing.TB) map[string][]byte {
	t.Helper()
	guests := committed(t)
	wasm, err := goGuest()
	if err != nil {
		t.Fatal(err)
	}
	guests["go"] = wasm
	return guests
}

// world are the imports of guests: WASI, and functions of the ABI that do nothing.
func world() []engine.HostFunc {
	imports := wasi.Imports(func(in engine.Instance) *wasi.Env { return in.Data().(*wasi.Env) })
	const i32, i64 = engine.I32, engine.I64
	for name, t := range map[string]engine.FuncType{
		abi.ImportLog:       engine.Func([]engine.ValueType{i32, i32, i32}, i32),
		abi.ImportFail:      engine.Func([]engine.ValueType{i32, i32}, i32),
		abi.ImportBlobLen:   engine.Func([]engine.ValueType{i32}, i64),
		abi.ImportBlobRead:  engine.Func([]engine.ValueType{i32, i64, i32, i32}, i32),
		abi.ImportBlobNew:   engine.Func(nil, i32),
		abi.ImportBlobWrite: engine.Func([]engine.ValueType{i32, i32, i32}, i32),
		abi.ImportExtension: engine.Func([]engine.ValueType{i32, i32, i32}, i64),
	} {
		imports = append(imports, engine.HostFunc{
			Module: abi.ImportModule, Name: name, Type: t,
			Call: func(context.Context, engine.Instance, []uint64) error { return nil },
		})
	}
	return imports
}

func compileGuest(t testing.TB, inner maker, wasm []byte) *metered.Module {
	t.Helper()
	m, err := newMetered(t, inner, metered.Config{}, world()...).Compile(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*metered.Module)
}

// open makes an instance of a guest that is ready for calls.
func open(t testing.TB, m engine.Module) tester {
	t.Helper()
	instance, err := m.Instantiate(t.Context(), wasi.NewEnv(wasi.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	in := testerOf(t, instance)
	if _, ok := in.Function(abi.ExportInitialize); ok {
		in.call(t, abi.ExportInitialize)
	}
	in.call(t, abi.ExportOpen, 0)
	return in
}

func TestGuestsAreTheSameOnAllEnginesAndArePutBack(t *testing.T) {
	for name, wasm := range allGuests(t) {
		t.Run(name, func(t *testing.T) {
			digests := map[[32]byte]string{}
			used := map[int64]string{}
			for engine, inner := range engines {
				m := compileGuest(t, inner, wasm)
				if reasons := m.Volatile(); len(reasons) > 0 {
					t.Fatalf("it can't be put back: %q", reasons)
				}
				in := open(t, m)
				s := snapshot(t, in)
				digests[s.Digest()] = engine
				used[in.Total()] = engine
				in.call(t, abi.ExportDescribe)
				digests[snapshot(t, in).Digest()] = engine
				describing := in.Used()
				restore(t, in, s)
				if snapshot(t, in).Digest() != s.Digest() {
					t.Errorf("on %s it wasn't put back", engine)
				}
				in.call(t, abi.ExportDescribe)
				if in.Used() != describing {
					t.Errorf("on %s it used %d, and %d when it was put back", engine, describing, in.Used())
				}
			}
			if len(digests) > 2 || len(used) != 1 {
				t.Errorf("the engines differ: states %d, fuel %v", len(digests), used)
			}
		})
	}
}
