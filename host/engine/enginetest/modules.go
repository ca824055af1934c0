package enginetest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var moduleTests = []test{
	{"an engine has a name", nothing, func(t *testing.T, s *suite) {
		if s.engine(t).Name() == "" {
			t.Error("the name is empty")
		}
	}},
	{"imports are listed in the order of the import section", nothing, listsImports},
	{"exports are listed by name", nothing, listsExports},
	{"the engine doesn't keep the bytes of a module", realWasm, forgetsBytes},
	{"bytes that aren't a core module are a compile error", realWasm, refusesOtherBytes},
	{"a module that is cut off is never a panic", realWasm, survivesCutModules},
	{"a damaged module is never a panic", realWasm, survivesDamagedModules},
	{"a link error names an import that nothing offers", nothing, namesMissingImport},
	{"a link error names the type that was offered", nothing, namesOfferedType},
	{"an import that isn't a function is a link error", realWasm, refusesOtherKinds},
	{"a module that wants too much memory doesn't compile", memoryLimit, refusesHugeMemory},
}

var wide64 = engine.Func([]engine.ValueType{engine.I32, engine.I64, engine.F32, engine.F64}, engine.I64)

func listsImports(t *testing.T, s *suite) {
	got := s.module(t, "externs").Imports()
	want := []engine.Import{
		{Module: "z", Name: "global", Kind: engine.ExternGlobal},
		{Module: "a", Name: "func", Kind: engine.ExternFunc, Type: wide64},
		{Module: "a", Name: "table", Kind: engine.ExternTable},
		{Module: "a", Name: "memory", Kind: engine.ExternMemory},
		{Module: "z", Name: "mutable", Kind: engine.ExternGlobal},
		{Module: "a", Name: "late", Kind: engine.ExternFunc},
	}
	if diff := cmp.Diff(want, got, sameTypes); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
}

func listsExports(t *testing.T, s *suite) {
	got := s.module(t, "externs").Exports()
	want := []engine.Export{
		{Name: "again", Kind: engine.ExternFunc, Type: wide64},
		{Name: "func", Kind: engine.ExternFunc, Type: engine.Func(
			[]engine.ValueType{engine.ExternRef}, engine.F64, engine.FuncRef)},
		{Name: "memory", Kind: engine.ExternMemory},
		{Name: "table", Kind: engine.ExternTable},
		{Name: "zero", Kind: engine.ExternGlobal},
	}
	if diff := cmp.Diff(want, got, sameTypes); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
}

// sameTypes takes no and empty lists of types for the same.
var sameTypes = cmp.Comparer(engine.FuncType.Equal)

func forgetsBytes(t *testing.T, s *suite) {
	wasm := bytes.Clone(guest(t, "memory"))
	m, err := s.engine(t).Compile(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	clear(wasm)
	in := instantiate(t, m, nil)
	if got, _ := in.Memory().View(16, 7); string(got) != "sixteen" {
		t.Errorf("the data is %q, want %q", got, "sixteen")
	}
	if got := call32(t, in, "load", 16); got != 's' {
		t.Errorf("load(16) = %d, want %d", got, 's')
	}
}

func refusesOtherBytes(t *testing.T, s *suite) {
	e := s.engine(t)
	for name, input := range map[string]string{
		"nothing":       "",
		"text":          "(module)",
		"an executable": "\x7fELF\x02\x01\x01\x00\x00",
		"a component":   "\x00asm\x0d\x00\x01\x00",
		"a version 2":   "\x00asm\x02\x00\x00\x00",
		"half a header": "\x00asm\x01",
		"half a module": string(guest(t, "numbers")[:20]),
		"a body that leaves no result": "\x00asm\x01\x00\x00\x00" +
			"\x01\x05\x01\x60\x00\x01\x7f" + "\x03\x02\x01\x00" + "\x0a\x04\x01\x02\x00\x0b",
	} {
		_, err := e.Compile(t.Context(), []byte(input))
		if _, ok := errors.AsType[*engine.CompileError](err); !ok {
			t.Errorf("%s: error %v, want a *CompileError", name, err)
		}
	}
}

func survivesCutModules(t *testing.T, s *suite) {
	e := s.engine(t)
	wasm := guest(t, "traps")
	for n := range wasm {
		compilesOrFails(t, e, wasm[:n])
	}
}

func survivesDamagedModules(t *testing.T, s *suite) {
	e := s.engine(t)
	wasm := guest(t, "externs")
	for i := range wasm {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			damaged := bytes.Clone(wasm)
			damaged[i] ^= flip
			compilesOrFails(t, e, damaged)
		}
	}
}

func compilesOrFails(t *testing.T, e engine.Engine, wasm []byte) {
	t.Helper()
	m, err := e.Compile(t.Context(), wasm)
	if err == nil {
		err = m.Close(t.Context())
	} else if _, ok := errors.AsType[*engine.CompileError](err); ok {
		err = nil
	}
	if err != nil {
		t.Errorf("error %v, want a *CompileError", err)
	}
}

func namesMissingImport(t *testing.T, s *suite) {
	_, err := s.module(t, "host", wide()).Instantiate(t.Context(), nil)
	link, ok := errors.AsType[*engine.LinkError](err)
	if !ok {
		t.Fatalf("error %v, want a *LinkError", err)
	}
	if link.Import.Name != "note" || link.Have != nil {
		t.Errorf("got the import %q and the type %v, want note and none", link.Import.Name, link.Have)
	}
}

func namesOfferedType(t *testing.T, s *suite) {
	other := note(nil)
	other.Type = engine.Func([]engine.ValueType{engine.I64}, engine.I32)
	other.Call = wide().Call
	_, err := s.module(t, "host", other, wide()).Instantiate(t.Context(), nil)
	link, ok := errors.AsType[*engine.LinkError](err)
	if !ok {
		t.Fatalf("error %v, want a *LinkError", err)
	}
	if link.Import.Name != "note" || link.Have == nil || !link.Have.Equal(other.Type) {
		t.Errorf("got the import %q and the type %v, want note and %v", link.Import.Name, link.Have, other.Type)
	}
}

func refusesOtherKinds(t *testing.T, s *suite) {
	thing := wide()
	thing.Name = "thing"
	e := s.engine(t, thing)
	for guest, kind := range map[string]engine.ExternKind{
		"import-memory": engine.ExternMemory,
		"import-table":  engine.ExternTable,
		"import-global": engine.ExternGlobal,
	} {
		_, err := compile(t, e, guest).Instantiate(t.Context(), nil)
		link, ok := errors.AsType[*engine.LinkError](err)
		if !ok || link.Import.Kind != kind {
			t.Errorf("%s: error %v, want a *LinkError for a %s", guest, err, kind)
		}
	}
}

func refusesHugeMemory(t *testing.T, s *suite) {
	e := s.engine(t)
	_, err := e.Compile(t.Context(), guest(t, "huge"))
	if _, ok := errors.AsType[*engine.CompileError](err); !ok {
		t.Errorf("error %v, want a *CompileError", err)
	}
	size, ok := errors.AsType[*engine.SizeError](err)
	if !ok || size.Part != engine.ExternMemory || size.Wanted <= size.Most || size.Most != e.Bounds().MemoryPages {
		t.Errorf("error %+v, want a *SizeError with the limit %d", size, e.Bounds().MemoryPages)
	}
}
