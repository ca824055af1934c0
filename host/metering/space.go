package metering

// A space is an estimate of the bytes of memory that a compiler takes. What it needs for
// one function it uses again for the next, but for a part that it keeps.
type space struct {
	kept     uint64 // for the types, and the functions up to here
	function uint64 // for the function that is read
	largest  uint64 // for one of the functions up to here
}

// What parts of modules and instructions take, beside what grows with the size of any code:
// as much as with wazero, where most of it is for what happens when instructions trap, and
// for what calls have to save. For functions, as such, wasmtime takes twice as much as here.
const (
	spaceItem         = 800 // a type, an import, an export or a global
	spacePassed       = 144 // a parameter or a result of a type
	spaceFunction     = 3_072
	spaceElement      = 128
	spaceTarget       = 2_304 // of a br_table
	spaceCall         = 2_560
	spaceCallIndirect = 13_312
	spaceRefFunc      = 2_048
	spaceTable        = 4_608 // table.get and table.set
	spaceDrop         = 3_328 // data.drop and elem.drop
	spaceTruncate     = 8_192 // a float to an integer, if it traps
	spaceDivide       = 5_120
	spaceRemainder    = 4_608
	spaceCanonical    = 640 // what makes a NaN canonical
)

// keptSpace is the part of a function's space that is kept: its code, mostly.
const keptSpace = 8

// spaceOf is what instructions take that their first byte tells, but for calls.
var spaceOf = makeSpaceOf()

func makeSpaceOf() (s [256]uint64) {
	s[opTableGet], s[opTableSet], s[opRefFunc] = spaceTable, spaceTable, spaceRefFunc
	for _, first := range []byte{opI32DivS, opI64DivS} { // signed, unsigned, and the remainders
		s[first], s[first+1] = spaceDivide, spaceDivide
		s[first+2], s[first+3] = spaceRemainder, spaceRemainder
	}
	for _, first := range []byte{opI32TruncF32S, opI64TruncF32S} { // of f32 and f64, signed and unsigned
		for op := first; op < first+4; op++ {
			s[op] = spaceTruncate
		}
	}
	return s
}

// The most space for a module, as bytes: some, and some more for each byte of it. Guests of
// any language take less than a tenth of it, and Go's own compiler less than a fifth.
const (
	mostSpace     = 256 << 20
	mostByteSpace = 64
)

// takes notes what an instruction takes.
func (b *body) takes(bytes uint64) { b.module.space.function += bytes }

// end adds the function that is read to those before.
func (s *space) end() {
	s.kept += spaceFunction + s.function/keptSpace
	s.largest = max(s.largest, s.function)
	s.function = 0
}

// limitSpace fails when the types and functions up to here take too much space.
func (m *module) limitSpace(r *reader, at int) error {
	total := m.space.kept + m.space.largest
	if most := mostSpace + mostByteSpace*uint64(len(m.wasm)); total > most {
		r.tooLarge(at, "it takes %d bytes of memory to compile, the most is %d", total, most)
	}
	return r.err
}
