package wazero

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

const (
	sectionImport = 2
	sectionExport = 7
)

// checkHeader says what input is that isn't a core module.
func checkHeader(wasm []byte) error {
	const magic, core, component = "\x00asm", "\x01\x00\x00\x00", "\x0d\x00\x01\x00"
	start := wasm[:min(len(wasm), 8)]
	switch {
	case len(wasm) == 0:
		return errors.New("the input is empty")
	case bytes.HasPrefix([]byte(magic+core), start) && len(start) < 8:
		return fmt.Errorf("the input ends inside the header of a WebAssembly module, after %d bytes", len(wasm))
	case bytes.HasPrefix(bytes.TrimSpace(start), []byte("(modul")):
		return errors.New("the input is WebAssembly text; it has to be assembled to the binary format first")
	case isNative(wasm):
		return errors.New("the input is a native program or library; it has to be compiled to WebAssembly," +
			" for Go with GOOS=wasip1 GOARCH=wasm")
	case !bytes.HasPrefix(wasm, []byte(magic)):
		return fmt.Errorf("the input is not WebAssembly: it starts with % x", start)
	case string(start[4:]) == component:
		return errors.New("the input is a WebAssembly component; core modules are wanted")
	case string(start[4:]) != core:
		return fmt.Errorf("the version of the binary format is % x, want % x", start[4:], core)
	}
	return checkSections(wasm)
}

// isNative reports whether the input is an ELF, Mach-O or PE file.
func isNative(input []byte) bool {
	for _, magic := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"} {
		if bytes.HasPrefix(input, []byte(magic)) {
			return true
		}
	}
	return false
}

// checkSections finds a module that was cut off.
func checkSections(wasm []byte) error {
	for r := (reader{wasm[8:]}); len(r.rest) > 0; {
		offset := len(wasm) - len(r.rest)
		id, _ := r.byte()
		size, err := r.u32()
		if err != nil {
			return fmt.Errorf("the module is cut off: no size for section %d at offset %d", id, offset)
		}
		if uint64(size) > uint64(len(r.rest)) {
			return fmt.Errorf("the module is cut off: section %d at offset %d has %d of its %d bytes",
				id, offset, len(r.rest), size)
		}
		r.rest = r.rest[size:]
	}
	return nil
}

type externs struct {
	imports []engine.Import
	exports []engine.Export
}

// readExterns lists what a valid module imports and exports, without the types
// of functions. wazero lists functions and memories only, each in a list of
// their own, so the order of the import section is lost.
func readExterns(wasm []byte) (out externs, err error) {
	for r := (reader{wasm[8:]}); len(r.rest) > 0 && err == nil; {
		id, _ := r.byte()
		var section reader
		if section.rest, err = r.bytes(); err != nil {
			break
		}
		switch id {
		case sectionImport:
			out.imports, err = section.imports()
		case sectionExport:
			out.exports, err = section.exports()
		}
	}
	slices.SortFunc(out.exports, func(a, b engine.Export) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

var errBinary = errors.New("the binary format of the module is invalid")

// A reader takes values off the start of a piece of a module.
type reader struct{ rest []byte }

func (r *reader) byte() (byte, error) {
	if len(r.rest) == 0 {
		return 0, errBinary
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b, nil
}

func (r *reader) u64() (uint64, error) {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		return 0, errBinary
	}
	r.rest = r.rest[n:]
	return v, nil
}

func (r *reader) u32() (uint32, error) {
	v, err := r.u64()
	if err != nil || v > 1<<32-1 {
		return 0, errBinary
	}
	return uint32(v), nil
}

// bytes takes a length and that many bytes.
func (r *reader) bytes() ([]byte, error) {
	n, err := r.u32()
	if err != nil || uint64(n) > uint64(len(r.rest)) {
		return nil, errBinary
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b, nil
}

func (r *reader) imports() ([]engine.Import, error) {
	count, err := r.u32()
	if err != nil {
		return nil, err
	}
	var imports []engine.Import
	for range count {
		module, err1 := r.bytes()
		name, err2 := r.bytes()
		kind, err3 := r.byte()
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		if err := r.skipType(engine.ExternKind(kind)); err != nil {
			return nil, err
		}
		imports = append(imports, engine.Import{
			Module: string(module), Name: string(name), Kind: engine.ExternKind(kind),
		})
	}
	return imports, nil
}

func (r *reader) exports() ([]engine.Export, error) {
	count, err := r.u32()
	if err != nil {
		return nil, err
	}
	var exports []engine.Export
	for range count {
		name, err1 := r.bytes()
		kind, err2 := r.byte()
		_, err3 := r.u32()
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		exports = append(exports, engine.Export{Name: string(name), Kind: engine.ExternKind(kind)})
	}
	return exports, nil
}

// skipType skips the type of an import.
func (r *reader) skipType(kind engine.ExternKind) error {
	switch kind {
	case engine.ExternFunc:
		_, err := r.u32()
		return err
	case engine.ExternTable:
		_, err := r.byte()
		return errors.Join(err, r.skipLimits())
	case engine.ExternMemory:
		return r.skipLimits()
	case engine.ExternGlobal:
		_, err1 := r.byte()
		_, err2 := r.byte()
		return errors.Join(err1, err2)
	default:
		return errBinary
	}
}

func (r *reader) skipLimits() error {
	flags, err := r.byte()
	if err != nil {
		return err
	}
	if _, err := r.u64(); err != nil {
		return err
	}
	if flags&1 != 0 {
		_, err = r.u64()
	}
	return err
}
