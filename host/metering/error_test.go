package metering_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

func TestWhatIsRefused(t *testing.T) {
	oneType := sectionOf(1, 1, 0x60, 0, 0)
	tests := map[string]struct {
		wasm   []byte
		kind   metering.ErrorKind
		reason string
	}{
		"nothing":                {nil, metering.Malformed, "version 1"},
		"a component":            {[]byte("\x00asm\x0d\x00\x01\x00"), metering.Malformed, "version 1"},
		"a cut off section":      {slicesOf(header, []byte{1, 9, 1}), metering.Malformed, "9 items"},
		"sections in disorder":   {slicesOf(header, sectionOf(3, 0), oneType), metering.Malformed, "wrong place"},
		"a section twice":        {slicesOf(header, oneType, oneType), metering.Malformed, "twice"},
		"an unknown section":     {slicesOf(header, sectionOf(14)), metering.Malformed, "unknown kind 14"},
		"tags":                   {slicesOf(header, sectionOf(13, 0)), metering.Unsupported, "exceptions"},
		"a struct type":          {slicesOf(header, sectionOf(1, 1, 0x5f, 0)), metering.Unsupported, "garbage collection"},
		"a typed reference":      {slicesOf(header, sectionOf(1, 1, 0x60, 1, 0x64, 0, 0)), metering.Unsupported, "typed function references"},
		"an anyref":              {slicesOf(header, sectionOf(1, 1, 0x60, 1, 0x6e, 0)), metering.Unsupported, "garbage collection"},
		"an unknown type":        {slicesOf(header, sectionOf(1, 1, 0x60, 1, 0x10, 0)), metering.Malformed, "unknown type"},
		"a 64-bit memory":        {slicesOf(header, sectionOf(5, 1, 4, 1)), metering.Unsupported, "memory64"},
		"a shared memory":        {slicesOf(header, sectionOf(5, 1, 3, 1, 1)), metering.Unsupported, "threads"},
		"two memories":           {slicesOf(header, sectionOf(5, 2, 0, 1, 0, 1)), metering.Unsupported, "multiple memories"},
		"a table with a value":   {slicesOf(header, sectionOf(4, 1, 0x40, 0, 0x70, 0, 1, 0xd0, 0x70, 0x0b)), metering.Unsupported, "typed function references"},
		"an imported tag":        {slicesOf(header, oneType, sectionOf(2, 1, 1, 'a', 1, 'b', 4, 0, 0)), metering.Unsupported, "exceptions"},
		"functions without code": {slicesOf(header, oneType, sectionOf(3, 1, 0)), metering.Malformed, "no code section"},
		"code without functions": {slicesOf(header, oneType, sectionOf(10, 1, 2, 0, 0x0b)), metering.Malformed, "there are 0"},
		"bytes after a list":     {slicesOf(header, sectionOf(7, 0, 1)), metering.Malformed, "after the end of the export section"},
		"an unknown export":      {slicesOf(header, sectionOf(7, 1, 1, 'f', 0, 0)), metering.Malformed, "function 0 of 0"},
		"an unknown start":       {slicesOf(header, sectionOf(8, 5)), metering.Malformed, "function 5 of 0"},
		"a long number":          {slicesOf(header, sectionOf(1, 0x80, 0x80, 0x80, 0x80, 0x80, 0)), metering.Malformed, "32 bits"},

		"the fuel itself":      {codeOf(0x23, 1, 0x1a), metering.Malformed, "global 1 of 1"},
		"setting the fuel":     {codeOf(0x42, 0, 0x24, 1), metering.Malformed, "global 1 of 1"},
		"exporting the fuel":   {slicesOf(header, sectionOf(7, 1, 1, 'f', 3, 0)), metering.Malformed, "global 0 of 0"},
		"calling the import":   {codeOf(0x42, 0, 0x10, 1, 0x1a), metering.Malformed, "function 1 of 1"},
		"a scratch local":      {codeOf(0x41, 0, 0x41, 0, 0x20, 0, 0xfc, 11, 0), metering.Malformed, "local 0 of 0"},
		"the added block":      {codeOf(0x10, 0, 0x0c, 1), metering.Malformed, "label 1 of 1"},
		"the added type":       {codeOf(0x42, 0, 0x41, 0, 0x11, 1, 0, 0x1a), metering.Malformed, "type 1 of 1"},
		"a block of that type": {codeOf(0x42, 0, 0x02, 1, 0x0b, 0x1a), metering.Malformed, "type 1 of 1"},

		"try":                   {codeOf(0x06, 0x40, 0x0b), metering.Unsupported, "opcode try needs exceptions"},
		"try_table":             {codeOf(0x1f, 0x40, 0, 0x0b), metering.Unsupported, "opcode try_table needs exceptions"},
		"throw":                 {codeOf(0x08, 0), metering.Unsupported, "opcode throw needs exceptions"},
		"call_ref":              {codeOf(0x14, 0), metering.Unsupported, "opcode call_ref needs typed function references"},
		"struct.new":            {codeOf(0xfb, 0, 0), metering.Unsupported, "opcode 0xfb 0x0 needs garbage collection"},
		"an atomic":             {codeOf(0xfe, 3, 0), metering.Unsupported, "opcode 0xfe 0x3 needs threads"},
		"relaxed SIMD":          {codeOf(0xfd, 0x80, 2), metering.Unsupported, "opcode 0x100 needs relaxed SIMD"},
		"another memory":        {codeOf(0x41, 0, 0x28, 0x42, 1, 0, 0x1a), metering.Unsupported, "multiple memories"},
		"growing another":       {codeOf(0x41, 0, 0x40, 1, 0x1a), metering.Unsupported, "multiple memories"},
		"an opcode of none":     {codeOf(0x27), metering.Malformed, "unknown opcode 0x27"},
		"a bulk opcode of none": {codeOf(0xfc, 18), metering.Malformed, "unknown opcode 0xfc 0x12"},
		"an else of none":       {codeOf(0x05), metering.Malformed, "else"},
		"code after its end":    {codeOf(0x0b, 0x01), metering.Malformed, "after the end of a function"},
		"an open block":         {codeOf(0x02, 0x40), metering.Malformed, "a byte is missing"},

		"a reserved export": {slicesOf(header, sectionOf(5, 1, 0, 1), sectionOf(7, slicesOf([]byte{1, 13}, []byte("wasmsandbox.x"), []byte{2, 0})...)),
			metering.Reserved, "wasmsandbox.x"},
		"a reserved import": {slicesOf(header, oneType, sectionOf(2, slicesOf([]byte{1, 20}, []byte("wasmsandbox.metering"), []byte{6}, []byte("refill"), []byte{0, 0})...)),
			metering.Reserved, "wasmsandbox.metering"},
		"a rewritten module": {rewrite(t, testGuest(t, "fuel"), metering.Options{}).Wasm, metering.Reserved, "wasmsandbox.metering"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := metering.Rewrite(test.wasm, metering.Options{MaxDepth: 10})
			e, ok := errors.AsType[*metering.Error](err)
			if !ok || !errors.Is(err, test.kind) || !strings.Contains(e.Reason, test.reason) {
				t.Fatalf("error %v, want %v about %q", err, test.kind, test.reason)
			}
			if e.Offset < 0 || e.Offset > len(test.wasm) {
				t.Errorf("offset %d in %d bytes", e.Offset, len(test.wasm))
			}
		})
	}
}

func TestEveryCutIsAnError(t *testing.T) {
	for _, name := range []string{"features", "tailcalls", "named"} {
		wasm := testGuest(t, name)
		for n := range wasm {
			_, err := metering.Rewrite(slices.Clip(wasm[:n]), metering.Options{})
			if _, ok := errors.AsType[*metering.Error](err); err != nil && !ok {
				t.Fatalf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

// FuzzNoInputPanics also looks at what is accepted: it has to be accepted by the
// engine if the original is, and may not be much larger.
func FuzzNoInputPanics(f *testing.F) {
	for _, name := range []string{"features", "tailcalls", "named", "fuel", "endless", "bare", "sorthash"} {
		wasm, err := os.ReadFile("testdata/" + name + ".wasm")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wasm, uint16(0))
		f.Add(wasm, uint16(100))
	}
	f.Fuzz(func(t *testing.T, wasm []byte, depth uint16) {
		original := slices.Clone(wasm)
		options := metering.Options{MaxDepth: int(depth), ExportGlobals: depth%2 == 1}
		watch := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("doesn't end: %d bytes", len(wasm))) })
		result, err := metering.Rewrite(wasm, options)
		watch.Stop()
		if !slices.Equal(wasm, original) {
			t.Fatal("the input has changed")
		}
		if _, ok := errors.AsType[*metering.Error](err); err != nil && !ok {
			t.Fatalf("error %v, want an *Error", err)
		}
		if err != nil {
			wantNoNeed(t, wasm, err)
			return
		}
		if len(result.Wasm) > 1000+40*len(wasm) {
			t.Errorf("%d bytes have become %d", len(wasm), len(result.Wasm))
		}
		wantAsValid(t, wasm, result.Wasm)
	})
}
