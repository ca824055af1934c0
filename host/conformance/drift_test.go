package conformance_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A test of package abi compares SPEC.md with abi.Exports and abi.Imports. The
// tests here compare these with the host, and with what each SDK makes.

func TestTheHostOffersWhatTheABIDefines(t *testing.T) {
	offered := map[string]string{}
	e, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			for _, f := range imports {
				if f.Module == abi.ImportModule {
					offered[f.Name] = f.Type.String()
				}
			}
			return host.DefaultEngine(ctx, imports)
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.Background()) }()
	compareFunctions(t, "the host", offered, abi.Imports(), true)
}

func TestEachSDKImportsAndExportsWhatTheABIDefines(t *testing.T) {
	interpreter, err := js.Interpreter()
	if err != nil {
		t.Fatal(err)
	}
	guests := map[string][]byte{"go": buildGo(t, "../../guest/kitchen"), "js": interpreter}
	for language := range committed {
		wasm, err := os.ReadFile(filepath.Join(committedDir, language+".wasm"))
		if err != nil {
			t.Fatal(err)
		}
		guests[language] = wasm
	}
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(context.Background()) }()
	for language, wasm := range guests {
		module, err := r.CompileModule(t.Context(), wasm)
		if err != nil {
			t.Fatalf("%s: %v", language, err)
		}
		imports := map[string]string{}
		for _, f := range module.ImportedFunctions() {
			if from, name, _ := f.Import(); from == abi.ImportModule {
				imports[name] = signature(f)
			}
		}
		compareFunctions(t, language+" imports", imports, abi.Imports(), true)
		exports := map[string]string{}
		for name, f := range module.ExportedFunctions() {
			exports[name] = signature(f)
		}
		compareFunctions(t, language+" exports", exports, abi.Exports(), false)
	}
}

// compareFunctions compares names and types with the ABI's. Nothing else may be
// there unless others are allowed.
func compareFunctions(t *testing.T, what string, have map[string]string, want []abi.Function, complete bool) {
	t.Helper()
	for _, f := range want {
		got, ok := have[f.Name]
		switch {
		case ok && got != f.Signature:
			t.Errorf("%s: %s is %s, not %s", what, f.Name, got, f.Signature)
		case !ok && (complete || f.Required):
			t.Errorf("%s: there is no %s", what, f.Name)
		}
		delete(have, f.Name)
	}
	for name := range have {
		if complete || strings.HasPrefix(name, "wasmsandbox_") {
			t.Errorf("%s: there is a %s, which the ABI doesn't have", what, name)
		}
	}
}

func signature(f api.FunctionDefinition) string {
	types := func(list []api.ValueType) []engine.ValueType {
		out := make([]engine.ValueType, len(list))
		for i, v := range list {
			out[i] = engine.ValueType(v)
		}
		return out
	}
	return engine.FuncType{Params: types(f.ParamTypes()), Results: types(f.ResultTypes())}.String()
}

// sdkSources are the folders with the source of each SDK, and how its files end.
var sdkSources = map[string][]string{
	"assemblyscript": {"../../guest/assemblyscript/assembly", ".ts"},
	"c":              {"../../guest/c/src", ".c", ".h"},
	"js":             {"../../guest/js", ".js", ".ts"},
	"rust":           {"../../guest/rust/src", ".rs"},
	"zig":            {"../../guest/zig/src", ".zig"},
}

func TestEachSDKKnowsAllErrorCodes(t *testing.T) {
	for language, where := range sdkSources {
		source := readSources(t, where[0], where[1:])
		for _, code := range abi.Codes() {
			if !strings.Contains(source, string(code)) {
				t.Errorf("%s has no error code %s", language, string(code))
			}
		}
	}
}

func readSources(t *testing.T, dir string, endings []string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"node_modules", "build", "target", "kitchen"}, entry.Name()) {
			return fs.SkipDir
		}
		if !slices.Contains(endings, filepath.Ext(path)) {
			return nil
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil || all.Len() == 0 {
		t.Fatalf("%s has no source: %v", dir, err)
	}
	return all.String()
}
