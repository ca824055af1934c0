package js

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// sectionOf gives a section of a module.
func sectionOf(t *testing.T, wasm []byte, id byte) []byte {
	t.Helper()
	sections, err := splitSections(wasm)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		if s.id == id {
			return s.body
		}
	}
	t.Fatalf("no section %d", id)
	return nil
}

func TestTheGuestImportsTheABIAndWASIAlone(t *testing.T) {
	wasm, err := Interpreter()
	if err != nil {
		t.Fatal(err)
	}
	imports, err := readImports(sectionOf(t, wasm, sectionImport))
	if err != nil {
		t.Fatal(err)
	}
	var ours []string
	for _, f := range imports {
		switch f.module {
		case abi.ImportModule:
			ours = append(ours, f.name)
		case wasi.Module:
		default:
			t.Errorf("it imports %s.%s", f.module, f.name)
		}
	}
	want := []string{
		abi.ImportLog, abi.ImportFail, abi.ImportBlobLen, abi.ImportBlobRead, abi.ImportBlobNew, abi.ImportBlobWrite, abi.ImportExtension,
	}
	if diff := cmp.Diff(want, ours); diff != "" {
		t.Errorf("imports of the ABI (-want +got):\n%s", diff)
	}
}

func TestTheGuestExportsTheABIAlone(t *testing.T) {
	wasm, err := Interpreter()
	if err != nil {
		t.Fatal(err)
	}
	exports, err := readExportedFunctions(sectionOf(t, wasm, sectionExport))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		abi.ExportInitialize, abi.ExportVersion, abi.ExportBuffer, abi.ExportClose, abi.ExportDescribe, abi.ExportMatch,
		abi.ExportOpen, abi.ExportRespond,
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(exports))); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
}

func TestTheInterpreterIsTheSameEachTime(t *testing.T) {
	first, err1 := build(nil)
	second, err2 := build(nil)
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(first, second) {
		t.Errorf("it differs, %v", err)
	}
	if bundle, err := Bundle("a.js", []byte("let a;")); err != nil || bytes.Equal(bundle, first) {
		t.Errorf("a bundle is the interpreter, %v", err)
	}
}

func TestAnotherInterpreterIsRefused(t *testing.T) {
	if err := checkQuickJS(append(bytes.Clone(quickJS), 0)); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("got %v", err)
	}
}

func TestAModuleThatIsCutOffIsAnError(t *testing.T) {
	sections, err := splitSections(quickJS)
	if err != nil {
		t.Fatal(err)
	}
	needed := len(joinSections(sections)) // custom sections follow
	for size := 0; size < needed; size += 1 + size/50 {
		if _, err := link(quickJS[:size], nil); err == nil {
			t.Errorf("%d of %d bytes are taken", size, needed)
		}
	}
}

func TestFunctionsAreRenumbered(t *testing.T) {
	plus1000 := func(i uint32) uint32 { return i + 1000 }
	code := []byte{
		1, 2, 0x7f, // two locals
		0x10, 0x05, // call 5
		0x41, 0x10, // i32.const 16: no call
		0x42, 0xd2, 0x10, // i64.const: bytes like opcodes
		0x43, 0x10, 0x10, 0x10, 0x10, // f32.const
		0x44, 0x10, 0xd2, 0x10, 0xd2, 0x10, 0xd2, 0x10, 0xd2, // f64.const
		0x0e, 2, 0x10, 0x10, 0x10, // br_table
		0x28, 0x02, 0x10, // i32.load 16
		0xfc, 0x0a, 0x00, 0x00, // memory.copy
		0xfc, 0x02, // i32.trunc_sat_f64_s
		0x11, 0x10, 0x00, // call_indirect
		0xd2, 0x80, 0x01, // ref.func 128
		0x1a, 0x0b, // drop, end
	}
	want := slices.Concat(code[:4], []byte{0xed, 0x07}, code[5:len(code)-4], []byte{0xe8, 0x08}, code[len(code)-2:])
	got, err := renumberFunction(code, plus1000)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got  % x, %v,\nwant % x", got, err, want)
	}
}

func TestInstructionsThatAreNotKnownAreErrors(t *testing.T) {
	same := func(i uint32) uint32 { return i }
	for _, code := range [][]byte{{0, 0x06}, {0, 0x12}, {0, 0x18}, {0, 0x1d}, {0, 0x27}, {0, 0xc5}, {0, 0xfd, 0}, {0, 0xfc, 18}, {0, 0x41}, {0, 0x10}, {0, 0x0e, 9}, {5}, {}} {
		if got, err := renumberFunction(code, same); err == nil {
			t.Errorf("% x became % x", code, got)
		}
	}
	if _, err := renumberElements([]byte{1, 1, 0, 0}, same); err == nil {
		t.Error("a passive element segment is taken")
	}
}

func TestMistakesInTheGlueAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"drop":                        "outside of a function",
		"func f a:f64":                `"f64" is no type`,
		"func f\ncall g":              `"g" isn't declared`,
		"func f\nlocal.get x":         `"x" isn't declared`,
		"func f\ni32.const MISSING":   "MISSING",
		"func f\nf64.add":             "isn't known",
		"func f\nmemory.init NOWHERE": "NOWHERE",
	} {
		g, err := parseGlue(text)
		if err == nil {
			_, err = g.funcs[0].assemble(scope{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
