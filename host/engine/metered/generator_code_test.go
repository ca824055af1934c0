package metered_test

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A generator makes valid modules out of a fuzzer's bytes, each of which is a choice. When
// none is left it only makes what is smallest. What it makes ends by itself: a global counts
// rounds of loops and calls down, and at 0 the guest traps.
type generator struct {
	choices []byte
	floats  bool // it computes with floats
	out     []byte
	params  string   // of the function
	results string   // of the function
	labels  []string // what a branch has to bring, the innermost one last
}

// The types of a module; those of functions are the ones of numbers.
var signatures = []struct{ in, out string }{
	{"i", "i"}, // of the import note
	{"", ""}, {"il", "i"}, {"i", "l"}, {"", "ll"}, {"li", "id"}, {"fd", "f"}, {"iiii", "iii"},
	{"v", "v"}, {"r", "r"}, {"xi", "ix"}, {"vvf", "vil"}, {"iiiiiiiiii", "llllllllll"},
}

const (
	generated    = 12   // functions, each of a type but the first by turns
	rounds       = 1000 // of the counter
	firstLocal   = "iillffddvvrrxx"
	funcTables   = 2 // the third is one of externref
	dataSegments = 3
	elemSegments = 8
)

// locals are where the locals of a type begin, after the parameters; globals those of a type.
func (g *generator) local(t byte) []byte {
	return g.index(len(g.params) + strings.IndexByte(firstLocal, t) + g.pick(2))
}

func (g *generator) pick(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := g.choices[0]
	g.choices = g.choices[1:]
	return int(c) % n
}

func (g *generator) emit(parts ...[]byte) { g.out = append(g.out, slices.Concat(parts...)...) }

func (g *generator) code(code ...byte) { g.out = append(g.out, code...) }

// index is a number, which now and then is longer than it has to be.
func (g *generator) index(n int) []byte {
	short := uleb(n)
	if g.pick(12) != 1 {
		return short
	}
	for len(short) < 5 {
		short[len(short)-1] |= 0x80
		short = append(short, 0)
	}
	return short
}

func (g *generator) tick() {
	g.emit([]byte("\x23\x00\x45\x04\x40\x00\x0b\x23\x00\x41\x01\x6b\x24\x00"))
}

// function makes the body of a function.
func (g *generator) function(in, out string) []byte {
	g.params, g.results, g.labels = in, out, []string{out}
	g.out = []byte{7}
	for _, t := range []byte("ilfdvrx") {
		g.emit(g.index(2), []byte{typeCodes[t]})
	}
	g.tick()
	for range g.pick(7) {
		g.statement(5)
	}
	g.values(out, 5)
	g.code(0x0b)
	return slices.Concat(uleb(len(g.out)), g.out)
}

func (g *generator) values(types string, depth int) {
	for i := range len(types) {
		g.value(types[i], depth-1)
	}
}

// constant makes a value that takes nothing.
func (g *generator) constant(t byte) {
	n := int64(g.pick(256)) - 100
	switch t {
	case 'i':
		g.emit([]byte{0x41}, sleb([]int64{n, n << 8, -1 << 31, 1<<31 - 1}[g.pick(4)]))
	case 'l':
		g.emit([]byte{0x42}, sleb([]int64{n, n * n * n, -1 << 63, 1<<63 - 1}[g.pick(4)]))
	case 'f':
		bits := []uint32{uint32(0x40000000 + n<<19), 0x7f800000, 0x7f800001, 0xffc12345}[g.pick(4)]
		g.emit([]byte{0x43}, binary.LittleEndian.AppendUint32(nil, bits))
	case 'd':
		bits := []uint64{uint64(0x4000000000000000 + n<<48), 0x7ff0000000000000, 0x7ff0000000000001, 0xfff8123456789abc}[g.pick(4)]
		g.emit([]byte{0x44}, binary.LittleEndian.AppendUint64(nil, bits))
	case 'v':
		lanes := []uint64{0, 0x7ff0000000000001, 0xffc123457f800001, 0xff80000040000000}
		g.emit([]byte{0xfd, 0x0c}, binary.LittleEndian.AppendUint64(nil, lanes[g.pick(4)]),
			binary.LittleEndian.AppendUint64(nil, uint64(byte(n))<<48|uint64(byte(n>>1))<<56))
	case 'r':
		if n%2 == 0 {
			g.emit([]byte{0xd2}, g.index(g.pick(1+generated)))
			return
		}
		g.code(0xd0, 0x70)
	default:
		g.code(0xd0, 0x6f)
	}
}

// value makes code that leaves a value of a type.
func (g *generator) value(t byte, depth int) {
	if depth <= 0 {
		g.constant(t)
		return
	}
	switch g.pick(16) {
	case 0:
		g.constant(t)
	case 1:
		g.emit([]byte{0x20}, g.local(t))
	case 2:
		g.emit([]byte{0x23}, g.index(1+strings.IndexByte("ilfdvrx", t)))
	case 3:
		g.value(t, depth-1)
		g.emit([]byte{0x22}, g.local(t))
	case 4:
		g.condition(depth)
		g.code(0x04, typeCodes[t])
		g.block(string(t), string(t), depth)
		g.code(0x05)
		g.block(string(t), string(t), depth)
		g.code(0x0b)
	case 5:
		g.code(0x02, typeCodes[t])
		g.block(string(t), string(t), depth)
		g.code(0x0b)
	case 6:
		g.code(0x03, typeCodes[t])
		g.tick()
		g.block("", string(t), depth)
		g.code(0x0b)
	case 7:
		g.values(string([]byte{t, t, 'i'}), depth)
		if t == 'r' || t == 'x' || g.pick(2) == 1 {
			g.code(0x1c, 1, typeCodes[t])
		} else {
			g.code(0x1b)
		}
	case 8:
		g.leave(depth)
	case 9:
		g.special(t, depth)
	default:
		g.operation(t, depth)
	}
}

func (g *generator) condition(depth int) { g.value('i', depth-1) }

// operation makes one of the instructions of the table.
func (g *generator) operation(t byte, depth int) {
	var fit, arithmetic []op
	for _, o := range ops {
		switch {
		case o.out != string(t):
		case !o.float:
			fit = append(fit, o)
		case g.floats:
			arithmetic = append(arithmetic, o)
		}
	}
	if len(arithmetic) > 0 && g.pick(3) != 0 {
		fit = arithmetic
	}
	if len(fit) == 0 {
		g.constant(t)
		return
	}
	g.do(fit[(g.pick(256)<<8+g.pick(256))%len(fit)], depth)
}

func (g *generator) do(o op, depth int) {
	for i := range len(o.in) {
		g.value(o.in[i], depth-1)
		if i == 0 && (o.imm == access || o.imm == laneOf) && g.pick(16) != 1 { // else it may trap
			g.emit([]byte("\x41\xff\xff\x03\x71"))
		}
	}
	switch o.prefix {
	case 0:
		g.code(byte(o.code))
	case 0xfc:
		g.emit([]byte{0xfc}, g.index(o.code))
	default: // longer ones wazero by itself doesn't take
		g.emit([]byte{o.prefix}, uleb(o.code))
	}
	switch o.imm {
	case access:
		g.emit(g.index(0), g.index(g.pick(40)))
	case lane:
		g.code(byte(g.pick(o.lanes)))
	case laneOf:
		g.emit(g.index(0), g.index(g.pick(40)), []byte{byte(g.pick(o.lanes))})
	case shuffling:
		for range 16 {
			g.code(byte(g.pick(32)))
		}
	}
}

// block makes the inside of a block that leaves values.
func (g *generator) block(label, results string, depth int) {
	g.labels = append(g.labels, label)
	for range g.pick(3) {
		g.statement(depth - 1)
	}
	g.values(results, depth)
	g.labels = g.labels[:len(g.labels)-1]
}

// leave makes code after which any type is there, and now and then more of such.
func (g *generator) leave(depth int) {
	n := g.pick(len(g.labels))
	switch g.pick(5) {
	case 1:
		g.values(g.results, depth)
		g.code(0x0f)
	case 2:
		g.code(0x00)
	case 3:
		g.jump(depth)
	default:
		g.values(g.labels[len(g.labels)-1-n], depth)
		g.emit([]byte{0x0c}, g.index(n))
	}
	for range g.pick(4) {
		g.emit([][]byte{{0x6a, 0x1a}, {0x1a}, {0x1b, 0x1a}, {0x40, 0, 0x1a}, {0xfc, 11, 0}, {0x02, 0x40, 0x0c, 0, 0x0b}, {0x03, 0x40, 0x0b},
			{0x04, 0x40, 0x05, 0x0b}, {0x11, 2, 0, 0x1a}, {0xfd, 0x52, 0x1a}, {0xfc, 15, 0, 0x1a}}[g.pick(11)])
	}
}

// jump makes a table of branches to all labels that bring what one of them does.
func (g *generator) jump(depth int) {
	n := g.pick(len(g.labels))
	want := g.labels[len(g.labels)-1-n]
	var targets []int
	for i := range g.labels {
		if g.labels[len(g.labels)-1-i] == want {
			targets = append(targets, i)
		}
	}
	many := g.pick(20)
	g.values(want, depth)
	g.condition(depth)
	g.emit([]byte{0x0e}, g.index(many))
	for i := range many {
		g.emit(g.index(targets[i%len(targets)]))
	}
	g.emit(g.index(n))
}

// special makes a value in the ways that the rewriter has a closer look at.
func (g *generator) special(t byte, depth int) {
	switch t {
	case 'i':
		switch g.pick(7) {
		case 0:
			g.condition(depth)
			g.code(0x41, 1, 0x71, 0x40, 0)
		case 1:
			table := g.pick(funcTables + 1)
			g.value("rrx"[table], depth-1)
			g.condition(depth)
			g.emit([]byte("\x41\x07\x71\xfc\x0f"), g.index(table))
		case 2:
			g.emit([]byte{0xfc, 16}, g.index(g.pick(funcTables+1)))
		case 3:
			g.value("rx"[g.pick(2)], depth-1)
			g.code(0xd1)
		case 4:
			g.values("ili", depth)
			g.emit([]byte("\x41\x0f\x71\x11"), g.index(2), g.index(g.pick(funcTables)))
		case 5:
			g.condition(depth)
			g.code(0x10, 0)
		default:
			g.code(0x3f, 0)
		}
	case 'r':
		g.condition(depth)
		g.emit([]byte("\x41\x0f\x71\x25"), g.index(g.pick(funcTables)))
	case 'x':
		g.condition(depth)
		g.emit([]byte("\x41\x03\x71\x25"), g.index(funcTables))
	case 'v':
		g.value('v', depth-1)
		g.code(0x10, 8) // of the type v:v
	default:
		g.constant(t)
	}
}
