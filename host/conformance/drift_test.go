package conformance_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// A codeTable is where a language has its error codes, and how it writes one.
type codeTable struct {
	file       string
	begin, end string         // what the table stands between; none: the file is the table
	entry      *regexp.Regexp // its last group is the code
	other      *regexp.Regexp // what the table may have besides
}

var codeTables = map[string]codeTable{
	"host":           {file: "../codes.go", begin: "const (\n", end: "\n)\n", entry: aliasOfCode},
	"go":             {file: "../../guest/codes.go", begin: "const (\n", end: "\n)\n", entry: aliasOfCode},
	"c":              {file: "../../guest/c/src/wasmsandbox_codes.h", entry: regexp.MustCompile(`#define WASMSANDBOX_CODE_[A-Z_]+ "(\w+)"`)},
	"rust":           {file: "../../guest/rust/src/codes.rs", begin: "\ncodes! {\n", end: "\n}", entry: regexp.MustCompile(`[A-Z_]+ = "(\w+)";`)},
	"zig":            {file: "../../guest/zig/src/sandbox_error.zig", begin: "\npub const code = struct {\n", end: "\n};", entry: regexp.MustCompile(`pub const \w+ = "(\w+)";`)},
	"assemblyscript": {file: "../../guest/assemblyscript/assembly/abi/code.ts", begin: "export namespace Code {\n", end: "\n}", entry: regexp.MustCompile(`export const \w+ = "(\w+)";`)},
	"js": {file: "../../guest/js/wasmsandbox.d.ts", begin: "export type ErrorCode =\n", end: ";\n",
		entry: regexp.MustCompile(`\| "(\w+)"`), other: regexp.MustCompile(`\| \(string & \{\}\)`)},
}

// aliasOfCode is a constant that has the value of abi's of the same name.
var aliasOfCode = regexp.MustCompile(`Code\w+ += abi\.(Code\w+)`)

func TestEachTableOfErrorCodesHasThoseOfTheABI(t *testing.T) {
	named := codesByName(t)
	for language, table := range codeTables {
		t.Run(language, func(t *testing.T) {
			var have []string
			for _, code := range table.read(t) {
				if table.entry == aliasOfCode {
					code = named[code]
				}
				have = append(have, code)
			}
			var want []string
			for _, code := range abi.Codes() {
				want = append(want, string(code))
			}
			slices.Sort(have)
			slices.Sort(want)
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s (-abi +%s):\n%s", table.file, language, diff)
			}
		})
	}
}

// read gives the codes of the table, which has to hold nothing that isn't one.
func (table codeTable) read(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(table.file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if table.begin != "" {
		_, after, begins := strings.Cut(text, table.begin)
		inside, _, ends := strings.Cut(after, table.end)
		if !begins || !ends {
			t.Fatalf("%s has no table between %q and %q", table.file, table.begin, table.end)
		}
		text = inside
	}
	var codes []string
	for _, match := range table.entry.FindAllStringSubmatch(text, -1) {
		codes = append(codes, match[1])
	}
	rest := commentOrGuard.ReplaceAllString(table.entry.ReplaceAllString(text, ""), "")
	if table.other != nil {
		rest = table.other.ReplaceAllString(rest, "")
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		t.Errorf("%s: the table of codes has more than codes: %q", table.file, rest)
	}
	return codes
}

var commentOrGuard = regexp.MustCompile(`(?m)^\s*(//|/\*|\*|#ifndef|#define \w+$|#endif).*$`)

// codesByName are the codes of package abi by the names of their constants.
func codesByName(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../abi/code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{}
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			constant := spec.(*ast.ValueSpec)
			value, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatalf("%s: %v", constant.Names[0], err)
			}
			codes[constant.Names[0].Name] = value
		}
	}
	return codes
}
