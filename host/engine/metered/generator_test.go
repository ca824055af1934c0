package metered_test

import (
	"slices"
	"strconv"
)

// generate makes a module. With floats it computes with them, and not only moves them.
func generate(choices []byte, floats bool) []byte {
	g := &generator{choices: choices, floats: floats}
	functions, bodies := uleb(generated), uleb(generated)
	signature := func(i int) int { return 1 + i%(len(signatures)-1) }
	for i := range generated {
		s := signatures[signature(i)]
		functions = append(functions, byte(signature(i)))
		bodies = append(bodies, g.function(s.in, s.out)...)
	}
	typeList := uleb(len(signatures))
	for _, s := range signatures {
		typeList = slices.Concat(typeList, []byte{0x60}, types(s.in), types(s.out))
	}
	sections := [][]byte{
		part(1, typeList),
		part(2, []byte("\x01\x03env\x04note\x00\x00")),
		part(3, functions),
		part(4, []byte("\x03\x70\x01\x0a\x14\x70\x00\x0a\x6f\x01\x04\x09")),
		part(5, []byte("\x01\x01\x01\x03")),
		part(6, generatedGlobals()),
		part(7, generatedExports()),
	}
	if g.pick(2) == 1 {
		sections = append(sections, part(8, []byte{1})) // the function without parameters and results
	}
	sections = append(sections, part(9, generatedElements()), part(12, []byte{dataSegments}), part(10, bodies),
		part(11, []byte("\x03\x00\x41\x04\x0b\x06abcdef\x01\x07passive\x02\x00\x41\x14\x0b\x01z")))
	for range g.pick(4) { // custom sections may be anywhere
		sections = slices.Insert(sections, g.pick(len(sections)), part(0, []byte("\x05stray"), make([]byte, g.pick(9))))
	}
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), slices.Concat(sections...), generatedNames())
}

// generatedGlobals are the counter, one that changes of each type, and some that don't.
func generatedGlobals() []byte {
	return slices.Concat([]byte{10}, []byte("\x7f\x01\x41"), sleb(rounds), []byte("\x0b\x7f\x01\x41\x05\x0b\x7e\x01\x42\x07\x0b"+
		"\x7d\x01\x43\x00\x00\x00\x40\x0b\x7c\x01\x44\x00\x00\x00\x00\x00\x00\x00\x40\x0b\x7b\x01\xfd\x0c"), make([]byte, 16),
		[]byte("\x0b\x70\x01\xd2\x02\x0b\x6f\x01\xd0\x6f\x0b\x7f\x00\x41\x08\x0b\x70\x00\xd2\x03\x0b"))
}

// generatedExports are all functions that take and give numbers, the memory, a table and
// the globals of numbers.
func generatedExports() []byte {
	list := []byte("\x06memory\x02\x00\x01t\x01\x00\x01g\x03\x05")
	n := 3
	for i, name := range []string{"count", "g1", "g2", "g3", "g4"} {
		list = slices.Concat(list, uleb(len(name)), []byte(name), []byte{3, byte(i)})
		n++
	}
	for i := range generated {
		if s := signatures[1+i%(len(signatures)-1)]; passable(s.in) && passable(s.out) {
			name := "f" + strconv.Itoa(i)
			list = slices.Concat(list, uleb(len(name)), []byte(name), []byte{0, byte(1 + i)})
			n++
		}
	}
	return slices.Concat(uleb(n), list)
}

func passable(types string) bool {
	for _, t := range []byte(types) {
		if t == 'v' || t == 'r' || t == 'x' {
			return false
		}
	}
	return true
}

// generatedElements have a segment of each of the eight forms. All functions are in the
// first, so that all may be referred to.
func generatedElements() []byte {
	all := uleb(1 + generated)
	for i := range 1 + generated {
		all = append(all, byte(i))
	}
	return slices.Concat([]byte{elemSegments},
		[]byte("\x00\x41\x00\x0b\x04\x02\x03\x05\x02"),
		[]byte("\x01\x00\x03\x01\x02\x03"),
		[]byte("\x02\x01\x41\x01\x0b\x00\x02\x03\x03"),
		[]byte("\x03\x00"), all,
		[]byte("\x04\x41\x04\x0b\x03\xd2\x02\x0b\xd0\x70\x0b\xd2\x00\x0b"),
		[]byte("\x05\x70\x02\xd2\x04\x0b\xd0\x70\x0b"),
		[]byte("\x06\x01\x41\x05\x0b\x70\x01\xd2\x03\x0b"),
		[]byte("\x07\x70\x01\xd2\x05\x0b"))
}

// generatedNames is a name section with each part that there is.
func generatedNames() []byte {
	indirect, direct := []byte("\x01\x02\x01\x00\x01x"), []byte("\x02\x00\x01a\x03\x01b")
	content := []byte("\x04name\x00\x02\x01m")
	for id := byte(1); id <= 9; id++ {
		names := direct
		if id == 2 || id == 3 {
			names = indirect
		}
		content = slices.Concat(content, []byte{id}, uleb(len(names)), names)
	}
	return part(0, content)
}
