//go:build cgo

package wasmtime

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

const header = "\x00asm\x01\x00\x00\x00"

// checkHeader makes sure that there is a header to be skipped. What an input is
// that has none, and whether it is cut short, is said where it was loaded.
func checkHeader(wasm []byte) error {
	if start := wasm[:min(len(wasm), len(header))]; string(start) != header {
		return fmt.Errorf("its header is % x, not that of a core module", start)
	}
	return nil
}

// Identifiers of sections and of what they hold.
const (
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionTable    = 4
	sectionMemory   = 5
	sectionExport   = 7

	formFunction = 0x60
	limitsMax    = 1
)

var errBinary = errors.New("the binary format of the module is invalid")

// readShape reads a module that has a header, and may be invalid otherwise.
func readShape(wasm []byte) (*shape, error) {
	s := new(shape)
	for r := (&reader{rest: wasm[len(header):]}); len(r.rest) > 0; {
		id := r.byte()
		section := &reader{rest: r.bytes()}
		section.failed = r.failed
		switch id {
		case sectionType:
			section.each(s.readType)
		case sectionImport:
			section.each(s.readImport)
		case sectionFunction:
			section.each(s.readFunction)
		case sectionTable:
			section.each(s.readTable)
		case sectionMemory:
			section.each(s.readMemory)
		case sectionExport:
			section.each(s.readExport)
		}
		if section.failed {
			return nil, errBinary
		}
	}
	slices.SortFunc(s.exports, func(a, b engine.Export) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}

func (s *shape) readType(r *reader) {
	if r.byte() != formFunction {
		r.failed = true
	}
	s.types = append(s.types, engine.FuncType{Params: r.types(), Results: r.types()})
}

func (s *shape) readImport(r *reader) {
	i := engine.Import{Module: string(r.bytes()), Name: string(r.bytes()), Kind: engine.ExternKind(r.byte())}
	switch i.Kind {
	case engine.ExternFunc:
		s.readFunction(r)
		i.Type = r.known(s.typeOf(uint32(len(s.functions) - 1)))
	case engine.ExternTable:
		s.readTable(r)
	case engine.ExternMemory:
		s.readMemory(r)
	case engine.ExternGlobal:
		_, _ = r.byte(), r.byte()
	default:
		r.failed = true
	}
	s.imports = append(s.imports, i)
}

func (s *shape) readFunction(r *reader) { s.functions = append(s.functions, r.u32()) }

func (s *shape) readTable(r *reader) {
	_ = r.byte() // the type of its entries
	s.tables++
	s.entries = max(s.entries, r.limits())
}

func (s *shape) readMemory(r *reader) { s.pages = max(s.pages, r.limits()) }

func (s *shape) readExport(r *reader) {
	e := engine.Export{Name: string(r.bytes()), Kind: engine.ExternKind(r.byte())}
	index := r.u32()
	switch e.Kind {
	case engine.ExternFunc:
		e.Type = r.known(s.typeOf(index))
	case engine.ExternMemory:
		s.memory = s.memory || e.Name == "memory"
	}
	s.exports = append(s.exports, e)
}

// A reader takes values off the start of a piece of a module. Once something
// isn't there it gives zeroes.
type reader struct {
	rest   []byte
	failed bool
}

// each reads the items of a section.
func (r *reader) each(item func(*reader)) {
	for range r.u32() {
		if r.failed {
			return
		}
		item(r)
	}
}

func (r *reader) take(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.failed, r.rest = true, nil
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) u64() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.failed, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) u32() uint32 {
	v := r.u64()
	if v > 1<<32-1 {
		r.failed = true
		return 0
	}
	return uint32(v)
}

// bytes takes a length and that many bytes.
func (r *reader) bytes() []byte { return r.take(uint64(r.u32())) }

func (r *reader) types() []engine.ValueType {
	var types []engine.ValueType
	for _, b := range r.bytes() {
		t := engine.ValueType(b)
		if t.String() == "unknown" {
			r.failed = true
		}
		types = append(types, t)
	}
	return types
}

// limits are how much there is at the start.
func (r *reader) limits() uint64 {
	flags := r.byte()
	least := r.u64()
	switch flags {
	case 0:
	case limitsMax:
		_ = r.u64()
	default:
		r.failed = true
	}
	return least
}

// known fails if a function has no type.
func (r *reader) known(t engine.FuncType, ok bool) engine.FuncType {
	r.failed = r.failed || !ok
	return t
}
