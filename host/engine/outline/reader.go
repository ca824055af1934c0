package outline

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// ErrBinary says that a module isn't in the binary format, or in a form of it that
// isn't known here.
var ErrBinary = errors.New("the binary format of the module is invalid")

// A Section is a part of a module, with its content.
type Section struct {
	ID      byte
	Start   int // in the module, in bytes
	End     int // where the next one starts
	Content []byte
}

// The sections that have items, and others that are known.
const (
	SectionCustom    = 0
	SectionType      = 1
	SectionImport    = 2
	SectionFunction  = 3
	SectionTable     = 4
	SectionMemory    = 5
	SectionExport    = 7
	SectionStart     = 8
	SectionElement   = 9
	SectionCode      = 10
	SectionData      = 11
	SectionDataCount = 12
)

const header = "\x00asm\x01\x00\x00\x00"

// CheckHeader makes sure that there is a header to be skipped. What an input is
// that has none, and whether it is cut short, is said where it was loaded.
func CheckHeader(wasm []byte) error {
	if start := wasm[:min(len(wasm), len(header))]; string(start) != header {
		return fmt.Errorf("its header is % x, not that of a core module", start)
	}
	return nil
}

// Sections lists the sections of a module. Their contents are parts of wasm.
func Sections(wasm []byte) ([]Section, error) {
	if CheckHeader(wasm) != nil {
		return nil, ErrBinary
	}
	var sections []Section
	for r := NewReader(wasm[len(header):]); len(r.rest) > 0; {
		s := Section{Start: len(wasm) - len(r.rest), ID: r.Byte(), Content: r.Bytes()}
		s.End = len(wasm) - len(r.rest)
		if r.failed {
			return nil, ErrBinary
		}
		sections = append(sections, s)
	}
	return sections, nil
}

// A Reader takes values off the start of a piece of a module. Once something isn't
// there it has failed, and gives zeroes.
type Reader struct {
	rest   []byte
	failed bool
}

// NewReader reads a piece of a module.
func NewReader(piece []byte) *Reader { return &Reader{rest: piece} }

// Rest is what hasn't been read.
func (r *Reader) Rest() []byte { return r.rest }

// Err is ErrBinary if the reader has failed.
func (r *Reader) Err() error {
	if r.failed {
		return ErrBinary
	}
	return nil
}

// Fail makes the reader one that has failed.
func (r *Reader) Fail() { r.rest, r.failed = nil, true }

// Each reads a count and so many items, until it fails.
func (r *Reader) Each(item func(*Reader)) {
	for range r.U32() {
		if r.failed {
			return
		}
		item(r)
	}
}

// Byte takes a byte.
func (r *Reader) Byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// U64 takes a number.
func (r *Reader) U64() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// U32 takes a number.
func (r *Reader) U32() uint32 {
	v := r.U64()
	if v > 1<<32-1 {
		r.Fail()
		return 0
	}
	return uint32(v)
}

// Bytes takes a length and that many bytes.
func (r *Reader) Bytes() []byte { return r.take(uint64(r.U32())) }

func (r *Reader) take(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.Fail()
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// Type takes the type of a value. Types that have more than a byte aren't known here.
func (r *Reader) Type() engine.ValueType {
	t := engine.ValueType(r.Byte())
	if t.String() == "unknown" {
		r.Fail()
	}
	return t
}

// Reference takes the type of a reference.
func (r *Reader) Reference() engine.ValueType {
	t := r.Type()
	if t != engine.FuncRef && t != engine.ExternRef {
		r.Fail()
	}
	return t
}

// types takes a count and that many types.
func (r *Reader) types() (types []engine.ValueType) {
	r.Each(func(r *Reader) { types = append(types, r.Type()) })
	return types
}

// Limits are how much there is of a memory or a table.
type Limits struct {
	Least, Most uint64 // Most is only set if it HasMost
	HasMost     bool
}

// Limits takes the limits of a memory or a table.
func (r *Reader) Limits() Limits {
	flags := r.Byte()
	l := Limits{Least: r.U64(), HasMost: flags == 1}
	if l.HasMost {
		l.Most = r.U64()
	}
	if flags > 1 {
		r.Fail()
	}
	return l
}
