package host

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const moduleMagic = "\x00asm"

// otherFormat says what a file is that no module could be made of, and what to
// do. It is empty when the file looks like a module.
func otherFormat(file []byte) string {
	if rest, ok := bytes.CutPrefix(file, []byte(moduleMagic)); ok {
		return moduleProblem(rest)
	}
	for _, format := range formats {
		if bytes.HasPrefix(file, []byte(format.magic)) {
			return format.detail
		}
	}
	switch {
	case len(file) == 0:
		return "the file is empty"
	case strings.HasPrefix(moduleMagic, string(file)):
		return "the file is cut short: it has only the first bytes of a module"
	case isText(file):
		return textFormat(string(file))
	default:
		return "the file isn't WebAssembly: it doesn't begin with \\0asm"
	}
}

// moduleProblem looks at what follows the magic number.
func moduleProblem(rest []byte) string {
	if len(rest) < 4 {
		return "the file is cut short: it has no more than the first bytes of a module"
	}
	switch version := binary.LittleEndian.Uint32(rest); {
	case version>>16 == 1:
		return "it is a component, not a core module: build it for WASI preview 1 (wasm32-wasip1), or take the core" +
			" module out of it with wasm-tools component unbundle"
	case version != 1:
		return fmt.Sprintf("it has version %d of the binary format; there is 1", version)
	}
	return cutShort(rest[4:])
}

// cutShort finds a section that is longer than the rest of the file.
func cutShort(rest []byte) string {
	length := len(moduleMagic) + 4
	for len(rest) > 0 {
		size, n := binary.Uvarint(rest[1:])
		if n < 0 || n > 5 {
			return "" // not only cut short: the engine knows
		}
		left := rest[min(1+n, len(rest)):]
		if n == 0 || size > uint64(len(left)) {
			return fmt.Sprintf("the file is cut short: the section at byte %d is longer than the rest of the file", length)
		}
		length += 1 + n + int(size)
		rest = left[size:]
	}
	return ""
}

// formats are what is taken for a module by mistake, by the first bytes.
var formats = []struct{ magic, detail string }{
	{"\x1f\x8b", "it is compressed with gzip: decompress it first"},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd: decompress it first"},
	{"BZh", "it is compressed with bzip2: decompress it first"},
	{"\xfd7zXZ\x00", "it is compressed with xz: decompress it first"},
	{"PK\x03\x04", "it is a zip archive: take the module out of it"},
	{"\x7fELF", "it is an ELF file, machine code for this or another computer: " + buildForWASI},
	{"MZ", "it is a program for Windows: " + buildForWASI},
	{"\xcf\xfa\xed\xfe", "it is a Mach-O file, machine code for a Mac: " + buildForWASI},
	{"\xca\xfe\xba\xbe", "it is a Mach-O file, machine code for a Mac, or a Java class: " + buildForWASI},
	{"!<arch>\n", "it is an archive of object files: link it to a module"},
	{"BC\xc0\xde", "it is LLVM bitcode: link it to a module"},
	{"version https://git-lfs", "it is a pointer of Git LFS: fetch the file with git lfs pull"},
}

const buildForWASI = "build it for WebAssembly, with the target wasm32-wasi or wasip1"

// isText takes the beginning of a file for text.
func isText(file []byte) bool {
	const enough = 512
	if len(file) > enough {
		file = file[:enough]
		for len(file) > enough-utf8.UTFMax && !utf8.Valid(file) { // a character is cut
			file = file[:len(file)-1]
		}
	}
	return utf8.Valid(file) && !bytes.ContainsFunc(file, func(r rune) bool {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	})
}

// textFormat guesses the language.
func textFormat(text string) string {
	const enough = 512 // what is quoted further down says nothing of the file
	text = text[:min(len(text), enough)]
	start := strings.ToLower(strings.TrimLeftFunc(text, unicode.IsSpace))
	has := func(words ...string) bool {
		for _, word := range words {
			if strings.HasPrefix(start, word) || strings.Contains(text, "\n"+word) {
				return true
			}
		}
		return false
	}
	switch {
	case has("(module", "(component"):
		return "it is WebAssembly in the text format: compile it with wat2wasm"
	case has("<!doctype", "<html"):
		return "it is an HTML page, such as a server sends in the place of a file that isn't there"
	case has("package "):
		return "it is Go source: build it, or name its folder in a script"
	case has("#include", "int main("):
		return "it is C source: compile it, or name its folder in a script"
	case has("fn main(", "use std::", "#![no_"):
		return "it is Rust source: compile it, or name its folder in a script"
	case strings.HasPrefix(start, "#!"):
		return "it is a script, not WebAssembly"
	case has("def ", "from ", "class "):
		return "it is Python source, or something like it: a module is needed"
	case has("import ", "export ", "function ", "const ", "let ", "'use strict'", `"use strict"`, "module.exports"):
		return "it is JavaScript, perhaps what loads a module: name the .wasm file, not the .js file beside it"
	default:
		return "it is text, not WebAssembly"
	}
}
