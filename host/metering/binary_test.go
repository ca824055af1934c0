package metering_test

import (
	"encoding/binary"
	"slices"
)

// header starts a module.
var header = []byte("\x00asm\x01\x00\x00\x00")

func uleb(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func slicesOf(parts ...[]byte) []byte { return slices.Concat(parts...) }

// sectionOf makes a section.
func sectionOf(id byte, content ...byte) []byte {
	return slicesOf([]byte{id}, uleb(len(content)), content)
}

// customOf makes a custom section.
func customOf(name string, content ...byte) []byte {
	return sectionOf(0, slicesOf(uleb(len(name)), []byte(name), content)...)
}

// codeOf makes a module of one function () -> () with the given instructions, a
// memory, a table, a global and a data segment.
func codeOf(instructions ...byte) []byte {
	body := slicesOf([]byte{0}, instructions, []byte{0x0b})
	return slicesOf(header, sectionOf(1, 1, 0x60, 0, 0), sectionOf(3, 1, 0), sectionOf(4, 1, 0x70, 0, 1),
		sectionOf(5, 1, 0, 1), sectionOf(6, 1, 0x7f, 1, 0x41, 0, 0x0b), sectionOf(7, 1, 1, 'f', 0, 0),
		sectionOf(10, slicesOf([]byte{1}, uleb(len(body)), body)...))
}
