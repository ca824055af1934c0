package js

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The sections of the binary format that the rewriting looks at.
const (
	sectionCustom    = 0
	sectionType      = 1
	sectionImport    = 2
	sectionFunction  = 3
	sectionGlobal    = 6
	sectionExport    = 7
	sectionStart     = 8
	sectionElement   = 9
	sectionCode      = 10
	sectionData      = 11
	sectionDataCount = 12
)

const moduleHeader = "\x00asm\x01\x00\x00\x00"

// A section is one of a module's: its bytes without identifier and length.
type section struct {
	id   byte
	body []byte
}

// splitSections gives the sections of a module in their order, without custom
// ones: those describe code for debuggers, at offsets that won't hold.
func splitSections(wasm []byte) ([]section, error) {
	if len(wasm) < len(moduleHeader) || string(wasm[:len(moduleHeader)]) != moduleHeader {
		return nil, errors.New("it isn't a WebAssembly module")
	}
	var sections []section
	for c := (cursor{rest: wasm[len(moduleHeader):]}); len(c.rest) > 0; {
		id := c.byte()
		body := c.take(c.u32())
		if c.bad {
			return nil, errors.New("it is cut off")
		}
		if id != sectionCustom {
			sections = append(sections, section{id, body})
		}
	}
	return sections, nil
}

func joinSections(sections []section) []byte {
	wasm := []byte(moduleHeader)
	for _, s := range sections {
		wasm = appendSized(append(wasm, s.id), s.body)
	}
	return wasm
}

// entries takes the count of a section's entries off its start.
func entries(s []byte) (count uint32, rest []byte) {
	c := cursor{rest: s}
	count = c.u32()
	return count, c.rest
}

// appendEntries gives a section with more entries at its end.
func appendEntries(body []byte, more ...[]byte) []byte {
	count, rest := entries(body)
	out := append(appendU32(nil, count+uint32(len(more))), rest...)
	for _, entry := range more {
		out = append(out, entry...)
	}
	return out
}

// vector is a section of the given entries.
func vector(all ...[]byte) []byte { return appendEntries([]byte{0}, all...) }

func appendU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }

// appendS64 appends a signed number in LEB128.
func appendS64(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

func appendSized(b, body []byte) []byte { return append(appendU32(b, uint32(len(body))), body...) }

func appendName(b []byte, name string) []byte { return appendSized(b, []byte(name)) }

// A cursor takes values off the start of a piece of a module. After a value that
// isn't there all others are zero, and bad is set.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) take(n uint32) []byte {
	if c.bad || uint64(n) > uint64(len(c.rest)) {
		c.bad, c.rest = true, nil
		return nil
	}
	taken := c.rest[:n:n]
	c.rest = c.rest[n:]
	return taken
}

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u32() uint32 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 || v > 1<<32-1 {
		c.bad, c.rest = true, nil
		return 0
	}
	c.rest = c.rest[n:]
	return uint32(v)
}

// skipLEB skips a number, signed or not.
func (c *cursor) skipLEB() {
	for c.byte()&0x80 != 0 {
	}
}

func (c *cursor) name() string { return string(c.take(c.u32())) }

// readExportedFunctions gives the indices of exported functions by name.
func readExportedFunctions(body []byte) (map[string]uint32, error) {
	functions := map[string]uint32{}
	c := cursor{rest: body}
	for range c.u32() {
		name, kind, index := c.name(), c.byte(), c.u32()
		if c.bad {
			return nil, errors.New("its exports are malformed")
		}
		if kind == 0 {
			functions[name] = index
		}
	}
	return functions, nil
}

// An importedFunction is an entry of the import section.
type importedFunction struct {
	module, name string
	typeIndex    uint32
}

func readImports(body []byte) ([]importedFunction, error) {
	var imports []importedFunction
	c := cursor{rest: body}
	for range c.u32() {
		f := importedFunction{module: c.name(), name: c.name()}
		kind := c.byte()
		f.typeIndex = c.u32()
		if c.bad {
			return nil, errors.New("its imports are malformed")
		}
		if kind != 0 {
			return nil, fmt.Errorf("it imports %s.%s, which isn't a function", f.module, f.name)
		}
		imports = append(imports, f)
	}
	return imports, nil
}

func (f importedFunction) entry() []byte {
	return appendU32(append(appendName(appendName(nil, f.module), f.name), 0), f.typeIndex)
}
