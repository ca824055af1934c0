package metered_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// arithmetic are the instructions that may give any NaN, by the specification.
const arithmetic = `
	f32.ceil 8d f32.floor 8e f32.trunc 8f f32.nearest 90 f32.sqrt 91
	f32.add 92 f32.sub 93 f32.mul 94 f32.div 95 f32.min 96 f32.max 97
	f64.ceil 9b f64.floor 9c f64.trunc 9d f64.nearest 9e f64.sqrt 9f
	f64.add a0 f64.sub a1 f64.mul a2 f64.div a3 f64.min a4 f64.max a5
	f32.demote_f64 b6 f64.promote_f32 bb
	f32x4.demote_f64x2_zero fd5e f64x2.promote_low_f32x4 fd5f
	f32x4.ceil fd67 f32x4.floor fd68 f32x4.trunc fd69 f32x4.nearest fd6a f32x4.sqrt fde301
	f32x4.add fde401 f32x4.sub fde501 f32x4.mul fde601 f32x4.div fde701 f32x4.min fde801 f32x4.max fde901
	f64x2.ceil fd74 f64x2.floor fd75 f64x2.trunc fd7a f64x2.nearest fd9401 f64x2.sqrt fdef01
	f64x2.add fdf001 f64x2.sub fdf101 f64x2.mul fdf201 f64x2.div fdf301 f64x2.min fdf401 f64x2.max fdf501`

// A layout is how floats of a type are written in these tests, in hexadecimal digits, the
// highest first.
type layout struct {
	one, zero, infinity, canonical string
	nans                           []string // signalling and quiet, positive and negative
	lanes                          int
	load, store, constant          string
}

var layouts = makeLayouts()

func makeLayouts() map[string]layout {
	f32 := layout{
		one: "3f800000", zero: "00000000", infinity: "7f800000", canonical: "7fc00000",
		nans:  []string{"7f800001", "7fc12345", "ffc00000", "ff812345"},
		lanes: 1, load: "\x2a\x00", store: "\x38\x00\x00", constant: "\x43",
	}
	f64 := layout{
		one: "3ff0000000000000", zero: "0000000000000000", infinity: "7ff0000000000000", canonical: "7ff8000000000000",
		nans:  []string{"7ff0000000000001", "7ff8123456789abc", "fff8000000000000", "fff0123456789abc"},
		lanes: 1, load: "\x2b\x00", store: "\x39\x00\x00", constant: "\x44",
	}
	all := map[string]layout{"f32": f32, "f64": f64}
	for name, scalar := range map[string]layout{"f32x4": f32, "f64x2": f64} {
		scalar.lanes = int(name[4] - '0')
		scalar.load, scalar.store, scalar.constant = "\xfd\x00\x00", "\xfd\x0b\x00\x00", "\xfd\x0c"
		all[name] = scalar
	}
	return all
}

// bits are those of a value, in all lanes, as they are in memory.
func (l layout) bits(digits string) string {
	b, err := hex.DecodeString(strings.TrimPrefix(digits, "-"))
	if err != nil {
		panic(err)
	}
	if digits[0] == '-' {
		b[0] ^= 0x80
	}
	slices.Reverse(b)
	return strings.Repeat(string(b), l.lanes)
}

// Where functions of these tests find operands and leave results.
const (
	resultAt  = 0
	operandAt = 16 // the next one 16 bytes further
)

// computing is a module that exports the memory, and functions by their numbers. There are
// two locals and a mutable global of each of f32, f64 and v128, and four functions before
// the exported ones: three that give what they take, and one that gives the bits of an f64 as
// a number.
func computing(functions []string) []byte {
	const types = "\x04\x60\x00\x00\x60\x01\x7d\x01\x7d\x60\x01\x7c\x01\x7c\x60\x01\x7b\x01\x7b"
	n := len(functions)
	exports := slices.Concat(uleb(n+1), []byte("\x06memory\x02\x00"))
	code := slices.Concat(uleb(n+4), bytes.Repeat([]byte("\x04\x00\x20\x00\x0b"), 3), []byte("\x06\x00\x20\x00\xbd\xba\x0b"))
	for i, f := range functions {
		name, body := strconv.Itoa(i), "\x03\x02\x7d\x02\x7c\x02\x7b"+f+"\x0b"
		exports = slices.Concat(exports, uleb(len(name)), []byte(name), []byte{0}, uleb(i+4))
		code = slices.Concat(code, uleb(len(body)), []byte(body))
	}
	globals := slices.Concat([]byte("\x03\x7d\x01\x43"), make([]byte, 4), []byte("\x0b\x7c\x01\x44"), make([]byte, 8),
		[]byte("\x0b\x7b\x01\xfd\x0c"), make([]byte, 16), []byte("\x0b"))
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), part(1, []byte(types)), part(3, uleb(n+4), []byte{1, 2, 3, 2}, make([]byte, n)),
		part(5, []byte("\x01\x00\x01")), part(6, globals), part(7, exports), part(10, code))
}

// A computation is a function of these tests, and what it does.
type computation struct {
	name     string
	code     string   // what leaves a value; with its operands
	operands []string // that it finds in memory
	gives    string   // the layout of the value
	want     string   // bits at the start of the result
}

// wantComputed wants all of them to give what they have to, on each engine.
func wantComputed(t *testing.T, all []computation) {
	t.Helper()
	var functions []string
	for _, c := range all {
		functions = append(functions, "\x41\x00"+c.code+layouts[c.gives].store)
	}
	wasm := computing(functions)
	onEach(t, func(t *testing.T, inner maker) {
		in := instantiate(t, compiled(t, newMetered(t, inner, metered.Config{}), wasm))
		for i, c := range all {
			memory, _ := in.Memory().View(0, 64)
			clear(memory)
			for k, o := range c.operands {
				copy(memory[operandAt+16*k:], o)
			}
			in.call(t, strconv.Itoa(i))
			memory, _ = in.Memory().View(resultAt, 16)
			if got := memory[:len(c.want)]; !bytes.Equal(got, []byte(c.want)) {
				t.Errorf("%s: %x, want %x", c.name, got, c.want)
			}
		}
	})
}

// both are two computations: with the operands as constants, and with those in memory.
func both(name, takes, gives, code, want string, operands ...string) []computation {
	l := layouts[takes]
	var constants, loads string
	for i, o := range operands {
		constants += l.constant + o
		loads += "\x41\x00" + l.load + string(rune(operandAt+16*i))
	}
	return []computation{
		{name + " of constants", constants + code, nil, gives, want},
		{name, loads + code, operands, gives, want},
	}
}

func TestArithmeticGivesTheCanonicalNaN(t *testing.T) {
	var all []computation
	fields := strings.Fields(arithmetic)
	for i := 0; i < len(fields); i += 2 {
		name := fields[i]
		opcode, err := hex.DecodeString(fields[i+1])
		if err != nil {
			t.Fatal(err)
		}
		gives, what, _ := strings.Cut(name, ".")
		takes := gives
		if _, from, ok := strings.Cut(what, "_"); ok { // demote and promote
			takes = strings.TrimSuffix(strings.TrimPrefix(from, "low_"), "_zero")
		}
		l, want := layouts[takes], layouts[gives]
		canonical := want.bits(want.canonical)[:len(want.canonical)/2] // in the first lane at least
		add := func(operands ...string) {
			var values []string
			for _, o := range operands {
				values = append(values, l.bits(o))
			}
			all = append(all, both(fmt.Sprint(name, operands), takes, gives, string(opcode), canonical, values...)...)
		}
		binary := slices.Contains([]string{"add", "sub", "mul", "div", "min", "max"}, what)
		for k, nan := range l.nans {
			if !binary {
				add(nan)
				continue
			}
			add(nan, l.one)
			add(l.one, nan)
			add(nan, l.nans[(k+1)%len(l.nans)])
		}
		switch what {
		case "sqrt":
			add("-" + l.one)
		case "add":
			add(l.infinity, "-"+l.infinity)
		case "sub":
			add(l.infinity, l.infinity)
		case "mul":
			add(l.zero, l.infinity)
		case "div":
			add(l.zero, l.zero)
			add("-"+l.infinity, l.infinity)
		}
	}
	wantComputed(t, all)
}

// What the tests of generated modules take for arithmetic is what is tested here.
func TestAllArithmeticIsTested(t *testing.T) {
	for _, o := range ops {
		if code := hex.EncodeToString(o.alone()); o.float && !slices.Contains(strings.Fields(arithmetic), code) {
			t.Errorf("%s isn't among it", code)
		}
	}
}

// A guest may keep something else in a NaN: what moves it keeps all of it.
func TestMovesKeepEachBitOfANaN(t *testing.T) {
	type move struct{ name, code string }
	moves := map[string][]move{}
	for i, name := range []string{"f32", "f64", "v128"} {
		local, other, index := string(rune(2*i)), string(rune(2*i+1)), string(rune(i)) // of a global, and of a function
		typ := []string{"\x7d", "\x7c", "\x7b"}[i]
		zero := []string{"\x43" + strings.Repeat("\x00", 4), "\x44" + strings.Repeat("\x00", 8), "\xfd\x0c" + strings.Repeat("\x00", 16)}[i]
		moves[name] = []move{
			{"a load and a store", ""},
			{"locals", "\x21" + local + "\x20" + local + "\x22" + other + "\x1a\x20" + other},
			{"a global", "\x24" + index + "\x23" + index},
			{"a function", "\x10" + index},
			{"a block", "\x21" + local + "\x02" + typ + "\x20" + local + "\x0c\x00\x0b"},
			{"a choice", zero + "\x41\x01\x1b"},
			{"a choice with a type", "\x21" + local + zero + "\x20" + local + "\x41\x00\x1c\x01" + typ},
			{"an arm", "\x21" + local + "\x41\x01\x04" + typ + "\x20" + local + "\x05" + zero + "\x0b"},
		}
	}
	moves["f32"] = append(moves["f32"], []move{
		{"reinterpret", "\xbc\xbe"}, {"neg", "\x8c\x8c"}, {"abs", "\x22\x00\x8b\x20\x00\x98"}, {"copysign", "\x22\x00\x20\x00\x98"},
		{"lanes", "\xfd\x13\xfd\x1f\x03"}, {"a lane", "\x21\x00\xfd\x0c" + strings.Repeat("\x00", 16) + "\x20\x00\xfd\x20\x01\xfd\x1f\x01"},
	}...)
	moves["f64"] = append(moves["f64"], []move{
		{"reinterpret", "\xbd\xbf"}, {"neg", "\x9a\x9a"}, {"abs", "\x22\x02\x99\x20\x02\xa6"}, {"copysign", "\x22\x02\x20\x02\xa6"},
		{"lanes", "\xfd\x14\xfd\x21\x01"}, {"a lane", "\x21\x02\xfd\x0c" + strings.Repeat("\x00", 16) + "\x20\x02\xfd\x22\x01\xfd\x21\x01"},
	}...)
	moves["f32x4"] = append(slices.Clone(moves["v128"]), []move{
		{"neg", "\xfd\xe1\x01\xfd\xe1\x01"},
		{"pmin", "\x21\x04\x20\x04\xfd\x0c" + strings.Repeat("\x00", 16) + "\xfd\xea\x01"},
		{"pmax", "\x21\x04\x20\x04\xfd\x0c" + strings.Repeat("\x00", 16) + "\xfd\xeb\x01"},
	}...)
	moves["f64x2"] = append(slices.Clone(moves["v128"]), []move{
		{"neg", "\xfd\xed\x01\xfd\xed\x01"},
		{"pmin", "\x21\x04\x20\x04\xfd\x0c" + strings.Repeat("\x00", 16) + "\xfd\xf6\x01"},
		{"pmax", "\x21\x04\x20\x04\xfd\x0c" + strings.Repeat("\x00", 16) + "\xfd\xf7\x01"},
	}...)
	delete(moves, "v128")
	var all []computation
	for _, name := range slices.Sorted(maps.Keys(moves)) {
		for _, m := range moves[name] {
			for _, nan := range layouts[name].nans {
				bits := layouts[name].bits(nan)
				all = append(all, both(name+" "+nan+", "+m.name, name, name, m.code, bits, bits)...)
			}
		}
	}
	wantComputed(t, all)
}

// Results are followed to where somebody sees them, and may be seen in many ways.
func TestWhoeverSeesANaNSeesTheCanonicalOne(t *testing.T) {
	f64, f64x2 := layouts["f64"], layouts["f64x2"]
	nan, vector := f64.bits("fff0123456789abc"), f64x2.bits("fff0123456789abc")
	sum := f64.constant + f64.bits(f64.one) + "\xa0"
	sums := f64x2.constant + f64x2.bits(f64.one) + "\xfd\xf0\x01"
	zero := "\x44" + strings.Repeat("\x00", 8)
	zeros := "\xfd\x0c" + strings.Repeat("\x00", 16)
	asFloats := zeros + "\xfd\xe4\x01" // f32x4.add
	number := f64.bits(fmt.Sprintf("%016x", math.Float64bits(0x7ff8000000000000)))
	canonical, floats := f64.bits(f64.canonical), "\x00\x00\x00\x00\x00\x00\xc0\x7f"
	var all []computation
	for _, test := range []struct{ name, code, want string }{
		{"a store", sum, canonical},
		{"a store, below another operand", sum + "\x20\x02\x1a", canonical},
		{"a local that is compared as well", sum + "\x22\x02\x20\x02\x61\x1a\x20\x02", canonical},
		{"the first of two locals", sum + "\x22\x02\x21\x03\x20\x02", canonical},
		{"the second of two locals", sum + "\x22\x02\x21\x03\x20\x03", canonical},
		{"a copy of a local", sum + "\x21\x02\x20\x02\x21\x03\x20\x03", canonical},
		{"a local that is read before it is written", "\x21\x03\x03\x40\x20\x02\xbd\x50\x04\x40\x20\x03" + sum +
			"\x21\x02\x0c\x01\x0b\x20\x02\x24\x01\x0b\x23\x01", canonical},
		{"a global", sum + "\x24\x01\x23\x01", canonical},
		{"a function", sum + "\x10\x01", canonical},
		{"a function, before arithmetic", sum + "\x10\x03" + f64.constant + f64.bits(f64.one) + "\xa2", number},
		{"an end", "\x21\x02\x02\x7c\x20\x02" + sum + "\x0b", canonical},
		{"a branch", "\x21\x02\x02\x7c\x20\x02" + sum + "\x0c\x00\x0b", canonical},
		{"a branch that may be taken", "\x21\x02\x02\x7c\x20\x02" + sum + "\x41\x01\x0d\x00\x0b", canonical},
		{"a table of branches", "\x21\x02\x02\x7c\x20\x02" + sum + "\x41\x01\x0e\x01\x00\x00\x0b", canonical},
		{"an operand around a block", sum + "\x02\x40\x0b", canonical},
		{"a choice", sum + zero + "\x41\x01\x1b", canonical},
		{"a choice with a type", sum + zero + "\x41\x01\x1c\x01\x7c", canonical},
		{"bits", sum + "\xbd\xbf", canonical},
		{"neg", sum + "\x9a", f64.bits("fff8000000000000")},
		{"abs", sum + "\x99", canonical},
		{"the first operand of copysign", sum + f64.constant + f64.bits("-"+f64.one) + "\xa6", f64.bits("fff8000000000000")},
		{"the second operand of copysign", sum + "\x21\x02" + f64.constant + f64.bits("-"+f64.one) + "\x20\x02\xa6", f64.bits(f64.one)},
		{"more arithmetic", sum + sum + sum, canonical},
		{"a conversion to f32 and back", sum + "\xb6\xbb", canonical},
		{"a vector", sum + "\xfd\x14\xfd\x21\x01", canonical},
	} {
		all = append(all, both(test.name, "f64", "f64", test.code, test.want, nan)...)
	}
	for _, test := range []struct{ name, code, want string }{
		{"a store of vectors", sums, canonical + canonical},
		{"arithmetic with other lanes", sums + asFloats, floats + floats},
		{"a local that is taken for both kinds of lanes", sums + "\x22\x04\x20\x04\xfd\x47\x1a\x20\x04" + asFloats, floats + floats},
		{"a comparison of other lanes", sums + zeros + "\xfd\x41", strings.Repeat("\xff\xff\xff\xff\x00\x00\x00\x00", 2)},
		{"a lane", sums + "\xfd\x21\x01\xfd\x14", canonical + canonical},
		{"pmin", sums + zeros + "\xfd\xf6\x01", canonical + canonical},
		{"a choice of bits", sums + zeros + "\xfd\x0c" + strings.Repeat("\xff", 16) + "\xfd\x52", canonical + canonical},
	} {
		all = append(all, both(test.name, "f64x2", "f64x2", test.code, test.want, vector)...)
	}
	wantComputed(t, all)
}

// Numbers stay what they are, also after a NaN.
func TestNumbersAreNotChanged(t *testing.T) {
	f64, f32x4 := layouts["f64"], layouts["f32x4"]
	wantComputed(t, slices.Concat(
		both("a chain", "f64", "f64", "\xa0\x22\x02\x20\x02\xa2\x9f\x20\x02\xa1", f64.bits(f64.zero), f64.bits(f64.one), f64.bits("4008000000000000")),
		both("a negative zero", "f64", "f64", "\xa2", f64.bits("8000000000000000"), f64.bits(f64.zero), f64.bits("-"+f64.one)),
		both("an infinity", "f64", "f64", "\xa3", f64.bits("fff0000000000000"), f64.bits("-"+f64.one), f64.bits(f64.zero)),
		both("a denormal", "f64", "f64", "\xa2", f64.bits("0000000000000001"), f64.bits("0000000000000001"), f64.bits(f64.one)),
		both("lanes beside a NaN", "f32x4", "f32x4", "\xfd\xe4\x01", "\x00\x00\xc0\x7f\x00\x00\x00\x40\x00\x00\x80\x7f\x00\x00\x00\x40",
			f32x4.bits(f32x4.one), "\x01\x00\x80\xff\x00\x00\x80\x3f\x00\x00\x80\x7f\x00\x00\x80\x3f")))
}
