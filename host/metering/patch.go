package metering

// A patch copies a section with other indices of functions.
type patch struct {
	*reader
	module *module
	out    []byte
	copied int // up to here
}

func (w *writer) patch(s section) *patch {
	return &patch{reader: w.open(s), module: w.module, copied: s.start}
}

// list takes the length of the section's list, which gets more items. A section
// that the original lacks has none.
func (p *patch) list(more int) int {
	n := 0
	if p.more() || more == 0 {
		n = p.count()
	}
	p.out = appendU32(p.out, uint32(n+more))
	p.copied = p.pos
	return n
}

// index replaces the index of a function.
func (p *patch) index(start, end int, function uint32) {
	moved := p.module.moved(function)
	if moved == function {
		return
	}
	p.out = append(p.out, p.wasm[p.copied:start]...)
	p.out = appendWide(p.out, moved, end-start)
	p.copied = end
}

// refer replaces the index of a function that can be called by it.
func (p *patch) refer(start, end int, function uint32) {
	p.module.refer(function)
	p.module.escapes(function)
	p.index(start, end, function)
}

// function takes and replaces the index of a function.
func (p *patch) function(replace func(start, end int, function uint32)) {
	start := p.pos
	i := p.reader.index("function", len(p.module.functions))
	if p.err == nil {
		replace(start, p.pos, i)
	}
}

// flush copies what has been read.
func (p *patch) flush() {
	p.out = append(p.out, p.wasm[p.copied:p.pos]...)
	p.copied = p.pos
}

// rest copies what is left, too.
func (p *patch) rest() {
	p.pos = p.end
	p.flush()
}

// moved is the index of a function in the rewritten module.
func (m *module) moved(function uint32) uint32 {
	if uint64(function) >= uint64(m.importedFuncs) {
		return function + uint32(m.addedFuncs)
	}
	return function
}
