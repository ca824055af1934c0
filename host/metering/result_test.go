package metering_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

func encode(t testing.TB, r *metering.Result) []byte {
	t.Helper()
	b, err := r.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestResultsTravelAsBytes(t *testing.T) {
	for _, name := range []string{"bare", "features", "named", "sorthash"} {
		for _, options := range allOptions {
			want := rewrite(t, testGuest(t, name), options)
			got, ok := metering.DecodeResult(encode(t, want))
			if !ok {
				t.Errorf("%s, %+v: it isn't decoded", name, options)
				continue
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(metering.Result{}, "Offsets")); diff != "" {
				t.Errorf("%s, %+v (-want +got):\n%s", name, options, diff)
			}
			for place := range want.Wasm {
				original, inCode := want.Offsets.Original(place)
				if o, in := got.Offsets.Original(place); o != original || in != inCode {
					t.Fatalf("%s, %+v: %d leads to %d, %v, want %d, %v", name, options, place, o, in, original, inCode)
				}
			}
		}
	}
}

// The module is all that is left at the end, so whatever is cut off there has to be
// noticed by who keeps the result.
func TestMalformedResultsAreNone(t *testing.T) {
	result := rewrite(t, testGuest(t, "features"), metering.Options{MaxDepth: 100, ExportGlobals: true})
	good := encode(t, result)
	head := len(good) - len(result.Wasm)
	for n := range head {
		if _, ok := metering.DecodeResult(good[:n]); ok {
			t.Errorf("the first %d of %d bytes are a result", n, head)
		}
	}
	for name, b := range map[string][]byte{
		"more strings than bytes":    {200, 1, 0, 0, 0},
		"a string that is too long":  {1, 9, 'x', 0, 0, 0},
		"a long form of a number":    {0x80, 0, 0, 0, 0},
		"a number of ten bytes":      append(bytes.Repeat([]byte{0xff}, 9), 0x7f),
		"a global that is too far":   {0, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0, 0},
		"a global without its type":  {0, 1, 0, 0},
		"offsets that end elsewhere": {0, 0, 0, 0, 0, 4, 1, 1},
		"pages that are too many":    {0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 0, 0},
	} {
		if _, ok := metering.DecodeResult(b); ok {
			t.Errorf("%s: it is a result", name)
		}
	}
}

func FuzzDecodeResult(f *testing.F) {
	for _, name := range []string{"bare", "named"} {
		f.Add(encode(f, rewrite(f, testGuest(f, name), metering.Options{MaxDepth: 100, ExportGlobals: true})))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		given := slices.Clone(b)
		r, ok := metering.DecodeResult(b)
		if !ok {
			return
		}
		if again := encode(t, r); !bytes.Equal(again, given) {
			t.Errorf("%x is encoded as %x", given, again)
		}
		for _, place := range []int{-1, 0, 1, 100, 1<<31 - 1} {
			if original, ok := r.Offsets.Original(place); original < 0 || !ok && original != 0 {
				t.Errorf("%d leads to %d, %v", place, original, ok)
			}
		}
	})
}
