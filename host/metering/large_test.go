package metering_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// long is a section of any length.
func long(id byte, content ...[]byte) []byte {
	all := bytes.Join(content, nil)
	return append(binary.AppendUvarint([]byte{id}, uint64(len(all))), all...)
}

// oneFunction is a module of one function () -> () with a body.
func oneFunction(code []byte) []byte {
	body := slicesOf([]byte{0}, code, []byte{0x0b})
	return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0),
		long(10, []byte{1}, binary.AppendUvarint(nil, uint64(len(body))), body))
}

func nested(depth int) []byte {
	return oneFunction(slicesOf(bytes.Repeat([]byte{0x02, 0x40}, depth), bytes.Repeat([]byte{0x0b}, depth)))
}

func branches(targets int) []byte {
	return oneFunction(slicesOf([]byte{0x41, 0, 0x0e}, binary.AppendUvarint(nil, uint64(targets)), make([]byte, targets+1)))
}

func parameters(n int) []byte {
	return slicesOf(header, long(1, []byte{1, 0x60}, binary.AppendUvarint(nil, uint64(n)), bytes.Repeat([]byte{0x7f}, n), []byte{0}))
}

func TestPartsThatAreTooLargeAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		build func(n int) []byte
		most  int
	}{
		"parameters":  {parameters, 1_000},
		"branches":    {branches, 65_520},
		"nested code": {nested, 9_999}, // the function is a block as well
	} {
		if _, err := metering.Rewrite(test.build(test.most), metering.Options{}); err != nil {
			t.Errorf("%s, %d: %v", name, test.most, err)
		}
		if _, err := metering.Rewrite(test.build(test.most+1), metering.Options{}); !errors.Is(err, metering.TooLarge) {
			t.Errorf("%s, %d: %v", name, test.most+1, err)
		}
	}
}

// withLocals is a module of one function () -> () with locals of type i32 and a body.
func withLocals(n int, code []byte) []byte {
	body := slicesOf([]byte{1}, uleb(n), []byte{0x7f}, code, []byte{0x0b})
	return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0),
		long(10, []byte{1}, uleb(len(body)), body))
}

// passing is a module with the type of a block that takes a thousand values and gives
// them, one function of that type, and one with code.
func passing(code []byte) []byte {
	values := slicesOf(uleb(1000), bytes.Repeat([]byte{0x7f}, 1000))
	body := slicesOf([]byte{0}, code, []byte{0x0b})
	return slicesOf(header, long(1, []byte{2, 0x60}, values, values, []byte{0x60, 0, 0}), sectionOf(3, 2, 0, 1),
		long(10, []byte{2, 3, 0, 0, 0x0b}, uleb(len(body)), body))
}

// Products of what functions have keep a compiler busy, a little of one each doesn't.
func TestCodeThatTakesLongToCompileIsRefused(t *testing.T) {
	const block, loop, branch = "\x02\x40\x20\x00\x0d\x00\x0b", "\x03\x40\x20\x00\x0d\x00\x0b", "\x20\x00\x0d\x00"
	times := func(code string) func(n int) []byte {
		return func(n int) []byte { return withLocals(1, bytes.Repeat([]byte(code), n)) }
	}
	for name, test := range map[string]struct {
		build     func(n int) []byte
		fine, not int
	}{
		"blocks":           {times(block), 10_000, 20_000},
		"branches":         {times(branch), 10_000, 20_000},
		"arms":             {times("\x20\x00\x04\x40\x0b"), 10_000, 20_000},
		"loops":            {times(loop), 2_000, 4_000},
		"fills":            {times("\x41\x00\x41\x00\x41\x00\xfc\x0b\x00"), 3_000, 6_000},
		"growth":           {times("\x41\x00\x40\x00\x1a"), 5_000, 10_000},
		"locals at blocks": {func(n int) []byte { return withLocals(n, bytes.Repeat([]byte(block), 1000)) }, 1_000, 3_000},
		"locals at loops":  {func(n int) []byte { return withLocals(n, bytes.Repeat([]byte(loop), 100)) }, 1_000, 4_000},
		"locals at calls":  {func(n int) []byte { return withLocals(n, bytes.Repeat([]byte{0x10, 0}, 5000)) }, 1_000, 6_000},
		"values of calls":  {func(n int) []byte { return passing(bytes.Repeat([]byte{0x10, 0}, n)) }, 500, 1_500},
		"values of blocks": {func(n int) []byte { return passing(bytes.Repeat([]byte{0x02, 0, 0x0b}, n)) }, 500, 1_500},
		"values of branches": {func(n int) []byte {
			return passing(slicesOf([]byte{0x02, 0, 0x41, 0, 0x0e}, uleb(n), make([]byte, n+1), []byte{0x0b}))
		}, 1_000, 3_000},
		"jumps": {func(n int) []byte {
			return withLocals(1, bytes.Repeat(slicesOf([]byte{0x02, 0x40, 0x20, 0, 0x0e}, uleb(999), make([]byte, 1000), []byte{0x0b}), n))
		}, 100, 1_500},
	} {
		if _, err := metering.Rewrite(test.build(test.fine), metering.Options{}); err != nil {
			t.Errorf("%s, %d: %v", name, test.fine, err)
		}
		if _, err := metering.Rewrite(test.build(test.not), metering.Options{}); !errors.Is(err, metering.TooLarge) {
			t.Errorf("%s, %d: %v", name, test.not, err)
		}
	}
}

// A function of one instruction again and again needs memory for it all at once.
func TestCodeThatTakesMuchMemoryToCompileIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		code      string
		fine, not int
	}{
		"signed divisions":            {"\x20\x00\x20\x00\x6d\x1a", 40_000, 60_000},
		"unsigned divisions":          {"\x20\x00\x20\x00\x6e\x1a", 40_000, 60_000},
		"divisions of 64 bits":        {"\x42\x00\x42\x00\x80\x1a", 40_000, 60_000},
		"signed remainders":           {"\x20\x00\x20\x00\x6f\x1a", 50_000, 70_000},
		"unsigned remainders":         {"\x20\x00\x20\x00\x70\x1a", 50_000, 70_000},
		"remainders of 64 bits":       {"\x42\x00\x42\x00\x82\x1a", 50_000, 70_000},
		"truncations":                 {"\x20\x00\xb2\xa8\x1a", 30_000, 40_000},
		"truncations to 64 bits":      {"\x20\x00\xb7\xb1\x1a", 30_000, 40_000},
		"truncations that don't trap": {"\x20\x00\xb2\xfc\x00\x1a", 160_000, 0},
		"calls":                       {"\x10\x00", 80_000, 120_000},
		"references to a function":    {"\xd2\x00\x1a", 100_000, 200_000},
		"additions":                   {"\x20\x00\x20\x00\x6a\x1a", 160_000, 0},
	} {
		wantSpace(t, name, func(n int) []byte { return withLocals(1, bytes.Repeat([]byte(test.code), n)) }, test.fine, test.not)
	}
	types := func(n int) []byte { return slicesOf(header, long(1, uleb(n), bytes.Repeat([]byte{0x60, 0, 0}, n))) }
	roots := func(n int) []byte { // each of which is seen by a neg
		return withLocals(1, slicesOf([]byte("\x20\x00\xb7"), bytes.Repeat([]byte("\x9f\x9a"), n), []byte{0x1a}))
	}
	wantSpace(t, "square roots", roots, 400_000, 490_000)
	wantSpace(t, "types", types, 300_000, 500_000)
	withData := func(n int) []byte {
		body := slicesOf([]byte{0}, bytes.Repeat([]byte("\xfc\x09\x00"), n), []byte{0x0b})
		return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0), sectionOf(12, 1),
			long(10, []byte{1}, uleb(len(body)), body), sectionOf(11, 1, 1, 0))
	}
	wantSpace(t, "drops of data", withData, 70_000, 100_000)
	withTable := func(code string) func(n int) []byte {
		return func(n int) []byte {
			body := slicesOf([]byte{0}, bytes.Repeat([]byte(code), n), []byte{0x0b})
			return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0), sectionOf(4, 1, 0x70, 0, 1),
				sectionOf(9, 1, 1, 0, 0), long(10, []byte{1}, uleb(len(body)), body))
		}
	}
	wantSpace(t, "calls of a table", withTable("\x41\x00\x11\x00\x00"), 15_000, 30_000)
	wantSpace(t, "reads of a table", withTable("\x41\x00\x25\x00\x1a"), 50_000, 70_000)
	wantSpace(t, "writes of a table", withTable("\x41\x00\xd0\x70\x26\x00"), 50_000, 70_000)
	wantSpace(t, "drops of an element", withTable("\xfc\x0d\x00"), 70_000, 100_000)
}

// wantSpace wants a module of fine parts to be rewritten, and one of not to be refused
// for the memory that it takes, if not isn't 0.
func wantSpace(t *testing.T, name string, build func(n int) []byte, fine, not int) {
	t.Helper()
	if _, err := metering.Rewrite(build(fine), metering.Options{}); err != nil {
		t.Errorf("%s, %d: %v", name, fine, err)
	}
	if not == 0 {
		return
	}
	_, err := metering.Rewrite(build(not), metering.Options{})
	if !errors.Is(err, metering.TooLarge) || !strings.Contains(err.Error(), "bytes of memory to compile") {
		t.Errorf("%s, %d: %v", name, not, err)
	}
}

// What is kept of functions adds up, and what isn't doesn't.
func TestTheMemoryOfFunctionsIsUsedAgain(t *testing.T) {
	divisions := slicesOf([]byte{1, 1, 0x7f}, bytes.Repeat([]byte("\x20\x00\x20\x00\x6d\x1a"), 10_000), []byte{0x0b})
	functions := func(n int) []byte {
		return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), long(3, uleb(n), make([]byte, n)),
			long(10, uleb(n), bytes.Repeat(slicesOf(uleb(len(divisions)), divisions), n)))
	}
	wantSpace(t, "functions", functions, 60, 120)
}

// Many functions are as much work as there is code, and what is too much is told where
// the function begins with which it is.
func TestTheWorkOfFunctionsAddsUp(t *testing.T) {
	blocks := slicesOf([]byte{0}, bytes.Repeat([]byte{0x02, 0x40, 0x41, 0, 0x0d, 0, 0x0b}, 5_000), []byte{0x0b})
	functions := func(n int) []byte {
		return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), long(3, uleb(n), make([]byte, n)),
			long(10, uleb(n), bytes.Repeat(slicesOf(uleb(len(blocks)), blocks), n)))
	}
	if _, err := metering.Rewrite(functions(4), metering.Options{}); err != nil {
		t.Errorf("4 functions: %v", err)
	}
	_, err := metering.Rewrite(functions(50), metering.Options{})
	e, ok := errors.AsType[*metering.Error](err)
	if !ok || e.Kind != metering.TooLarge || e.Offset < 3*len(blocks) || e.Offset > 50*len(blocks) {
		t.Errorf("50 functions: %v", err)
	}
	small := slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), long(3, uleb(100_000), make([]byte, 100_000)),
		long(10, uleb(100_000), bytes.Repeat([]byte{9, 0, 0x02, 0x40, 0x41, 0, 0x0d, 0, 0x0b, 0x0b}, 100_000)))
	if _, err := metering.Rewrite(small, metering.Options{}); err != nil {
		t.Errorf("100 000 small functions: %v", err)
	}
}

// Engines take time and memory for what there is very much of, though no code is in it.
func TestModulesOfVeryManyPartsAreRefused(t *testing.T) {
	empty := slicesOf([]byte{1, 0x60, 0, 0})
	functions := func(n int) [][]byte { return [][]byte{long(3, uleb(n), make([]byte, n))} }
	code := func(n int, body string) []byte { return long(10, uleb(n), bytes.Repeat([]byte(body), n)) }
	exports := func(n int, function func(i int) int) []byte {
		list := uleb(n)
		for i := range n {
			name := strconv.Itoa(i)
			list = append(append(append(list, byte(len(name))), name...), 0)
			list = append(list, uleb(function(i))...)
		}
		return long(7, list)
	}
	build := func(types []byte, sections ...[]byte) []byte {
		return slicesOf(header, long(1, types), slicesOf(sections...))
	}
	for name, test := range map[string]struct {
		build     func(n int) []byte
		fine, not int
	}{
		"functions": {func(n int) []byte { return build(empty, functions(n)[0], code(n, "\x02\x00\x0b")) }, 80_000, 200_000},
		"functions that call": {func(n int) []byte {
			return build(empty, functions(n)[0], code(n, "\x04\x00\x10\x00\x0b"))
		}, 30_000, 200_000},
		"functions that are exported": {func(n int) []byte {
			return build(empty, functions(n)[0], exports(n, func(i int) int { return i }), code(n, "\x02\x00\x0b"))
		}, 30_000, 150_000},
		"exports": {func(n int) []byte {
			return build(empty, functions(1)[0], exports(n, func(int) int { return 0 }), code(1, "\x02\x00\x0b"))
		}, 300_000, 2_000_000},
		"imports": {func(n int) []byte {
			return build(empty, long(2, uleb(n), bytes.Repeat([]byte("\x01e\x01f\x00\x00"), n)))
		}, 300_000, 1_000_000},
		"globals": {func(n int) []byte {
			return build(empty, long(6, uleb(n), bytes.Repeat([]byte("\x7f\x01\x41\x00\x0b"), n)))
		}, 300_000, 1_000_000},
		"data": {func(n int) []byte {
			return build(empty, sectionOf(5, 1, 0, 1), long(11, uleb(n), bytes.Repeat([]byte{1, 0}, n)))
		}, 100_000, 100_001},
		"elements": {func(n int) []byte { return build(empty, long(9, uleb(n), bytes.Repeat([]byte{1, 0, 0}, n))) }, 100_000, 100_001},
		"entries of an element": {func(n int) []byte {
			return build(empty, functions(1)[0], long(9, []byte{1, 1, 0}, uleb(n), make([]byte, n)), code(1, "\x02\x00\x0b"))
		}, 1_000_000, 6_000_000},
		"types of many values": {func(n int) []byte {
			values := slicesOf(uleb(1000), bytes.Repeat([]byte{0x7f}, 1000))
			return build(slicesOf(uleb(n), bytes.Repeat(slicesOf([]byte{0x60}, values, values), n)))
		}, 100, 500},
		"loops in loops": {func(n int) []byte {
			return oneFunction(slicesOf(bytes.Repeat([]byte{3, 0x40}, n), bytes.Repeat([]byte{0x41, 0, 0x0d, 0, 0x0b}, n)))
		}, 500, 1_500},
		"bytes of a function": {func(n int) []byte { return oneFunction(bytes.Repeat([]byte{1}, n)) }, 999_998, 999_999},
	} {
		if _, err := metering.Rewrite(test.build(test.fine), metering.Options{MaxDepth: 1000}); err != nil {
			t.Errorf("%s, %d: %v", name, test.fine, err)
		}
		if _, err := metering.Rewrite(test.build(test.not), metering.Options{MaxDepth: 1000}); !errors.Is(err, metering.TooLarge) {
			t.Errorf("%s, %d: %v", name, test.not, err)
		}
	}
}
