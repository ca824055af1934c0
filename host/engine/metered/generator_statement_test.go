package metered_test

import (
	"slices"
	"strings"
)

// statement makes code that leaves nothing.
func (g *generator) statement(depth int) {
	t := "ilfdvrx"[g.pick(7)]
	if g.floats && g.pick(2) == 1 {
		t = "fdv"[g.pick(3)]
	}
	switch g.pick(16) {
	case 0:
		g.code(0x01)
	case 1:
		g.value(t, depth-1)
		g.emit([]byte{0x21}, g.local(t))
	case 2:
		g.value(t, depth-1)
		g.emit([]byte{0x24}, g.index(1+strings.IndexByte("ilfdvrx", t)))
	case 3, 4:
		g.store(depth)
	case 5:
		g.condition(depth)
		g.code(0x04, 0x40)
		g.block("", "", depth)
		if g.pick(2) == 1 {
			g.code(0x05)
			g.block("", "", depth)
		}
		g.code(0x0b)
	case 6:
		g.code(0x03, 0x40)
		g.tick()
		g.block("", "", depth)
		g.code(0x0b)
	case 7:
		n := g.pick(len(g.labels))
		label := g.labels[len(g.labels)-1-n]
		g.values(label, depth)
		g.condition(depth)
		g.emit([]byte{0x0d}, g.index(n), slices.Repeat([]byte{0x1a}, len(label)))
	case 8:
		g.code(0x02, 0x40)
		g.labels = append(g.labels, "")
		g.jump(depth)
		g.labels = g.labels[:len(g.labels)-1]
		g.code(0x0b)
	case 9, 10:
		g.bulk(depth)
	case 11:
		f := g.pick(generated)
		s := signatures[1+f%(len(signatures)-1)]
		g.values(s.in, depth)
		g.emit([]byte{0x10}, g.index(1+f), slices.Repeat([]byte{0x1a}, len(s.out)))
	case 12:
		g.code(0x02, 0x40)
		g.labels = append(g.labels, "")
		g.leave(depth)
		g.labels = g.labels[:len(g.labels)-1]
		g.code(0x0b)
	default:
		g.parameters(depth)
	}
}

func (g *generator) store(depth int) {
	var stores []op
	for _, o := range ops {
		if o.out == "" && (!g.floats || strings.ContainsAny(o.in, "fdv")) {
			stores = append(stores, o)
		}
	}
	g.do(stores[g.pick(len(stores))], depth)
}

// parameters makes a block, a loop or an if with any type, and drops its results.
func (g *generator) parameters(depth int) {
	i := 1 + g.pick(len(signatures)-1)
	s := signatures[i]
	kind := g.pick(3)
	g.values(s.in, depth)
	if kind == 2 {
		g.condition(depth)
	}
	g.emit([]byte{byte(2 + kind)}, g.index(i))
	inside := func(label string) {
		g.emit(slices.Repeat([]byte{0x1a}, len(s.in)))
		if kind == 1 {
			g.tick()
		}
		g.block(label, s.out, depth)
	}
	switch kind {
	case 1:
		inside(s.in)
	case 2:
		inside(s.out)
		g.code(0x05)
		inside(s.out)
	default:
		inside(s.out)
	}
	g.emit([]byte{0x0b}, slices.Repeat([]byte{0x1a}, len(s.out)))
}

// bulk makes what changes memory, tables and segments. Lengths may be far too large.
func (g *generator) bulk(depth int) {
	small := func(mask byte) {
		g.condition(depth)
		if g.pick(16) != 1 {
			g.code(0x41, mask, 0x71)
		}
	}
	length := func() {
		if g.pick(2) == 1 {
			g.code(0x41, byte(g.pick(12)))
			return
		}
		small(7)
	}
	table := g.pick(funcTables + 1)
	switch g.pick(9) {
	case 0:
		small(63)
		g.condition(depth)
		length()
		g.code(0xfc, 11, 0)
	case 1:
		small(63)
		small(63)
		length()
		g.code(0xfc, 10, 0, 0)
	case 2:
		small(63)
		small(3)
		length()
		g.emit([]byte{0xfc, 8}, g.index(1), []byte{0}) // the passive one: others wazero by itself doesn't drop
	case 3:
		g.emit([]byte{0xfc, 9}, g.index(g.pick(dataSegments)))
	case 4:
		small(7)
		g.value("rrx"[table], depth-1)
		g.emit([]byte{0x26}, g.index(table))
	case 5:
		small(7)
		g.value("rrx"[table], depth-1)
		length()
		g.emit([]byte{0xfc, 17}, g.index(table))
	case 6:
		small(7)
		small(7)
		length()
		g.emit([]byte{0xfc, 14}, g.index(g.pick(funcTables)), g.index(g.pick(funcTables)))
	case 7:
		small(7)
		small(1)
		length()
		g.emit([]byte{0xfc, 12}, g.index(g.pick(elemSegments)), g.index(g.pick(funcTables)))
	default:
		g.emit([]byte{0xfc, 13}, g.index(g.pick(elemSegments)))
	}
}
