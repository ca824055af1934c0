package guest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func TestGuestBuildsWithoutFmtAndReflection(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/wasmsandbox/wasmsandbox/abi") {
		t.Fatalf("that aren't the dependencies: %q", deps)
	}
	for _, unwanted := range []string{"fmt", "reflect", "encoding/json", "os", "sort", "testing"} {
		if slices.Contains(deps, unwanted) {
			t.Errorf("the SDK depends on %s", unwanted)
		}
	}
	for _, dep := range deps {
		if strings.Contains(dep, ".") && !strings.HasPrefix(dep, "github.com/wasmsandbox/") {
			t.Errorf("the SDK depends on the module of %s", dep)
		}
	}
}

func TestImportsAreThoseOfTheABI(t *testing.T) {
	want := map[string]string{
		abi.ImportLog:       "(int32, unsafe.Pointer, uint32) int32",
		abi.ImportFail:      "(unsafe.Pointer, uint32) int32",
		abi.ImportBlobRead:  "(int32, int64, unsafe.Pointer, uint32) int32",
		abi.ImportBlobNew:   "() int32",
		abi.ImportBlobWrite: "(int32, unsafe.Pointer, uint32) int32",
	}
	got := directives(t, "imports_wasip1.go", `//go:wasmimport `+abi.ImportModule+` (\w+)`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExportsAreThoseOfTheABI(t *testing.T) {
	want := map[string]string{
		abi.ExportVersion:  "() int32",
		abi.ExportBuffer:   "(int32) int32",
		abi.ExportDescribe: "() int64",
		abi.ExportOpen:     "(int32) int64",
		abi.ExportMatch:    "(int32, int32) int64",
		abi.ExportRespond:  "(int32, int32) int64",
		abi.ExportClose:    "() int64",
	}
	got := directives(t, "exports_wasip1.go", `//go:wasmexport (\w+)`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNativeStubMirrorsTheImports(t *testing.T) {
	stub := signatures(parse(t, "imports_native.go"), "host")
	if got := signatures(parse(t, "imports_wasip1.go"), "host"); !reflect.DeepEqual(got, stub) || len(got) != 5 {
		t.Errorf("WebAssembly has %v, the stub %v", got, stub)
	}
}

func TestEveryCodeOfTheABIIsHere(t *testing.T) {
	want := constants(parse(t, "../abi/code.go"))
	if got := constants(parse(t, "codes.go")); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("got %q, want %q", got, want)
	}
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// directives maps the name in each function's directive to its signature.
func directives(t *testing.T, file, pattern string) map[string]string {
	t.Helper()
	re, found := regexp.MustCompile(pattern), map[string]string{}
	for _, decl := range parse(t, file).Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		for _, c := range fn.Doc.List {
			if m := re.FindStringSubmatch(c.Text); m != nil {
				found[m[1]] = signature(fn)
			}
		}
	}
	return found
}

// signatures maps the functions with a prefix to their signatures.
func signatures(f *ast.File, prefix string) map[string]string {
	found := map[string]string{}
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, prefix) {
			found[fn.Name.Name] = signature(fn)
		}
	}
	return found
}

func signature(fn *ast.FuncDecl) string {
	text := "(" + strings.Join(typesOf(fn.Type.Params), ", ") + ")"
	if results := typesOf(fn.Type.Results); len(results) > 0 {
		text += " " + strings.Join(results, ", ")
	}
	return text
}

func typesOf(fields *ast.FieldList) []string {
	var types []string
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			types = append(types, typeName(f.Type))
		}
	}
	return types
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	default:
		return "?"
	}
}

func constants(f *ast.File) []string {
	var names []string
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				names = append(names, spec.(*ast.ValueSpec).Names[0].Name)
			}
		}
	}
	return names
}
