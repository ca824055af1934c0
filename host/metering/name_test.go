package metering_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// trace is the guest's part of a trap's text.
func trace(err error) string {
	_, after, _ := strings.Cut(err.Error(), "wasm stack trace:\n")
	return after
}

func TestATraceNamesTheSameFunctions(t *testing.T) {
	for _, options := range allOptions {
		wasm := testGuest(t, "named")
		original, err := start(t.Context(), t, wasm, enough)
		if err != nil {
			t.Fatal(err)
		}
		rewritten := metered(t, "named", options, enough)
		_, err1 := original.call(t.Context(), "divide", 0)
		_, err2 := rewritten.call(t.Context(), "divide", 0)
		if err1 == nil || err2 == nil {
			t.Fatal("it divides by zero")
		}
		want := trace(err1)
		if !strings.Contains(want, ".innermost(i32) i32\n\t.middle(i32) i32\n\t.outermost(i32) i32") {
			t.Fatalf("the original's trace is\n%s", want)
		}
		if got := trace(err2); got != want {
			t.Errorf("%+v: the trace is\n%s\nwant\n%s", options, got, want)
		}
	}
}

// nameSection is the content of a name section, after its own name.
func nameSection(t *testing.T, wasm []byte) []byte {
	t.Helper()
	_, after, ok := bytes.Cut(wasm, []byte("\x04name"))
	if !ok {
		t.Fatal("it has no name section")
	}
	return after
}

func TestNamesMoveWithTheirFunctions(t *testing.T) {
	got := nameSection(t, rewrite(t, testGuest(t, "named"), metering.Options{}).Wasm)
	functions := "\x01\x50\x07" + "\x00\x09host_note" + "\x01\x0ahost_twice" +
		"\x03\x09innermost" + "\x04\x06middle" + "\x05\x09outermost" +
		"\x06\x0bmemory.copy" + "\x07\x0bmemory.fill"
	locals := "\x02\x22\x05" + "\x00\x00" + "\x01\x00" +
		"\x03\x02\x00\x07divisor\x01\x06unused" + "\x04\x01\x00\x01x" + "\x05\x01\x00\x01x"
	if want := functions + locals; string(got) != want {
		t.Errorf("the section is\n%q\nwant\n%q", got, want)
	}
}

func TestCustomSections(t *testing.T) {
	tests := map[string]bool{
		"producers": true, "target_features": true, "my own": true, "go.buildid": true, "build_id": true,
		".debug_info": false, ".debug_line": false, "reloc.CODE": false, "linking": false, "sourceMappingURL": false,
		"external_debug_info": false, "metadata.code.branch_hint": false,
	}
	for name, kept := range tests {
		section := customOf(name, 1, 2, 3)
		got := rewrite(t, slicesOf(header, section, sectionOf(5, 1, 0, 1), section), metering.Options{}).Wasm
		want := 0
		if kept {
			want = 2
		}
		if n := bytes.Count(got, section); n != want || bytes.Contains(got, []byte(name)) != kept {
			t.Errorf("%s is there %d times, want %d", name, n, want)
		}
	}
}

// A name section that is malformed doesn't make its module so, but engines differ
// in what they make of it.
func TestAMalformedNameSectionIsLeftOut(t *testing.T) {
	for _, content := range [][]byte{{1}, {1, 5, 1}, {1, 2, 1, 0}, {1, 3, 0x7f, 0, 0}, {2, 0, 0}, {1, 2, 0, 0}} {
		section := customOf("name", content...)
		got := rewrite(t, slicesOf(header, sectionOf(5, 1, 0, 1), section), metering.Options{}).Wasm
		if bytes.Contains(got, []byte("name")) {
			t.Errorf("% x has become % x", section, got)
		}
	}
	for _, content := range [][]byte{{}, {9, 0}, {7, 1, 0}, {1, 1, 0}} {
		section := customOf("name", content...)
		got := rewrite(t, slicesOf(header, sectionOf(5, 1, 0, 1), section), metering.Options{}).Wasm
		if !bytes.Contains(got, section) {
			t.Errorf("% x isn't in % x", section, got)
		}
	}
}

func TestAddedExportsAreTold(t *testing.T) {
	fuel, depth := metering.ExportFuel, metering.ExportDepth
	globals := []string{"wasmsandbox.global.1", "wasmsandbox.global.2", "wasmsandbox.global.3", "wasmsandbox.global.4", "wasmsandbox.global.5"}
	for _, test := range []struct {
		options metering.Options
		want    []string
	}{
		{metering.Options{}, []string{fuel}},
		{metering.Options{MaxDepth: 5}, []string{fuel, depth}},
		{metering.Options{ExportGlobals: true}, slices.Concat([]string{fuel}, globals)},
		{metering.Options{MaxDepth: 5, ExportGlobals: true}, slices.Concat([]string{fuel, depth}, globals)},
	} {
		result := rewrite(t, testGuest(t, "features"), test.options)
		if !slices.Equal(result.Exports, test.want) {
			t.Errorf("%+v: the exports are %v, want %v", test.options, result.Exports, test.want)
		}
		g, err := start(t.Context(), t, result.Wasm, enough)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range test.want {
			if g.ExportedGlobal(name) == nil {
				t.Errorf("there is no global %s", name)
			}
		}
	}
}

func TestExportedGlobalsAreTheGuests(t *testing.T) {
	result := rewrite(t, testGuest(t, "features"), metering.Options{ExportGlobals: true})
	g, err := start(t.Context(), t, result.Wasm, enough)
	if err != nil {
		t.Fatal(err)
	}
	want := []metering.Global{
		{Export: "wasmsandbox.global.1", Index: 1, Type: 0x7f}, {Export: "wasmsandbox.global.2", Index: 2, Type: 0x7e},
		{Export: "wasmsandbox.global.3", Index: 3, Type: 0x7c}, {Export: "wasmsandbox.global.4", Index: 4, Type: 0x7b},
		{Export: "wasmsandbox.global.5", Index: 5, Type: 0x70},
	}
	if !slices.Equal(result.Globals, want) {
		t.Errorf("the globals are %v, want %v", result.Globals, want)
	}
	for range 3 {
		if _, err := g.call(t.Context(), "calls", 1, 2); err != nil {
			t.Fatal(err)
		}
	}
	if got := g.ExportedGlobal("wasmsandbox.global.1").Get(); got != 4 {
		t.Errorf("the counter is %d, want 4", got)
	}
	if got := int64(g.ExportedGlobal("wasmsandbox.global.2").Get()); got != -5 {
		t.Errorf("the wide one is %d, want -5", got)
	}
}
