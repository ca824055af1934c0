package wazero

import (
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// Parts of the name section that wazero reads. It goes by what they hold, not by their
// lengths, and makes room for as many names as they say before it reads one.
const (
	namesModule    = 0
	namesFunctions = 1
	namesLocals    = 2
)

// isNames tells whether a section is a name section, and whether wazero can read it. One
// that it can't would end the process, or make the module invalid, which the specification
// doesn't.
func isNames(s outline.Section) (is, readable bool) {
	if s.ID != outline.SectionCustom {
		return false, false
	}
	r := outline.NewReader(s.Content)
	if string(r.Bytes()) != "name" {
		return false, false
	}
	for r.Err() == nil && len(r.Rest()) > 0 {
		id := r.Byte()
		checkNumber(r)
		part := outline.NewReader(r.Bytes())
		switch id {
		case namesModule:
			readName(part)
		case namesFunctions:
			readNames(part)
		case namesLocals:
			readItems(part, func(r *outline.Reader) {
				checkNumber(r)
				_ = r.U32()
				readNames(r)
			})
		default:
			continue
		}
		if part.Err() != nil || len(part.Rest()) > 0 {
			return true, false
		}
	}
	return true, r.Err() == nil
}

// readNames reads names, each of an index.
func readNames(r *outline.Reader) {
	readItems(r, func(r *outline.Reader) {
		checkNumber(r)
		_ = r.U32()
		readName(r)
	})
}

// readItems reads a count, which fails if there aren't so many bytes, and the items.
func readItems(r *outline.Reader, item func(*outline.Reader)) {
	checkNumber(r)
	counted := *r
	if count := counted.U32(); uint64(count) > uint64(len(counted.Rest())) {
		r.Fail()
		return
	}
	r.Each(item)
}

func readName(r *outline.Reader) {
	checkNumber(r)
	if !utf8.Valid(r.Bytes()) {
		r.Fail()
	}
}

// checkNumber fails if a number is longer than any of 32 bits has to be.
func checkNumber(r *outline.Reader) {
	const longest = 5
	number := *r
	if _ = number.U32(); len(r.Rest())-len(number.Rest()) > longest {
		r.Fail()
	}
}
