package metering

// A work is what makes the code of a function long to compile: compilers take a time
// that grows with products of these numbers, so that a module of some kilobytes can keep
// one busy for hours.
type work struct {
	joins   uint64 // places from which or to which the control goes, but straight on
	targets uint64 // of br_table
	loops   uint64
	nested  uint64 // the most loops that are in each other
	calls   uint64
	values  uint64 // that calls, branches and blocks pass on

	canonical uint64 // results whose NaN is made canonical
}

// What instructions are as joins, by the code that engines make of them.
const (
	joinsLoop   = 2 // its start, and that of what comes after it
	joinsIf     = 2
	joinsBranch = 2  // where it goes, and what comes after it
	joinsBulk   = 10 // two checks, and a loop
	joinsGrow   = 4
)

// What functions and types take whatever is in them, as units. Most of it is what wasmtime
// takes, for code that converts between the calls of a guest and those of its host.
const (
	workFunction = 20 // without code
	workCounted  = 60 // more for one that counts its depth
	workLoop     = 40
	workEscape   = 50 // more for a function that can be called by other means than its index
	workPassed   = 12 // for each parameter and result, once more if it can
	workTyped    = 15 // for each parameter and result of a type
	workTarget   = 16 // of a br_table
	workElement  = 1

	workCanonical = 3 // more than the instruction itself
)

// units is an estimate of how many microseconds engines take for a function on a machine
// of today, beside a time that grows with its size. wazero has to tell what variables hold at
// each join, and finds loops by comparing joins; wasmtime takes long for loops in loops.
func (w *work) units(locals uint32) uint64 {
	const most = 1 << 16 // of locals and loops, so that no product is too large
	variables, loops := uint64(min(locals, most)), min(w.loops, most)
	return w.joins*w.joins/256 +
		loops*loops*loops/8192 +
		variables*(w.joins+w.calls+12*loops)/4 +
		variables*variables*(w.joins+16*loops)/4096 +
		loops*w.nested*w.nested/256 +
		w.targets*w.targets/65536 +
		workTarget*w.targets + workLoop*loops + 2*w.values + workCanonical*w.canonical
}

// The most work of a module, as units: some, and some more for each byte of it. Guests of
// any language here take less than a fifth of it, and Go's own compiler, 49 MB, less than half.
const (
	mostWork     = 6_000_000
	mostByteWork = 2
)

// escapes notes that a function can be called by other means than its index.
func (m *module) escapes(function uint32) {
	if m.escaped == nil {
		m.escaped = make([]bool, len(m.functions))
	}
	if !m.escaped[function] {
		m.escaped[function] = true
		m.work += workEscape + workPassed*m.passed(function)
		m.space.kept += spaceFunction
	}
}

// passed is how many parameters and results a function has.
func (m *module) passed(function uint32) uint64 {
	t := &m.types[m.functions[function]]
	return uint64(t.params + len(t.results))
}

// compiled adds a function that has been read to those before, and fails when they take
// too much work or space.
func (w *writer) compiled(b *body, function uint32, at int) error {
	w.work += workFunction + workPassed*w.passed(function) + b.work.units(b.locals)
	if b.calls && w.emitter.deep {
		w.work += workCounted
	}
	w.space.end()
	return w.limit(b.reader, at)
}

// limit fails when the module takes too much work or space up to here.
func (m *module) limit(r *reader, at int) error {
	if most := mostWork + mostByteWork*uint64(len(m.wasm)); m.work > most {
		r.tooLarge(at, "code that takes %d units of work to compile, the most is %d", m.work, most)
	}
	return m.limitSpace(r, at)
}
