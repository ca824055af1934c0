package js

import (
	"errors"
	"fmt"
)

// A linker puts the glue into a module. What the module imports from env becomes a
// function of the glue, and the glue's imports come after the other ones, so that
// nearly all functions get another index.
type linker struct {
	glue     *glue
	texts    *texts
	imports  []importedFunction
	exports  map[string]uint32
	types    uint32 // of the module without the glue
	globals  uint32
	defined  uint32 // functions of the module
	segments uint32
}

func link(wasm, program []byte) ([]byte, error) {
	sections, err := splitSections(wasm)
	if err != nil {
		return nil, err
	}
	l := &linker{}
	if l.texts, err = readTexts(program); err != nil {
		return nil, err
	}
	if l.glue, err = parseGlue(glueOfGuest + glueOfHost + l.texts.boot); err != nil {
		return nil, err
	}
	if err := l.survey(sections); err != nil {
		return nil, err
	}
	for i := range sections {
		if sections[i].body, err = l.rewrite(sections[i]); err != nil {
			return nil, fmt.Errorf("section %d: %w", sections[i].id, err)
		}
	}
	return joinSections(sections), nil
}

// survey learns what has to be known before anything is rewritten.
func (l *linker) survey(sections []section) (err error) {
	for _, s := range sections {
		count, _ := entries(s.body)
		switch s.id {
		case sectionType:
			l.types = count
		case sectionImport:
			l.imports, err = readImports(s.body)
		case sectionFunction:
			l.defined = count
		case sectionGlobal:
			l.globals = count
		case sectionExport:
			l.exports, err = readExportedFunctions(s.body)
		case sectionDataCount:
			l.segments = count
		}
		if err != nil {
			return err
		}
	}
	if len(l.imports) == 0 || l.imports[0].module != "env" {
		return errors.New("its first import isn't one from env")
	}
	return nil
}

// index is where a function of the module is once the glue is in.
func (l *linker) index(old uint32) uint32 {
	switch imports := uint32(len(l.imports)); {
	case old == 0:
		return l.glueIndex(l.imports[0].name)
	case old < imports:
		return old - 1
	default:
		return old - 1 + uint32(len(l.glue.imports))
	}
}

// glueIndex is where a function that the glue defines is: after all others.
func (l *linker) glueIndex(name string) uint32 {
	first := l.index(uint32(len(l.imports)) + l.defined)
	for i, f := range l.glue.funcs {
		if f.name == name {
			return first + uint32(i)
		}
	}
	return 1<<32 - 1 // no engine takes a module that calls it
}

// scope has all that the glue may name.
func (l *linker) scope() scope {
	s := scope{
		functions: map[string]uint32{},
		globals:   map[string]uint32{"stack_pointer": 0},
		constants: constants(l.texts, l.segments),
	}
	for name, index := range l.exports {
		s.functions[name] = l.index(index)
	}
	for i, f := range l.imports {
		s.functions[f.name] = l.index(uint32(i))
	}
	for i, f := range l.glue.imports {
		s.functions[f.name] = uint32(len(l.imports) - 1 + i)
	}
	for _, f := range l.glue.funcs {
		s.functions[f.name] = l.glueIndex(f.name)
	}
	for i, g := range l.glue.globals {
		s.globals[g.name] = l.globals + uint32(i)
	}
	return s
}

func (l *linker) rewrite(s section) ([]byte, error) {
	switch s.id {
	case sectionType:
		return l.addTypes(s.body), nil
	case sectionImport:
		return l.addImports(), nil
	case sectionFunction:
		return l.addFunctions(s.body), nil
	case sectionGlobal:
		return l.addGlobals(s.body), nil
	case sectionExport:
		return l.addExports(), nil
	case sectionElement:
		return renumberElements(s.body, l.index)
	case sectionDataCount:
		return appendU32(nil, l.segments+1), nil
	case sectionCode:
		return l.addCode(s.body)
	case sectionData:
		const passive = 1
		return appendEntries(s.body, appendSized([]byte{passive}, l.texts.data)), nil
	case sectionStart:
		return nil, errors.New("a start function isn't known")
	default:
		return s.body, nil
	}
}

func (l *linker) addTypes(body []byte) []byte {
	var more [][]byte
	for _, f := range append(append([]glueFunction{}, l.glue.imports...), l.glue.funcs...) {
		more = append(more, f.typeEntry())
	}
	return appendEntries(body, more...)
}

func (l *linker) addImports() []byte {
	var all [][]byte
	for _, f := range l.imports[1:] {
		all = append(all, f.entry())
	}
	for i, f := range l.glue.imports {
		all = append(all, importedFunction{f.module, f.name, l.types + uint32(i)}.entry())
	}
	return vector(all...)
}

func (l *linker) addFunctions(body []byte) []byte {
	var more [][]byte
	for i := range l.glue.funcs {
		more = append(more, appendU32(nil, l.types+uint32(len(l.glue.imports)+i)))
	}
	return appendEntries(body, more...)
}

func (l *linker) addGlobals(body []byte) []byte {
	zero := map[byte]byte{valueTypes["i32"]: opI32Const, valueTypes["i64"]: opI64Const}
	const mutable = 1
	var more [][]byte
	for _, g := range l.glue.globals {
		more = append(more, []byte{g.kind, mutable, zero[g.kind], 0, plainOps["end"]})
	}
	return appendEntries(body, more...)
}

// addExports exports the memory and the functions of the ABI, and nothing else.
func (l *linker) addExports() []byte {
	const function, memory = 0, 2
	all := [][]byte{append(appendName(nil, "memory"), memory, 0)}
	for _, f := range l.glue.funcs {
		if f.exported() {
			all = append(all, appendU32(append(appendName(nil, f.name), function), l.glueIndex(f.name)))
		}
	}
	return vector(all...)
}

func (l *linker) addCode(body []byte) ([]byte, error) {
	renumbered, err := renumberCode(body, l.index)
	if err != nil {
		return nil, err
	}
	s := l.scope()
	var more [][]byte
	for _, f := range l.glue.funcs {
		code, err := f.assemble(s)
		if err != nil {
			return nil, err
		}
		more = append(more, code)
	}
	return appendEntries(renumbered, more...), nil
}
