package metering

import "bytes"

// Identifiers of sections.
const (
	sectionCustom = iota
	sectionType
	sectionImport
	sectionFunction
	sectionTable
	sectionMemory
	sectionGlobal
	sectionExport
	sectionStart
	sectionElement
	sectionCode
	sectionData
	sectionDataCount
	sectionTag
)

// sectionNames is also a section's place in the order that sections have.
var sectionNames = [...]string{
	"custom", "type", "import", "function", "table", "memory", "global", "export", "start", "element", "code", "data",
	"data count", "tag",
}

// rank is the place of a section among the others, but for custom sections.
func rank(id byte) int {
	if id == sectionDataCount {
		return 2*sectionElement + 1
	}
	return 2 * int(id)
}

// Kinds of imports and exports.
const (
	externFunc = iota
	externTable
	externMemory
	externGlobal
	externTag
)

// Types of values.
const (
	typeI32       = 0x7f
	typeI64       = 0x7e
	typeF32       = 0x7d
	typeF64       = 0x7c
	typeV128      = 0x7b
	typeFuncRef   = 0x70
	typeExternRef = 0x6f
	typeFunc      = 0x60
	typeEmpty     = 0x40 // of a block without parameters and results
)

type section struct {
	id         byte
	start, end int // of the content
}

type funcType struct {
	params  int
	vectors int    // parameters of type v128
	results []byte // aliases the module
}

type global struct {
	kind    byte
	mutable bool
}

// A module is what has to be known of a module before its code is read.
type module struct {
	wasm          []byte
	sections      []section
	types         []funcType
	importedFuncs int
	addedFuncs    int      // that the rewritten module imports besides
	functions     []uint32 // types of all functions, the imported ones first
	globals       []global // the imported ones first
	tables        int
	memories      int
	elements      int
	data          int
	active        []bool // data segments, which are dropped when an instance is made
	showsMemory   bool   // it exports it as "memory"
	escaped       []bool // functions that can be called by other means than their index
	work          uint64 // to compile it, up to here
	space         space  // that too
	volatile
}

// scan splits a module into sections, and reads all but the code.
func scan(wasm []byte) (*module, error) {
	m := &module{wasm: wasm, volatile: volatile{start: -1}}
	r := &reader{wasm: wasm, end: len(wasm)}
	if !bytes.HasPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00")) {
		r.malformed(0, "it isn't a WebAssembly module of version 1")
		return nil, r.err
	}
	r.pos = 8
	last := 0
	for r.more() {
		at := r.pos
		id := r.byte()
		size := r.count()
		if r.err != nil {
			return nil, r.err
		}
		s := section{id, r.pos, r.pos + size}
		r.pos = s.end
		switch {
		case id == sectionTag:
			r.unsupported(at, "a tag section", "exceptions")
		case id > sectionTag:
			r.malformed(at, "a section of the unknown kind %d", id)
		case id == sectionCustom:
		case rank(id) <= last:
			r.malformed(at, "the %s section is at the wrong place or there twice", sectionNames[id])
		default:
			last = rank(id)
			r.err = m.read(s)
		}
		m.sections = append(m.sections, s)
		if r.err != nil {
			return nil, r.err
		}
	}
	return m, m.complete()
}

// complete makes sure that no function is without code.
func (m *module) complete() error {
	defined := len(m.functions) - m.importedFuncs
	for _, s := range m.sections {
		if s.id == sectionCode {
			return nil // which counts its functions
		}
	}
	if defined > 0 {
		return &Error{Kind: Malformed, Offset: len(m.wasm), Reason: "it has functions and no code section"}
	}
	return nil
}

func (m *module) open(s section) *reader {
	return &reader{wasm: m.wasm, pos: s.start, end: s.end}
}

func (m *module) read(s section) error {
	r := m.open(s)
	switch s.id {
	case sectionType:
		m.readTypes(r)
	case sectionImport:
		m.readImports(r)
	case sectionFunction:
		for range r.count() {
			m.functions = append(m.functions, r.index("type", len(m.types)))
		}
	case sectionTable:
		for range r.count() {
			r.tableType()
			m.tables++
		}
	case sectionMemory:
		for range r.count() {
			m.addMemory(r)
		}
	case sectionGlobal:
		m.readGlobals(r)
	case sectionStart:
		m.start = int(r.u32())
	case sectionElement:
		m.elements = r.segments("element")
		return r.err
	case sectionDataCount:
		m.data = int(r.u32())
	case sectionData:
		m.readData(r)
	default: // read when it is rewritten
		return nil
	}
	return r.done("the " + sectionNames[s.id] + " section")
}

func (m *module) readTypes(r *reader) {
	for range r.count() {
		at := r.pos
		switch form := r.byte(); {
		case r.err != nil:
			return
		case form == 0x5f || form == 0x5e || form == 0x50 || form == 0x4f || form == 0x4e:
			r.unsupported(at, "a type that isn't of a function", "garbage collection")
		case form != typeFunc:
			r.malformed(at, "a type of the unknown form %#x", form)
		}
		params := r.types()
		results := r.types()
		m.types = append(m.types, funcType{len(params), bytes.Count(params, []byte{typeV128}), results})
		passed := uint64(len(params) + len(results))
		m.work += workTyped * passed
		m.space.kept += spaceItem + spacePassed*passed
		_ = m.limit(r, at)
	}
}

func (m *module) readImports(r *reader) {
	for range r.count() {
		at := r.pos
		m.space.kept += spaceItem
		name := r.bytes()
		_ = r.bytes()
		if bytes.HasPrefix(name, []byte(ReservedPrefix)) {
			r.fail(Reserved, at, "it imports from the module %q", name)
		}
		at = r.pos
		switch kind := r.byte(); kind {
		case externFunc:
			m.functions = append(m.functions, r.index("type", len(m.types)))
			m.importedFuncs++
		case externTable:
			r.tableType()
			m.tables++
		case externMemory:
			m.addMemory(r)
		case externGlobal:
			m.globals = append(m.globals, r.globalType())
		case externTag:
			r.unsupported(at, "the import of a tag", "exceptions")
		default:
			r.malformed(at, "an import of the unknown kind %d", kind)
		}
	}
}

func (m *module) addMemory(r *reader) {
	at := r.pos
	r.limits()
	if m.memories++; m.memories > 1 {
		r.unsupported(at, "a second memory", "multiple memories")
	}
}

func (m *module) readGlobals(r *reader) {
	for range r.count() {
		g := r.globalType()
		m.space.kept += spaceItem
		r.constant(m, func(int, int, uint32) {})
		m.globals = append(m.globals, g)
	}
}

func (m *module) readData(r *reader) {
	m.data = r.segments("data")
	for range m.data {
		at := r.pos
		flags := r.u32()
		switch flags {
		case 0, 1:
		case 2:
			r.index("memory", m.memories)
		default:
			r.malformed(at, "a data segment with the unknown flags %#x", flags)
		}
		m.active = append(m.active, flags != 1)
		if flags != 1 {
			r.constant(m, func(int, int, uint32) {})
		}
		_ = r.bytes()
		if r.err != nil {
			return
		}
	}
}

// segments takes how many segments of a kind there are.
func (r *reader) segments(kind string) int {
	at := r.pos
	n := r.count()
	if n > maxSegments {
		r.tooLarge(at, "%d %s segments, the most is %d", n, kind, maxSegments)
		return 0
	}
	return n
}
