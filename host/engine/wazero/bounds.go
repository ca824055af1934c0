package wazero

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// A module of a few bytes may ask for tables and locals of many gigabytes, which
// the engine would allocate at once. These are what a guest may have.
const (
	maxTables       = 64
	maxTableEntries = 1 << 20 // of one table, at the start and after it has grown
	maxLocals       = 50_000  // of one function, as browsers have it
	maxAllLocals    = 10_000_000
)

const hasMost = 1 // the flag of limits with a maximum

// bound refuses a module whose memory, tables or locals are too large, or whose sections
// claim to have more than they can, and gives it with a maximum for each table, and without
// name sections that wazero can't read. Without need it doesn't copy the module.
func bound(wasm []byte, pages uint32) ([]byte, error) {
	sections, err := outline.Sections(wasm)
	if err != nil {
		return nil, err
	}
	var bounded []byte
	copied := 0 // of wasm
	replace := func(s outline.Section, by ...[]byte) {
		bounded = append(append(bounded, wasm[copied:s.Start]...), slices.Concat(by...)...)
		copied = s.End
	}
	named := false
	for _, s := range sections {
		if err := checkCount(s); err != nil {
			return nil, err
		}
		if is, readable := isNames(s); is {
			if !readable || named { // of several, wazero takes none
				replace(s)
				continue
			}
			named = true
		}
		switch s.ID {
		case outline.SectionElement:
			if err := checkElements(outline.NewReader(s.Content)); err != nil {
				return nil, err
			}
		case outline.SectionMemory:
			if err := checkMemory(outline.NewReader(s.Content), pages); err != nil {
				return nil, err
			}
		case outline.SectionTable:
			tables, err := boundTables(outline.NewReader(s.Content))
			if err != nil {
				return nil, err
			}
			section := binary.AppendUvarint([]byte{outline.SectionTable}, uint64(len(tables)))
			replace(s, section, tables)
		case outline.SectionData:
			if err := checkData(outline.NewReader(s.Content)); err != nil {
				return nil, err
			}
		case outline.SectionCode:
			if err := checkLocals(outline.NewReader(s.Content)); err != nil {
				return nil, err
			}
		}
	}
	if copied == 0 {
		return wasm, nil
	}
	return append(bounded, wasm[copied:]...), nil
}

// checkCount refuses a section that says it has more items than it has bytes, or a longer
// name: the engine makes room for them before it reads them.
func checkCount(s outline.Section) error {
	r := outline.NewReader(s.Content)
	switch {
	case s.ID == outline.SectionCustom:
		_ = r.Bytes() // its name
		return r.Err()
	case s.ID == outline.SectionStart || s.ID >= outline.SectionDataCount:
		return nil // they have no items, or aren't known
	}
	if count := r.U32(); uint64(count) > uint64(len(r.Rest())) && r.Err() == nil {
		return fmt.Errorf("a section of %d items in %d bytes", count, len(r.Rest()))
	}
	return r.Err()
}

// checkMemory refuses a memory that is too large from the start. What else is wrong with
// it the engine says.
func checkMemory(r *outline.Reader, pages uint32) (err error) {
	r.Each(func(r *outline.Reader) {
		if least := r.Limits().Least; least > uint64(pages) && err == nil {
			err = &engine.SizeError{Part: engine.ExternMemory, Wanted: least, Most: uint64(pages)}
		}
	})
	if r.Err() != nil {
		return nil
	}
	return err
}

// boundTables is the content of a table section, with a maximum for each table.
func boundTables(r *outline.Reader) ([]byte, error) {
	count := r.U32()
	if count > maxTables {
		return nil, fmt.Errorf("it has %d tables, the most is %d", count, maxTables)
	}
	out := binary.AppendUvarint(nil, uint64(count))
	for range count {
		element, limits := r.Reference(), r.Limits()
		if limits.Least > maxTableEntries {
			return nil, &engine.SizeError{Part: engine.ExternTable, Wanted: limits.Least, Most: maxTableEntries}
		}
		most := uint64(maxTableEntries)
		if limits.HasMost {
			most = min(most, limits.Most)
		}
		out = append(out, byte(element), hasMost)
		out = binary.AppendUvarint(out, limits.Least)
		out = binary.AppendUvarint(out, most)
	}
	return append(out, r.Rest()...), r.Err()
}

func checkLocals(r *outline.Reader) (err error) {
	all := uint64(0)
	r.Each(func(r *outline.Reader) {
		body := outline.NewReader(r.Bytes())
		total := uint64(0)
		body.Each(func(group *outline.Reader) {
			total += uint64(group.U32())
			_ = group.Type()
		})
		all += total
		switch {
		case err != nil:
		case body.Err() != nil:
			err = body.Err()
		case total > maxLocals:
			err = fmt.Errorf("it has a function with %d locals or more, the most is %d", total, maxLocals)
		case all > maxAllLocals:
			err = fmt.Errorf("its functions have %d locals or more, the most is %d", all, maxAllLocals)
		}
	})
	return errors.Join(err, r.Err())
}
