package metering_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// canonicalNaN is the one of f64 that a rewritten module's arithmetic gives.
const canonicalNaN = 0x7ff8000000000000

// floating is a module of one function "f", () -> (), with two locals of each of f64, f32
// and v128, a memory, and mutable globals of f64.
func floating(code string) []byte {
	body := slicesOf([]byte{3, 2, 0x7c, 2, 0x7d, 2, 0x7b}, []byte(code), []byte{0x0b})
	return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0), sectionOf(5, 1, 0, 1),
		sectionOf(6, slicesOf([]byte{1, 0x7c, 1, 0x44}, make([]byte, 8), []byte{0x0b})...),
		sectionOf(7, 1, 1, 'f', 0, 0), long(10, []byte{1}, uleb(len(body)), body))
}

// The marks of code that makes a NaN canonical: a value is compared with itself, and chosen.
var marks = [][]byte{{0x60, 0x1b}, {0x66, 0x1b}, {0xfd, 0x41, 0xfd, 0x52}, {0xfd, 0x47, 0xfd, 0x52}}

func TestOnlyNaNsThatAreSeenAreMadeCanonical(t *testing.T) {
	const x, y, sum, sums = "\x20\x00", "\x20\x01", "\x20\x00\x20\x01\xa0", "\x20\x04\x20\x05\xfd\xf0\x01"
	for name, test := range map[string]struct {
		code string
		want int
	}{
		"a sum that is stored":               {"\x41\x00" + sum + "\x39\x00\x00", 1},
		"a sum in a global":                  {sum + "\x24\x00", 1},
		"a sum that is compared":             {sum + x + "\x63\x1a", 0},
		"a sum that becomes an integer":      {sum + "\xaa\x1a" + sum + "\xfc\x02\x1a", 0},
		"a chain of arithmetic":              {sum + x + "\xa2" + sum + "\xa1\x9f\x24\x00", 1},
		"a sum in a chain that goes to f32":  {sum + "\xb6" + "\x20\x02\x92\xbb\x24\x00", 1},
		"a local that nobody reads":          {sum + "\x21\x00", 0},
		"a local that is computed with":      {sum + "\x22\x00" + x + "\xa2\x21\x01" + y + x + "\xa0\x21\x01" + y + y + "\x61\x1a", 0},
		"a local that is stored":             {sum + "\x21\x00\x41\x00" + x + "\x39\x00\x00", 1},
		"a local that is computed in a loop": {"\x03\x40" + sum + "\x22\x00" + y + "\x63\x0d\x00\x0b", 0},
		"a sum below a load":                 {sum + "\x41\x00\x2b\x00\x00\xa0\x1a", 1},
		"code that is never reached":         {"\x00" + sum + "\x24\x00", 0},
		"a sign that is changed":             {x + "\x9a\x24\x00" + x + "\x99\x24\x00" + x + y + "\xa6\x24\x00", 0},
		"vectors that are compared":          {sums + "\x20\x04\xfd\x49\x1a", 0},
		"vectors that are computed with":     {sums + "\x20\x04\xfd\xf2\x01\x21\x04", 0},
		"vectors of two kinds":               {sums + "\x20\x04\xfd\xe4\x01\xfd\x53\x1a", 2},
		"integers":                           {"\x41\x01\x41\x02\x6a\x1a", 0},
	} {
		result := rewrite(t, floating(test.code), metering.Options{})
		if err := valid(t, floating(test.code)); err != nil {
			t.Errorf("%s isn't valid: %v", name, err)
		}
		n := 0
		for _, mark := range marks {
			n += bytes.Count(result.Wasm, mark)
		}
		if n != test.want {
			t.Errorf("%s: %d results are made canonical, want %d", name, n, test.want)
		}
	}
}

// What is added isn't counted.
func TestCanonicalNaNsCostNoFuel(t *testing.T) {
	const code = "\x20\x00\x20\x01\xa0\x24\x00\x20\x04\x20\x05\xfd\xf0\x01\xfd\x21\x00\x24\x00"
	for _, options := range allOptions {
		g, err := start(t.Context(), t, rewrite(t, floating(strings.Repeat(code, 3)), options).Wasm, enough)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.call(t.Context(), "f"); err != nil || g.used() != 3*9 {
			t.Errorf("%+v: it used %d units (%v), want %d", options, g.used(), err, 3*9)
		}
	}
}
