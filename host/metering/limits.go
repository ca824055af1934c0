package metering

import "math"

func (w *writer) memorySection(p *patch) {
	for range p.list(0) {
		w.pages = p.lower(true, w.options.MaxMemoryPages, mostPages)
	}
}

func (w *writer) tableSection(p *patch) {
	for range p.list(0) {
		p.refType()
		p.lower(false, w.options.MaxTableEntries, math.MaxUint32)
	}
}

// mostPages is what a memory can have.
const mostPages = 1 << 16

// An extent is how large a memory or a table is from the start, and can be.
type extent struct{ least, most uint32 }

// lower takes the limits of a memory or a table, and replaces a maximum that is
// above the most that is allowed. 0 allows all. It gives what the module says, which
// may say nothing of a maximum.
func (p *patch) lower(memory bool, most, unsaid uint32) extent {
	at := p.pos
	flags := p.byte()
	least := p.u32()
	declared, said := most, unsaid
	if flags&1 != 0 {
		declared = p.u32()
		said = declared
	}
	switch {
	case most == 0 || p.err != nil:
	case least > most:
		err := &SizeError{Memory: memory, Wanted: least, Most: most}
		p.err, p.pos = &Error{Kind: TooLarge, Offset: at, Reason: err.Error(), Err: err}, p.end
	case flags&1 == 0 || declared > most:
		p.out = append(p.out, p.wasm[p.copied:at]...)
		p.out = appendU32(appendU32(append(p.out, flags|1), least), most)
		p.copied = p.pos
	}
	return extent{least, said}
}
