package metering_test

// A generator makes valid modules out of a fuzzer's bytes, each of which is a
// choice. When none is left it only makes what is smallest.
//
// What it makes ends by itself: a global counts rounds of loops and calls down,
// and at 0 the guest traps.
type generator struct {
	choices []byte
	out     []byte
	labels  []label
	results []byte // of the function
}

// A label is what a branch has to bring.
type label []byte

const (
	wasmI32 = 0x7f
	wasmI64 = 0x7e
	wasmF64 = 0x7c
)

// The types of a generated module; a block may have those after the first two.
var generatedTypes = []struct{ params, results []byte }{
	{[]byte{wasmI32}, nil}, // of the import note
	{nil, nil},
	{[]byte{wasmI32, wasmI64}, []byte{wasmI32}},
	{[]byte{wasmI32}, []byte{wasmI32}},
	{nil, []byte{wasmI64, wasmI32}},
	{[]byte{wasmI64, wasmI32}, []byte{wasmI32, wasmF64}},
	{[]byte{wasmI32}, nil},
}

const (
	generatedFunctions = 6    // each of the type after the first by turns
	generatedRounds    = 1500 // of the counter, fewer than the calls that an engine can nest
	generatedLocals    = 6    // two of each type, after the parameters
	generatedGlobals   = 4    // the counter, then one of each type
	generatedImports   = 1
)

var valueTypes = []byte{wasmI32, wasmI64, wasmF64}

func generate(choices []byte) []byte {
	g := &generator{choices: choices}
	types := uleb(len(generatedTypes))
	for _, t := range generatedTypes {
		types = slicesOf(types, []byte{0x60}, uleb(len(t.params)), t.params, uleb(len(t.results)), t.results)
	}
	functions, exports, code := uleb(generatedFunctions), uleb(generatedFunctions+4), uleb(generatedFunctions)
	elements := slicesOf([]byte{1, 0, 0x41, 0, 0x0b}, uleb(generatedFunctions))
	for i := range generatedFunctions {
		t := 1 + i%(len(generatedTypes)-1)
		functions = append(functions, byte(t))
		exports = append(exports, 2, 'f', '0'+byte(i), 0, byte(generatedImports+i))
		elements = append(elements, byte(generatedImports+i))
		body := g.function(t)
		code = slicesOf(code, uleb(len(body)), body)
	}
	exports = slicesOf(exports, []byte{6}, []byte("memory"), []byte{2, 0}, []byte{5}, []byte("count"), []byte{3, 0},
		[]byte{2, 'g', '1', 3, 2, 2, 'g', '2', 3, 3})
	rounds := slicesOf([]byte{0x41}, sleb(generatedRounds), []byte{0x0b})
	return slicesOf(header,
		sectionOf(1, types...),
		sectionOf(2, 1, 3, 'e', 'n', 'v', 4, 'n', 'o', 't', 'e', 0, 0),
		sectionOf(3, functions...),
		sectionOf(4, 1, 0x70, 1, generatedFunctions, 20),
		sectionOf(5, 1, 1, 1, 3),
		sectionOf(6, slicesOf([]byte{generatedGlobals, wasmI32, 1}, rounds,
			[]byte{wasmI32, 1, 0x41, 5, 0x0b, wasmI64, 1, 0x42, 7, 0x0b, wasmF64, 1, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b})...),
		sectionOf(7, exports...),
		sectionOf(9, elements...),
		sectionOf(10, code...))
}

func sleb(v int64) (out []byte) {
	for ; v < -64 || v > 63; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v)&0x7f)
}

// pick chooses one of n things; the first one should be the smallest.
func (g *generator) pick(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := g.choices[0]
	g.choices = g.choices[1:]
	return int(c) % n
}

func (g *generator) emit(code ...byte) { g.out = append(g.out, code...) }

func (g *generator) function(t int) []byte {
	params := generatedTypes[t].params
	g.results = generatedTypes[t].results
	g.out = []byte{3, 2, wasmI32, 2, wasmI64, 2, wasmF64}
	g.labels = []label{g.results}
	g.tick()
	for range g.pick(6) {
		g.statement(params, 4)
	}
	g.values(params, g.results, 4)
	g.emit(0x0b)
	return g.out
}

// tick counts a round, or traps.
func (g *generator) tick() {
	g.emit(0x23, 0, 0x45, 0x04, 0x40, 0x00, 0x0b)
	g.emit(0x23, 0, 0x41, 1, 0x6b, 0x24, 0)
}

func (g *generator) values(params, types []byte, depth int) {
	for _, t := range types {
		g.value(params, t, depth-1)
	}
}

// local is the index of a local of a type.
func (g *generator) local(params []byte, t byte) byte {
	i := len(params) + g.pick(2)
	switch t {
	case wasmI64:
		i += 2
	case wasmF64:
		i += 4
	}
	return byte(i)
}

func (g *generator) small(t byte) {
	switch v := int64(g.pick(256)) - 100; t {
	case wasmI32:
		g.emit(slicesOf([]byte{0x41}, sleb(v))...)
	case wasmI64:
		g.emit(slicesOf([]byte{0x42}, sleb(v*v*v))...)
	default:
		g.emit(0x44, 0, 0, 0, 0, 0, 0, byte(v), 0x40)
	}
}

// value makes code that leaves a value of a type.
func (g *generator) value(params []byte, t byte, depth int) {
	if depth <= 0 {
		g.small(t)
		return
	}
	switch g.pick(14) {
	case 0:
		g.small(t)
	case 1:
		g.emit(0x20, g.local(params, t))
	case 2:
		g.emit(0x23, map[byte]byte{wasmI32: 1, wasmI64: 2, wasmF64: 3}[t])
	case 3, 4:
		g.value(params, t, depth-1)
		g.value(params, t, depth-1)
		g.operator(t)
	case 5:
		g.load(params, t, depth)
	case 6:
		g.value(params, wasmI32, depth-1)
		g.emit(0x04, t)
		g.block(params, label{t}, []byte{t}, depth)
		g.emit(0x05)
		g.block(params, label{t}, []byte{t}, depth)
		g.emit(0x0b)
	case 7:
		g.emit(0x02, t)
		g.block(params, label{t}, []byte{t}, depth)
		g.emit(0x0b)
	case 8:
		g.emit(0x03, t)
		g.tick()
		g.block(params, label{}, []byte{t}, depth)
		g.emit(0x0b)
	case 9:
		g.value(params, t, depth-1)
		g.value(params, t, depth-1)
		g.value(params, wasmI32, depth-1)
		g.emit(0x1b)
	case 10:
		g.branch(params, depth) // after which any type is there
	default:
		g.special(params, t, depth)
	}
}

func (g *generator) operator(t byte) {
	switch t {
	case wasmI32:
		g.emit([]byte{0x6a, 0x6b, 0x6c, 0x6d, 0x70, 0x71, 0x73, 0x74, 0x75, 0x48, 0x46}[g.pick(11)])
	case wasmI64:
		g.emit([]byte{0x7c, 0x7d, 0x7e, 0x7f, 0x83, 0x85, 0x86, 0x88}[g.pick(8)])
	default:
		g.emit([]byte{0xa0, 0xa1, 0xa4, 0xa5}[g.pick(4)]) // none that could give NaN but of infinities
	}
}

func (g *generator) address(params []byte, depth int) {
	g.value(params, wasmI32, depth-1)
	if g.pick(16) != 1 { // else it may trap
		g.emit(0x41, 0xff, 0xff, 3, 0x71)
	}
}

func (g *generator) load(params []byte, t byte, depth int) {
	g.address(params, depth)
	switch t {
	case wasmI32:
		g.emit([]byte{0x28, 0x2c, 0x2f}[g.pick(3)], 0, 4)
	case wasmI64:
		g.emit([]byte{0x29, 0x31, 0x35}[g.pick(3)], 0, 4)
	default:
		g.emit(0x29, 0, 4, 0xb9) // an i64, converted
	}
}

// block makes the inside of a block that leaves values.
func (g *generator) block(params []byte, l label, results []byte, depth int) {
	g.labels = append(g.labels, l)
	for range g.pick(3) {
		g.statement(params, depth-1)
	}
	g.values(params, results, depth)
	g.labels = g.labels[:len(g.labels)-1]
}
