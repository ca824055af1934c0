package wazero

import (
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

// checkHeader makes sure that there is a header to be skipped. What an input is
// that has none, and whether it is cut short, is said where it was loaded.
func checkHeader(wasm []byte) error {
	const header = "\x00asm\x01\x00\x00\x00"
	if start := wasm[:min(len(wasm), len(header))]; string(start) != header {
		return fmt.Errorf("its header is % x, not that of a core module", start)
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
