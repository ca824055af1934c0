package outline_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

const header = "\x00asm\x01\x00\x00\x00"

func TestWhatAModuleSaysOfItself(t *testing.T) {
	wasm := header +
		"\x01\x0a\x02\x60\x00\x00\x60\x02\x7f\x7e\x01\x7d" + // () -> (), (i32 i64) -> f32
		"\x02\x0b\x01\x03env\x03one\x00\x01" +
		"\x03\x02\x01\x00" +
		"\x04\x05\x01\x70\x01\x07\x09" + // 7 to 9 entries
		"\x05\x03\x01\x00\x02" + // 2 pages
		"\x07\x10\x02\x03two\x00\x01\x06memory\x02\x00"
	o, err := outline.Read([]byte(wasm))
	if err != nil {
		t.Fatal(err)
	}
	one := engine.Func([]engine.ValueType{engine.I32, engine.I64}, engine.F32)
	if len(o.Imports) != 1 || o.Imports[0].Module != "env" || o.Imports[0].Name != "one" || !o.Imports[0].Type.Equal(one) {
		t.Errorf("imports %v", o.Imports)
	}
	names := make([]string, len(o.Exports))
	for i, e := range o.Exports {
		names[i] = e.Name
	}
	if want := []string{"memory", "two"}; !slices.Equal(names, want) {
		t.Errorf("exports %v, want %v", names, want)
	}
	if two, ok := o.Function("two"); !ok || !two.Equal(engine.Func(nil)) {
		t.Errorf("the type of two is %v, %v", two, ok)
	}
	if _, ok := o.Function("memory"); ok {
		t.Error("a memory is taken for a function")
	}
	if !o.Memory || o.Pages != 2 || o.Tables != 1 || o.Entries != 7 {
		t.Errorf("memory %v, %d pages, %d tables, %d entries", o.Memory, o.Pages, o.Tables, o.Entries)
	}
}

func TestAModuleThatIsNoneIsToldSo(t *testing.T) {
	for name, wasm := range map[string]string{
		"a section that is cut short":              "\x01\x05\x01\x60",
		"a count without items":                    "\x03\x01\x02",
		"a number that doesn't end":                "\x03\x02\x01\x80",
		"a number of more than 32 bits":            "\x03\x07\x01\x80\x80\x80\x80\x80\x01",
		"a type that isn't one of a function":      "\x01\x04\x01\x5f\x00\x00",
		"a type of a value that isn't known":       "\x01\x05\x01\x60\x01\x01\x00",
		"an import of an unknown kind":             "\x02\x06\x01\x01a\x01b\x09",
		"an export of a function that isn't there": "\x07\x05\x01\x01a\x00\x00",
		"a table of what isn't a reference":        "\x04\x04\x01\x7f\x00\x01",
		"a table of another kind of type":          "\x04\x05\x01\x63\x00\x00\x01",
		"a global of another kind of type":         "\x02\x07\x01\x00\x00\x03\x63\x00\x00",
		"limits of an unknown kind":                "\x05\x03\x01\x02\x01",
	} {
		t.Run(name, func(t *testing.T) {
			if o, err := outline.Read([]byte(header + wasm)); !errors.Is(err, outline.ErrBinary) {
				t.Errorf("%+v, error %v", o, err)
			}
		})
	}
	if _, err := outline.Read([]byte{0}); !errors.Is(err, outline.ErrBinary) {
		t.Errorf("a module without a header is read: %v", err)
	}
	if outline.CheckHeader([]byte("\x00asm\x0d\x00\x01\x00")) == nil || outline.CheckHeader(nil) == nil || outline.CheckHeader([]byte(header)) != nil {
		t.Error("a header is taken for another")
	}
}

// FuzzOutline reads input that no engine has validated.
func FuzzOutline(f *testing.F) {
	guests, err := filepath.Glob("../enginetest/testdata/*.wasm")
	if err != nil || len(guests) == 0 {
		f.Fatalf("guests %v, %v", guests, err)
	}
	for _, path := range guests {
		wasm, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wasm)
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		o, err := outline.Read(wasm)
		if err == nil && len(o.Imports)+len(o.Exports) > len(wasm) {
			t.Errorf("%d bytes hold %d imports and %d exports", len(wasm), len(o.Imports), len(o.Exports))
		}
	})
}
