package metering_test

// branch makes code that leaves a block or the function.
func (g *generator) branch(params []byte, depth int) {
	n := g.pick(len(g.labels))
	l := g.labels[len(g.labels)-1-n]
	switch g.pick(4) {
	case 1:
		g.values(params, g.results, depth)
		g.emit(0x0f)
	case 2:
		g.emit(0x00)
	default:
		g.values(params, l, depth)
		g.emit(0x0c, byte(n))
	}
}

// conditional makes a branch that may be taken.
func (g *generator) conditional(params []byte, depth int) {
	n := g.pick(len(g.labels))
	l := g.labels[len(g.labels)-1-n]
	g.values(params, l, depth)
	g.value(params, wasmI32, depth-1)
	g.emit(0x0d, byte(n))
	for range l {
		g.emit(0x1a)
	}
}

// table makes a branch to one of the labels that bring nothing, within a block.
func (g *generator) table(params []byte, depth int) {
	g.emit(0x02, 0x40)
	g.labels = append(g.labels, label{})
	var targets []byte
	for i := range g.labels {
		if len(g.labels[len(g.labels)-1-i]) == 0 {
			targets = append(targets, byte(i))
		}
	}
	g.value(params, wasmI32, depth-1)
	g.emit(slicesOf([]byte{0x0e}, uleb(len(targets)), targets, []byte{0})...)
	g.labels = g.labels[:len(g.labels)-1]
	g.emit(0x0b)
}

// statement makes code that leaves nothing.
func (g *generator) statement(params []byte, depth int) {
	t := valueTypes[g.pick(3)]
	switch g.pick(13) {
	case 0:
		g.emit(0x01)
	case 1, 2:
		g.value(params, t, depth-1)
		g.emit(0x21, g.local(params, t))
	case 3:
		g.value(params, t, depth-1)
		g.emit(0x24, map[byte]byte{wasmI32: 1, wasmI64: 2, wasmF64: 3}[t])
	case 4:
		g.address(params, depth)
		g.value(params, wasmI64, depth-1)
		g.emit(0x37, 0, 8)
	case 5:
		g.value(params, wasmI32, depth-1)
		g.emit(0x04, 0x40)
		g.block(params, label{}, nil, depth)
		if g.pick(2) == 1 {
			g.emit(0x05)
			g.block(params, label{}, nil, depth)
		}
		g.emit(0x0b)
	case 6:
		g.emit(0x03, 0x40)
		g.tick()
		g.block(params, label{}, nil, depth)
		g.emit(0x0b)
	case 7:
		g.conditional(params, depth)
	case 8:
		g.table(params, depth)
	case 9:
		g.bulk(params, depth)
	case 10:
		g.value(params, wasmI32, depth-1)
		g.emit(0x10, 0) // note
	case 11:
		g.call(params, g.pick(generatedFunctions), depth)
	default:
		g.parameters(params, depth)
	}
}

// bulk makes operations that are charged by length.
func (g *generator) bulk(params []byte, depth int) {
	switch g.pick(4) {
	case 0:
		g.address(params, depth)
		g.value(params, wasmI32, depth-1)
		g.value(params, wasmI32, depth-1)
		g.emit(0x41, 0xff, 1, 0x71, 0xfc, 11, 0)
	case 1:
		g.address(params, depth)
		g.address(params, depth)
		g.emit(0x41, 20, 0xfc, 10, 0, 0)
	case 2:
		g.value(params, wasmI32, depth-1)
		g.emit(0x41, 7, 0x71, 0xd2, 2, 0x41, 3, 0xfc, 17, 0)
	default:
		g.emit(0x41, 0)
		g.emit(0x41, 1)
		g.value(params, wasmI32, depth-1)
		g.emit(0x41, 3, 0x71, 0xfc, 14, 0, 0)
	}
}

// call calls a function and drops its results.
func (g *generator) call(params []byte, f, depth int) {
	t := generatedTypes[1+f%(len(generatedTypes)-1)]
	g.values(params, t.params, depth)
	g.emit(0x10, byte(generatedImports+f))
	for range t.results {
		g.emit(0x1a)
	}
}

// parameters makes a block or a loop with parameters, and drops its results.
func (g *generator) parameters(params []byte, depth int) {
	i := 2 + g.pick(len(generatedTypes)-2)
	t := generatedTypes[i]
	g.values(params, t.params, depth)
	loop := g.pick(2) == 1
	if loop {
		g.emit(0x03, byte(i))
		g.tick()
	} else {
		g.emit(0x02, byte(i))
	}
	for range t.params {
		g.emit(0x1a)
	}
	l := label(t.results)
	if loop {
		l = t.params
	}
	g.block(params, l, t.results, depth)
	g.emit(0x0b)
	for range t.results {
		g.emit(0x1a)
	}
}

// special makes a value in the ways that the rewriter has a closer look at.
func (g *generator) special(params []byte, t byte, depth int) {
	if t != wasmI32 {
		g.value(params, wasmI32, depth-1)
		g.emit(map[byte]byte{wasmI64: 0xac, wasmF64: 0xb7}[t])
		return
	}
	switch g.pick(5) {
	case 0:
		g.value(params, wasmI32, depth-1)
		g.emit(0x41, 1, 0x71, 0x40, 0)
	case 1:
		g.emit(0xd2, 3)
		g.value(params, wasmI32, depth-1)
		g.emit(0x41, 7, 0x71, 0xfc, 15, 0)
	case 2:
		g.values(params, []byte{wasmI32, wasmI64, wasmI32}, depth)
		g.emit(0x41, 7, 0x71, 0x11, 2, 0)
	case 3:
		g.values(params, []byte{wasmI32, wasmI32}, depth)
		g.emit(0x41, 7, 0x71, 0x11, 3, 0)
	default:
		g.emit(0x3f, 0)
	}
}
