package metering

import (
	"bytes"
	"strconv"
)

// A writer writes the rewritten module.
type writer struct {
	*module
	options Options
	emitter emitter

	out      []byte
	spans    spanList
	last     span // of spans
	exports  []string
	exposed  []Global
	pages    extent // of the memory
	newTypes [][]byte
	refill   uint32   // the type of the imported function
	reports  []report // the other functions, if they are imported
	pieces   int      // functions that work in pieces
}

func newWriter(m *module, options Options) *writer {
	w := &writer{module: m, options: options, out: make([]byte, 0, len(m.wasm)+len(m.wasm)/2+256)}
	w.emitter = emitter{
		module:  m,
		fuel:    uint32(len(m.globals)),
		depth:   uint32(len(m.globals) + 1),
		deep:    options.MaxDepth > 0,
		reports: options.ReportBreaches,
		wrapper: map[string]uint32{},
	}
	w.refill = w.addType([]byte{typeI64}, []byte{typeI64})
	m.addedFuncs = 1
	if options.ReportBreaches {
		w.reports = []report{
			reportRefused:      {ImportRefused, w.addType([]byte{typeI32}, nil)},
			reportTooDeep:      {ImportTooDeep, w.addType(nil, nil)},
			reportRefusedTable: {ImportRefusedTable, w.addType([]byte{typeI32, typeI32}, nil)},
		}
		m.addedFuncs += len(w.reports)
	}
	if m.memories > 0 && len(m.functions) > m.importedFuncs {
		operands := []byte{typeI32, typeI32, typeI32}
		w.pieces = int(pieceFuncs)
		w.emitter.pieceType = w.addType(operands, operands)
		w.emitter.firstPiece = uint32(len(m.functions) + m.addedFuncs)
	}
	if w.emitter.deep {
		for _, f := range m.functions[m.importedFuncs:] {
			results := m.types[f].results
			if _, ok := w.emitter.wrapper[string(results)]; !ok && len(results) > 1 {
				w.emitter.wrapper[string(results)] = w.addType(nil, results)
			}
		}
	}
	return w
}

// A report is a function that is imported to be told of a breach.
type report struct {
	name string
	typ  uint32
}

// The reports, in the order in which they are imported, behind the function for fuel.
const (
	reportRefused = iota
	reportTooDeep
	reportRefusedTable
)

func (w *writer) addType(params, results []byte) uint32 {
	t := appendU32([]byte{typeFunc}, uint32(len(params)))
	t = append(t, params...)
	t = appendU32(t, uint32(len(results)))
	w.newTypes = append(w.newTypes, append(t, results...))
	return uint32(len(w.types) + len(w.newTypes) - 1)
}

// added are the sections that a rewritten module always has.
var added = []byte{sectionType, sectionImport, sectionGlobal, sectionExport}

// write writes all sections, and those that the original lacks in their places.
func (w *writer) write() error {
	w.out = append(w.out, w.wasm[:8]...)
	missing := added
	for _, s := range w.sections {
		if s.id != sectionCustom {
			for len(missing) > 0 && rank(missing[0]) < rank(s.id) {
				if err := w.rewrite(section{id: missing[0]}); err != nil {
					return err
				}
				missing = missing[1:]
			}
			if len(missing) > 0 && missing[0] == s.id {
				missing = missing[1:]
			}
		}
		if err := w.rewrite(s); err != nil {
			return err
		}
	}
	for _, id := range missing {
		if err := w.rewrite(section{id: id}); err != nil {
			return err
		}
	}
	return nil
}

// rewrite writes a section, which has no content if the original lacks it.
func (w *writer) rewrite(s section) error {
	p := w.patch(s)
	switch s.id {
	case sectionCustom:
		return w.custom(s)
	case sectionType:
		p.list(len(w.newTypes))
		p.rest()
		for _, t := range w.newTypes {
			p.out = append(p.out, t...)
		}
	case sectionImport:
		p.list(w.addedFuncs)
		p.rest()
		p.imported(ImportRefill, w.refill)
		for _, r := range w.reports {
			p.imported(r.name, r.typ)
		}
	case sectionFunction:
		p.list(w.pieces)
		p.rest()
		for range w.pieces {
			p.out = appendU32(p.out, w.emitter.pieceType)
		}
	case sectionTable:
		w.tableSection(p)
	case sectionMemory:
		w.memorySection(p)
	case sectionGlobal:
		w.globalSection(p)
	case sectionExport:
		w.exportSection(p)
	case sectionStart:
		p.function(p.index)
	case sectionElement:
		w.elementSection(p)
	case sectionCode:
		return w.code(p.reader)
	default:
		p.rest()
	}
	if err := p.done("the " + sectionNames[s.id] + " section"); err != nil {
		return err
	}
	p.flush()
	w.section(s.id, p.out)
	return w.limit(p.reader, s.start)
}

func (w *writer) section(id byte, content []byte) {
	w.out = appendU32(append(w.out, id), uint32(len(content)))
	w.out = append(w.out, content...)
}

// imported writes the import of a function of ours.
func (p *patch) imported(name string, typ uint32) {
	p.out = appendName(p.out, ImportModule)
	p.out = appendName(p.out, name)
	p.out = append(p.out, externFunc)
	p.out = appendU32(p.out, typ)
}

func (w *writer) globalSection(p *patch) {
	n := p.list(1 + w.depthGlobals())
	for range n {
		p.globalType()
		p.constant(w.module, p.refer)
	}
	p.flush()
	p.out = append(p.out, typeI64, 1, opI64Const, 0, opEnd)
	if w.depthGlobals() > 0 {
		p.out = append(p.out, typeI32, 1, opI32Const)
		p.out = append(appendS64(p.out, int64(w.options.MaxDepth)), opEnd)
	}
}

func (w *writer) depthGlobals() int {
	if w.emitter.deep {
		return 1
	}
	return 0
}

func (w *writer) exportSection(p *patch) {
	type export struct {
		name  string
		index uint32
	}
	exports := []export{{ExportFuel, w.emitter.fuel}}
	if w.emitter.deep {
		exports = append(exports, export{ExportDepth, w.emitter.depth})
	}
	if w.options.ExportGlobals {
		for i, g := range w.globals {
			if g.mutable {
				name := ExportGlobal + strconv.Itoa(i)
				exports = append(exports, export{name, uint32(i)})
				w.exposed = append(w.exposed, Global{name, i, g.kind})
			}
		}
	}
	for range p.list(len(exports)) {
		w.export(p)
		w.space.kept += spaceItem
	}
	p.flush()
	for _, e := range exports {
		w.exports = append(w.exports, e.name)
		p.out = append(appendName(p.out, e.name), externGlobal)
		p.out = appendU32(p.out, e.index)
	}
}

func (w *writer) export(p *patch) {
	at := p.pos
	name := p.bytes()
	if bytes.HasPrefix(name, []byte(ReservedPrefix)) {
		p.fail(Reserved, at, "it exports %q", name)
	}
	at = p.pos
	switch kind := p.byte(); kind {
	case externFunc:
		p.function(p.refer)
	case externTable:
		p.reader.index("table", w.tables)
	case externMemory:
		p.reader.index("memory", w.memories)
		w.showsMemory = w.showsMemory || string(name) == "memory"
	case externGlobal:
		p.reader.index("global", len(w.globals))
	case externTag:
		p.unsupported(at, "the export of a tag", "exceptions")
	default:
		p.malformed(at, "an export of the unknown kind %d", kind)
	}
}

// Flags of an element segment.
const (
	elementPassive     = 1 // or, without it, active
	elementExplicit    = 2 // an active one names its table, one that isn't is declarative
	elementExpressions = 4
)

func (w *writer) elementSection(p *patch) {
	for range p.list(0) {
		at := p.pos
		flags := p.u32()
		if flags > 7 {
			p.malformed(at, "an element segment with the unknown flags %#x", flags)
		}
		if flags&elementPassive == 0 {
			if flags&elementExplicit != 0 {
				p.reader.index("table", w.tables)
			}
			p.constant(w.module, p.refer)
		}
		if flags&(elementPassive|elementExplicit) != 0 {
			if flags&elementExpressions != 0 {
				p.refType()
			} else {
				p.zero("an element of another kind", "garbage collection")
			}
		}
		for range p.count() {
			w.work += workElement
			w.space.kept += spaceElement
			if flags&elementExpressions != 0 {
				p.constant(w.module, p.refer)
			} else {
				p.function(p.refer)
			}
		}
	}
}

// code writes the code section, one function at a time.
func (w *writer) code(r *reader) error {
	start := r.pos
	n := r.count()
	if defined := len(w.functions) - w.importedFuncs; n != defined && r.err == nil {
		r.malformed(start, "the code of %d functions, there are %d", n, defined)
	}
	w.out = append(w.out, sectionCode, 0, 0, 0, 0, 0)
	content := len(w.out)
	w.out = appendU32(w.out, uint32(n+w.pieces))
	b := &body{module: w.module}
	for i := range n {
		b.starts = w.importedFuncs+i == w.start
		size := r.count()
		if r.err != nil {
			break
		}
		signature := w.types[w.functions[w.importedFuncs+i]]
		b.reader = &reader{wasm: r.wasm, pos: r.pos, end: r.pos + size}
		r.pos += size
		at := b.pos
		if size > maxBody {
			b.tooLarge(at, "a function of %d bytes, the most is %d", size, maxBody)
		}
		if err := b.read(signature); err != nil {
			return err
		}
		if err := w.compiled(b, uint32(w.importedFuncs+i), at); err != nil {
			return err
		}
		w.emitter.function(b, signature)
		w.out = appendU32(w.out, uint32(len(w.emitter.out)))
		for _, s := range w.emitter.spans {
			w.span(s.rewritten+uint32(len(w.out)), s.original)
		}
		w.out = append(w.out, w.emitter.out...)
	}
	w.span(uint32(len(w.out)), 0)
	for f := range pieceFunc(w.pieces) {
		code := w.emitter.pieceBody(f)
		w.out = append(appendU32(w.out, uint32(len(code))), code...)
	}
	copy(w.out[content-5:content], appendWide(nil, uint32(len(w.out)-content), 5))
	return r.done("the code section")
}

func (w *writer) span(rewritten, original uint32) {
	s := span{rewritten, original}
	w.spans, w.last = w.spans.append(w.last, s), s
}
