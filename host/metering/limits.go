package metering

func (w *writer) memorySection(p *patch) {
	for range p.list(0) {
		p.lower(true, w.options.MaxMemoryPages)
	}
}

func (w *writer) tableSection(p *patch) {
	for range p.list(0) {
		p.refType()
		p.lower(false, w.options.MaxTableEntries)
	}
}

// lower takes the limits of a memory or a table, and replaces a maximum that is
// above the most that is allowed. 0 allows all.
func (p *patch) lower(memory bool, most uint32) {
	at := p.pos
	flags := p.byte()
	least := p.u32()
	declared := most
	if flags&1 != 0 {
		declared = p.u32()
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
}
