package metering_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// A limits test says what becomes of the limits that a module declares.
var limitsTests = []struct {
	declared, lowered string // as they are encoded
	most              uint32
}{
	{"\x00\x01", "\x00\x01", 0},
	{"\x01\x01\x05", "\x01\x01\x05", 0},
	{"\x00\x01", "\x01\x01\x03", 3},
	{"\x00\x03", "\x01\x03\x03", 3},
	{"\x01\x01\x02", "\x01\x01\x02", 3},
	{"\x01\x01\x03", "\x01\x01\x03", 3},
	{"\x01\x01\xff\x01", "\x01\x01\x03", 3},
	{"\x00\x01", "\x01\x01\x80\x01", 128},
	{"\x00\x04", "", 3},
	{"\x01\x04\x09", "", 3},
}

func TestMaximaAreLowered(t *testing.T) {
	for _, test := range limitsTests {
		t.Run(fmt.Sprintf("%x to %d", test.declared, test.most), func(t *testing.T) {
			memory, table := slicesOf([]byte{1}, []byte(test.declared)), slicesOf([]byte{1, 0x70}, []byte(test.declared))
			wantLowered(t, 5, memory, "\x01"+test.lowered, metering.Options{MaxMemoryPages: test.most}, test.lowered == "")
			wantLowered(t, 4, table, "\x01\x70"+test.lowered, metering.Options{MaxTableEntries: test.most}, test.lowered == "")
			wantLowered(t, 5, memory, string(memory), metering.Options{MaxTableEntries: test.most}, false)
			wantLowered(t, 4, table, string(table), metering.Options{MaxMemoryPages: test.most}, false)
		})
	}
}

// wantLowered wants a section to become another one, or the module to be refused.
func wantLowered(t *testing.T, id byte, section []byte, want string, options metering.Options, refused bool) {
	t.Helper()
	result, err := metering.Rewrite(slicesOf(header, sectionOf(id, section...)), options)
	if refused {
		size, ok := errors.AsType[*metering.SizeError](err)
		if !errors.Is(err, metering.TooLarge) || !ok || size.Memory != (id == 5) || size.Wanted != 4 || size.Most != 3 {
			t.Errorf("error %v of %+v, want TooLarge, for 4 are more than 3", err, size)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sectionsOf(t, result.Wasm) {
		if s[0] == id && string(s[1:]) != want {
			t.Errorf("section %d is %x, want %x", id, s[1:], want)
		}
	}
}

// sectionsOf are the sections of a small module: the identifier, then the content.
func sectionsOf(t *testing.T, wasm []byte) (sections [][]byte) {
	t.Helper()
	for rest := wasm[len(header):]; len(rest) > 0; {
		n := int(rest[1])
		if n >= 0x80 {
			t.Fatal("the module is too large for the test")
		}
		sections = append(sections, slices.Concat(rest[:1], rest[2:2+n]))
		rest = rest[2+n:]
	}
	return sections
}

func TestMemoryThatIsRefusedIsReported(t *testing.T) {
	options := metering.Options{ReportBreaches: true, MaxMemoryPages: 3, MaxDepth: 100, ExportGlobals: true}
	for _, options := range []metering.Options{options, {ReportBreaches: true, MaxMemoryPages: 3}} {
		// (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
		wasm := slicesOf(header, sectionOf(1, 1, 0x60, 1, 0x7f, 1, 0x7f), sectionOf(3, 1, 0), sectionOf(5, 1, 0, 1),
			sectionOf(7, 1, 4, 'g', 'r', 'o', 'w', 0, 0), sectionOf(10, 1, 6, 0, 0x20, 0, 0x40, 0, 0x0b))
		g, err := start(t.Context(), t, rewrite(t, wasm, options).Wasm, enough)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			pages uint64
			was   int32
		}{{1, 1}, {2, -1}, {0, 2}, {1 << 31, -1}, {1, 2}, {1, -1}} {
			results, err := g.call(t.Context(), "grow", test.pages)
			if err != nil || int32(results[0]) != test.was {
				t.Errorf("grow(%d) = %v, %v, want %d", test.pages, results, err, test.was)
			}
		}
		if want := []uint32{2, 1 << 31, 1}; !slices.Equal(g.refused, want) {
			t.Errorf("it reported %v, want %v", g.refused, want)
		}
	}
}

func TestARefusedTableIsReported(t *testing.T) {
	// (table 1 funcref) (table 2 9 externref)
	// (func (export "grow") (param i32) (result i32) (table.grow 1 (ref.null extern) (local.get 0)))
	// with the second half of the opcode and the index longer than they need to be
	wasm := slicesOf(header, sectionOf(1, 1, 0x60, 1, 0x7f, 1, 0x7f), sectionOf(3, 1, 0),
		sectionOf(4, 2, 0x70, 0, 1, 0x6f, 1, 2, 9), sectionOf(7, 1, 4, 'g', 'r', 'o', 'w', 0, 0),
		sectionOf(10, 1, 11, 0, 0xd0, 0x6f, 0x20, 0, 0xfc, 0x8f, 0, 0x81, 0, 0x0b))
	for _, depth := range []int{0, 100} {
		options := metering.Options{ReportBreaches: true, MaxTableEntries: 5, MaxDepth: depth}
		g, err := start(t.Context(), t, rewrite(t, wasm, options).Wasm, enough)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			entries uint64
			was     int32
		}{{1, 2}, {3, -1}, {0, 3}, {1<<32 - 1, -1}, {2, 3}, {1, -1}} {
			results, err := g.call(t.Context(), "grow", test.entries)
			if err != nil || int32(results[0]) != test.was {
				t.Errorf("grow(%d) = %v, %v, want %d", test.entries, results, err, test.was)
			}
		}
		if want := [][2]uint32{{3, 3}, {3, 1<<32 - 1}, {5, 1}}; !slices.Equal(g.tables, want) {
			t.Errorf("it reported %v, want %v", g.tables, want)
		}
	}
}

func TestRefusedMemoryCostsNoFuel(t *testing.T) {
	var used []int64
	for _, options := range []metering.Options{{}, {ReportBreaches: true}} {
		g := metered(t, "fuel", options, enough)
		if _, err := g.call(t.Context(), "grow", 1<<20); err != nil {
			t.Fatal(err)
		}
		used = append(used, g.used())
	}
	if used[0] != used[1] {
		t.Errorf("it used %v", used)
	}
}
