package host_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

func TestAModuleThatIsntAProgramIsRefused(t *testing.T) {
	const i32 = engine.I32
	noop := func(context.Context, *enginetest.FakeInstance, []uint64) error { return nil }
	start := fakeFuncs{"_start": {Type: engine.Func(nil), Run: noop}}
	importing := func(module, name string, t engine.FuncType) enginetest.Program {
		return enginetest.Program{Pages: 1, Functions: start, Imports: []engine.Import{{Module: module, Name: name, Type: t}}}
	}
	for _, test := range []struct {
		name    string
		program enginetest.Program
		kind    host.ModuleErrorKind
		text    string
	}{
		{"a guest", fakeGuest(nil), host.ModuleNotProgram, "it is a guest; load it as one"},
		{"a guest of another version", enginetest.Program{Pages: 1, Functions: fakeFuncs{"wasmsandbox_abi_v2": {Type: engine.Func(nil, i32), Run: noop}}},
			host.ModuleNotProgram, "wasmsandbox_abi_v2: it is a guest"},
		{"a reactor", enginetest.Program{Pages: 1, Functions: fakeFuncs{abi.ExportInitialize: {Type: engine.Func(nil), Run: noop}}},
			host.ModuleNotProgram, "it is a reactor; link it as a program"},
		{"a module of JavaScript's Go", enginetest.Program{Pages: 1, Imports: []engine.Import{{Module: "gojs", Name: "runtime.wasmExit", Type: engine.Func(nil)}}},
			host.ModuleNotProgram, "it exports no _start; it is built for JavaScript: build it with GOOS=wasip1"},
		{"a library", enginetest.Program{Pages: 1}, host.ModuleNotProgram, "it is a library; give it a main function"},
		{"a start with a parameter", enginetest.Program{Pages: 1, Functions: fakeFuncs{"_start": {Type: engine.Func([]engine.ValueType{i32}), Run: noop}}},
			host.ModuleWrongSignature, "export _start is (i32), not ()"},
		{"a start with a result", enginetest.Program{Pages: 1, Functions: fakeFuncs{"_start": {Type: engine.Func(nil, i32), Run: noop}}},
			host.ModuleWrongSignature, "export _start is () -> i32, not ()"},
		{"a start that is a global", enginetest.Program{Pages: 1, Exports: []engine.Export{{Name: "_start", Kind: engine.ExternGlobal}}},
			host.ModuleWrongSignature, "export _start is a global, not a function"},
		{"no memory", enginetest.Program{Functions: start}, host.ModuleMissingExport, "memory"},
		{"an import of the ABI", importing(abi.ImportModule, abi.ImportLog, engine.Func(nil)),
			host.ModuleUnknownImport, "wasmsandbox_v1.log (func); a program may import only from wasi_snapshot_preview1, and this is for guests"},
		{"an import from env", importing("env", "printf", engine.Func(nil)), host.ModuleUnknownImport, "a symbol was left undefined"},
		{"an import of the first WASI", importing("wasi_unstable", "fd_write", engine.Func(nil)), host.ModuleUnknownImport, "a later compiler"},
		{"an import of JavaScript's Go", importing("gojs", "runtime.wasmExit", engine.Func(nil)), host.ModuleUnknownImport, "GOOS=wasip1"},
		{"a WASI function of another type", importing("wasi_snapshot_preview1", "fd_write", engine.Func(nil)),
			host.ModuleWrongSignature, "import wasi_snapshot_preview1.fd_write"},
		{"a WASI function that doesn't exist", importing("wasi_snapshot_preview1", "fork", engine.Func(nil)),
			host.ModuleUnknownImport, "wasi_snapshot_preview1.fork (func)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := fakeRuntime(t, test.program)
			_, err := r.LoadProgram(t.Context(), "fake", []byte("fake.wasm"))
			if e := wantModuleError(t, err, test.kind); e.Module != "fake" || !strings.Contains(e.Error(), test.text) {
				t.Errorf("error %q, want it to name fake and to have %q", e, test.text)
			}
			_, err = r.LoadCommand(t.Context(), "fake", []byte("fake.wasm"))
			_ = wantModuleError(t, err, test.kind)
		})
	}
}

// A module with _start that isn't a program either isn't advised to be loaded as one.
func TestAModuleThatIsNeitherGuestNorProgramIsToldBoth(t *testing.T) {
	noop := func(context.Context, *enginetest.FakeInstance, []uint64) error { return nil }
	start := fakeFuncs{"_start": {Type: engine.Func(nil), Run: noop}}
	for name, want := range map[string]string{
		"wasi_snapshot_preview1": "it exports _start, and no wasmsandbox_abi_v1; load it as a program or a command",
		"env": "it exports _start, and no wasmsandbox_abi_v1; nor can it be loaded as a program: it wants an import that doesn't exist: " +
			"env.sched_yield (func); a program may import only from wasi_snapshot_preview1; a symbol was left undefined",
	} {
		r := fakeRuntime(t, enginetest.Program{Pages: 1, Functions: start, Imports: []engine.Import{
			{Module: name, Name: "sched_yield", Type: engine.Func(nil, engine.I32)},
		}})
		_, err := r.Load(t.Context(), "fake", []byte("fake.wasm"))
		if e := wantModuleError(t, err, host.ModuleNotReactor); !strings.HasPrefix(e.Detail, want) {
			t.Errorf("detail %q, want it to begin with %q", e.Detail, want)
		}
	}
}

// What is wrong with a module's exports is told by what it was built for, where its imports
// say so, and a guest that was linked as a program has nothing to do with programs.
func TestAGuestOfTheWrongTargetIsToldTheRightOne(t *testing.T) {
	noop := func(context.Context, *enginetest.FakeInstance, []uint64) error { return nil }
	importing := func(module string) []engine.Import {
		return []engine.Import{{Module: module, Name: "f", Type: engine.Func(nil)}}
	}
	linkedAsProgram := fakeGuest(fakeFuncs{"_start": {Type: engine.Func(nil), Run: noop}})
	linkedAsProgram.Imports = importing(abi.ImportModule)
	for _, test := range []struct {
		name    string
		program enginetest.Program
		kind    host.ModuleErrorKind
		detail  string
	}{
		{"for JavaScript by Go", enginetest.Program{Pages: 1, Imports: importing("gojs")},
			host.ModuleMissingExport, "wasmsandbox_abi_v1; it is built for JavaScript: build it with GOOS=wasip1"},
		{"for JavaScript by wasm-bindgen", enginetest.Program{Pages: 1, Imports: importing("wbg")},
			host.ModuleMissingExport, "wasmsandbox_abi_v1; it is built for JavaScript with wasm-bindgen: build it without"},
		{"for a library with a symbol left over", enginetest.Program{Pages: 1, Exports: []engine.Export{{Name: "memory", Kind: engine.ExternMemory}}, Imports: importing("env")},
			host.ModuleMissingExport, "wasmsandbox_abi_v1; is it written with a wasmsandbox guest SDK?"},
		{"a guest that is linked as a program", linkedAsProgram,
			host.ModuleNotReactor, "it exports _start, and no _initialize; build it as a reactor; for Go: GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := fakeRuntime(t, test.program).Load(t.Context(), "fake", []byte("fake.wasm"))
			if e := wantModuleError(t, err, test.kind); e.Detail != test.detail {
				t.Errorf("detail %q, want %q", e.Detail, test.detail)
			}
		})
	}
}

func fakeRuntime(t *testing.T, program enginetest.Program) *host.Runtime {
	t.Helper()
	r, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": program}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r
}

func TestARealModuleThatIsntAProgramIsRefused(t *testing.T) {
	for name, kind := range map[string]host.ModuleErrorKind{
		"library": host.ModuleNotProgram, "start_parameters": host.ModuleWrongSignature,
	} {
		_, err := host.LoadProgram(t.Context(), name, readProgram(t, name))
		_ = wantModuleError(t, err, kind)
	}
	_, err := host.Load(t.Context(), "tool", readProgram(t, "tool"))
	if e := wantModuleError(t, err, host.ModuleNotReactor); !strings.Contains(e.Error(), "load it as a program or a command") {
		t.Errorf("error %q", e)
	}
}

func TestOptionsThatMeanNothingAreRefused(t *testing.T) {
	config, env, stdin := host.WithConfig(map[string]any{"a": 1}), host.WithEnv(map[string]string{"A": "b"}), host.WithStdin([]byte("x"))
	wasm := readProgram(t, "tool")
	load := map[string]func(opts ...host.ModuleOption) error{
		"program": func(opts ...host.ModuleOption) error {
			_, err := host.LoadProgram(t.Context(), "tool", wasm, opts...)
			return err
		},
		"command": func(opts ...host.ModuleOption) error {
			_, err := host.LoadCommand(t.Context(), "tool", wasm, opts...)
			return err
		},
		"guest": func(opts ...host.ModuleOption) error {
			_, err := loadFake(t, fakeGuest(nil), opts...)
			return err
		},
	}
	for _, test := range []struct {
		as     string
		option host.ModuleOption
		wrong  string // "": none
	}{
		{"program", config, "a program takes an environment"}, {"program", env, ""}, {"program", stdin, ""},
		{"command", config, ""}, {"command", env, "only a program has an environment"}, {"command", stdin, "a command gets its calls as standard input"},
		{"guest", config, ""}, {"guest", env, "only a program has"}, {"guest", stdin, ""},
		{"program", host.WithEnv(map[string]string{"": "x"}), "is empty"},
		{"program", host.WithEnv(map[string]string{"A=B": "x"}), "has a = or a NUL byte"},
		{"program", host.WithEnv(map[string]string{"A": "x\x00"}), "a value in its environment has a NUL byte"},
		{"command", host.WithConfig(map[string]any{"a": 1.5}), "a"},
	} {
		err := load[test.as](test.option)
		if test.wrong == "" {
			if err != nil {
				t.Errorf("%s: %v", test.as, err)
			}
			continue
		}
		if e := wantModuleError(t, err, host.ModuleBadConfig); !strings.Contains(e.Error(), test.wrong) {
			t.Errorf("%s: error %q, want %q in it", test.as, e, test.wrong)
		}
	}
	_, err := host.LoadProgram(t.Context(), "tool", wasm, host.WithSHA256(strings.Repeat("0", 64)))
	_ = wantModuleError(t, err, host.ModuleWrongDigest)
}

func TestOptionsAreCopied(t *testing.T) {
	env, stdin := map[string]string{"A": "b"}, []byte("in")
	program := loadProgram(t, "tool", host.WithEnv(env), host.WithStdin(stdin))
	env["A"], stdin[0] = "changed", 'X'
	for verb, want := range map[string]string{"env": "A=b\n", "cat": "in"} {
		if got, err := runProgram(t, program, "tool", verb); err != nil || string(got.Stdout) != want {
			t.Errorf("%s prints %q, error %v", verb, got.Stdout, err)
		}
	}
}

// A compileCounter counts what it compiles.
type compileCounter struct {
	engine.Engine
	compiled atomic.Int64
}

func (c *compileCounter) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	c.compiled.Add(1)
	return c.Engine.Compile(ctx, wasm)
}

func TestCodeIsSharedWhateverItIsLoadedAs(t *testing.T) {
	counter := &compileCounter{}
	r, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(ctx context.Context, imports []engine.HostFunc) (_ engine.Engine, err error) {
			counter.Engine, err = host.DefaultEngine(ctx, imports)
			return counter, err
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close(t.Context())
	wasm := readProgram(t, "tool")
	for range 2 {
		_, err := r.Load(t.Context(), "guest", wasm)
		_ = wantModuleError(t, err, host.ModuleNotReactor)
		program, err := r.LoadProgram(t.Context(), "program", wasm)
		if err != nil {
			t.Fatal(err)
		}
		command, err := r.LoadCommand(t.Context(), "command", wasm)
		if err != nil {
			t.Fatal(err)
		}
		if program.SHA256() != command.SHA256() || program.Size() != len(wasm) || program.Name() != "program" || command.Name() != "command" {
			t.Errorf("the program is %s, the command %s", program.Name(), command.Name())
		}
	}
	if n := counter.compiled.Load(); n != 1 {
		t.Errorf("compiled %d times", n)
	}
}

func TestWhatIsntAModuleIsNamed(t *testing.T) {
	tool := readProgram(t, "tool")
	for want, file := range map[string]string{
		"the file is empty":                     "",
		"the file is cut short: it has only":    "\x00as",
		"no more than the first bytes":          "\x00asm\x01\x00",
		"the file is cut short: the section at": string(tool[:len(tool)-100]),
		"the section at byte 8":                 string(tool[:9]),
		"it is a component, not a core module":  "\x00asm\x0d\x00\x01\x00",
		"it has version 2 of the binary format": "\x00asm\x02\x00\x00\x00",
		"it is compressed with gzip":            "\x1f\x8b\x08\x00",
		"it is compressed with zstd":            "\x28\xb5\x2f\xfd\x00",
		"it is a zip archive":                   "PK\x03\x04",
		"it is an ELF file":                     "\x7fELF\x02\x01\x01",
		"it is a program for Windows":           "MZ\x90\x00",
		"it is a Mach-O file":                   "\xcf\xfa\xed\xfe\x07",
		"it is an archive of object files":      "!<arch>\n",
		"it is WebAssembly in the text format":  "  (module (memory 1))",
		"it is a script, not WebAssembly":       "#!/bin/sh\necho hello\n",
		"it is an HTML page":                    "<!DOCTYPE html>\n<html>",
		"it is Go source":                       "// Command x does y.\npackage main\n",
		"it is C source":                        "/* x */\n#include <stdio.h>\n",
		"it is Rust source":                     "#![no_std]\nfn main() {}\n",
		"it is Python source":                   "import os\n\ndef main():\n",
		"it is JavaScript":                      "export async function load(url) {}\n",
		"it is a pointer of Git LFS":            "version https://git-lfs.github.com/spec/v1\n",
		"it is text, not WebAssembly":           strings.Repeat("häh ", 300),
		"it doesn't begin with \\0asm":          "\x01\x02\x03\x04",
	} {
		for as, load := range map[string]func([]byte) error{
			"guest":   func(wasm []byte) error { _, err := host.Load(t.Context(), "x", wasm); return err },
			"program": func(wasm []byte) error { _, err := host.LoadProgram(t.Context(), "x", wasm); return err },
		} {
			if e := wantModuleError(t, load([]byte(file)), host.ModuleInvalid); !strings.Contains(e.Error(), want) {
				t.Errorf("%s %.20q: error %q, want %q in it", as, file, e, want)
			}
		}
	}
}

// A module that ends between two sections may be valid: it is refused all the same.
func TestAModuleThatIsCutShortAnywhereIsRefused(t *testing.T) {
	library, said := readProgram(t, "library"), 0
	for n := range library {
		_, err := host.LoadProgram(t.Context(), "x", library[:n])
		e, ok := errors.AsType[*host.ModuleError](err)
		if !ok {
			t.Fatalf("%d bytes: error %v", n, err)
		}
		if strings.Contains(e.Detail, "cut short") {
			said++
		}
	}
	if between := 7; len(library)-said > between { // an empty file, and the ends of six sections
		t.Errorf("only %d of %d say that it is cut short", said, len(library))
	}
}
