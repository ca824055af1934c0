// Package outline reads what the adapters of engines have to know of a core module
// and the engines themselves don't tell, or not before they have made room for it:
// what the module imports and exports, and how large its memories and tables are from
// the start. It reads what nobody has validated.
package outline

import (
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// An Outline is what a module says of itself before its code.
type Outline struct {
	Imports []engine.Import
	Exports []engine.Export // sorted by name
	Memory  bool            // one is exported under the name "memory"

	Pages   uint64 // of the largest memory, at the start
	Tables  int
	Entries uint64 // of the largest table, at the start

	types     []engine.FuncType
	functions []uint32 // the type of each, the imported ones first
}

// Read reads a module, which may be invalid. It fails with ErrBinary.
func Read(wasm []byte) (*Outline, error) {
	sections, err := Sections(wasm)
	if err != nil {
		return nil, err
	}
	o := new(Outline)
	for _, s := range sections {
		if err := o.read(s); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(o.Exports, func(a, b engine.Export) int { return strings.Compare(a.Name, b.Name) })
	return o, nil
}

func (o *Outline) read(s Section) error {
	r := NewReader(s.Content)
	switch s.ID {
	case SectionType:
		r.Each(o.readType)
	case SectionImport:
		r.Each(o.readImport)
	case SectionFunction:
		r.Each(o.readFunction)
	case SectionTable:
		r.Each(o.readTable)
	case SectionMemory:
		r.Each(o.readMemory)
	case SectionExport:
		r.Each(o.readExport)
	}
	return r.Err()
}

func (o *Outline) readType(r *Reader) {
	const function = 0x60
	if r.Byte() != function {
		r.Fail()
	}
	o.types = append(o.types, engine.FuncType{Params: r.types(), Results: r.types()})
}

func (o *Outline) readImport(r *Reader) {
	i := engine.Import{Module: string(r.Bytes()), Name: string(r.Bytes()), Kind: engine.ExternKind(r.Byte())}
	switch i.Kind {
	case engine.ExternFunc:
		o.readFunction(r)
		i.Type = o.known(r, uint32(len(o.functions)-1))
	case engine.ExternTable:
		o.readTable(r)
	case engine.ExternMemory:
		o.readMemory(r)
	case engine.ExternGlobal:
		_, _ = r.Type(), r.Byte()
	default:
		r.Fail()
	}
	o.Imports = append(o.Imports, i)
}

func (o *Outline) readFunction(r *Reader) { o.functions = append(o.functions, r.U32()) }

func (o *Outline) readTable(r *Reader) {
	_ = r.Reference()
	o.Tables++
	o.Entries = max(o.Entries, r.Limits().Least)
}

func (o *Outline) readMemory(r *Reader) { o.Pages = max(o.Pages, r.Limits().Least) }

func (o *Outline) readExport(r *Reader) {
	e := engine.Export{Name: string(r.Bytes()), Kind: engine.ExternKind(r.Byte())}
	index := r.U32()
	switch e.Kind {
	case engine.ExternFunc:
		e.Type = o.known(r, index)
	case engine.ExternMemory:
		o.Memory = o.Memory || e.Name == "memory"
	}
	o.Exports = append(o.Exports, e)
}

// known is the type of a function, which has to have one.
func (o *Outline) known(r *Reader, function uint32) engine.FuncType {
	t, ok := o.TypeOf(function)
	if !ok {
		r.Fail()
	}
	return t
}

// TypeOf is the type of a function, or none if there is no such function.
func (o *Outline) TypeOf(function uint32) (engine.FuncType, bool) {
	if uint64(function) >= uint64(len(o.functions)) || uint64(o.functions[function]) >= uint64(len(o.types)) {
		return engine.FuncType{}, false
	}
	return o.types[o.functions[function]], true
}

// Function is the type of an exported function.
func (o *Outline) Function(name string) (engine.FuncType, bool) {
	i, ok := slices.BinarySearchFunc(o.Exports, name, func(e engine.Export, name string) int {
		return strings.Compare(e.Name, name)
	})
	if !ok || o.Exports[i].Kind != engine.ExternFunc {
		return engine.FuncType{}, false
	}
	return o.Exports[i].Type, true
}
