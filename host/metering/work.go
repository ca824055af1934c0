package metering

// A work is what makes the code of a function long to compile: compilers take a time
// that grows with products of these numbers, so that a module of some kilobytes can keep
// one busy for hours.
type work struct {
	joins   uint64 // places from which or to which the control goes, but straight on
	targets uint64 // of br_table
	loops   uint64
	calls   uint64
	values  uint64 // that calls, branches and blocks pass on
}

// What instructions are as joins, by the code that engines make of them.
const (
	joinsLoop   = 2 // its start, and that of what comes after it
	joinsIf     = 2
	joinsBranch = 2 // where it goes, and what comes after it
	joinsBulk   = 8 // a check, and a loop
	joinsGrow   = 4
)

// units is an estimate of how many microseconds wazero takes for a function on a machine
// of today, beside a time that grows with its size. It has to tell what variables hold at
// each join, and finds loops by comparing joins.
func (w *work) units(locals uint32) uint64 {
	const most = 1 << 16 // of locals and loops, so that no product is too large
	variables, loops := uint64(min(locals, most)), min(w.loops, most)
	return w.joins*w.joins/256 +
		loops*loops*loops/8192 +
		variables*(w.joins+w.calls+12*loops)/4 +
		variables*variables*(w.joins+16*loops)/4096 +
		w.targets*w.targets/65536 +
		8*w.targets + 2*w.values
}

// The most work of a module, as units: some, and some more for each byte of it. Guests of
// any language have less than an eighth of it, those in Go less than a tenth, and those in
// C, Rust and Zig less than a hundredth; Go's own compiler, 49 MB, has less than a sixth.
const (
	mostWork     = 4_000_000
	mostByteWork = 4
)

// limitWork fails when the functions up to here are too much work.
func (w *writer) limitWork(b *body, at int) error {
	w.work += b.work.units(b.locals)
	if most := uint64(mostWork + mostByteWork*len(w.wasm)); w.work > most {
		b.tooLarge(at, "code that takes %d units of work to compile, the most is %d", w.work, most)
	}
	return b.err
}
