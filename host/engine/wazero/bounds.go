package wazero

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A module of a few bytes may ask for tables and locals of many gigabytes, which
// the engine would allocate at once. These are what a guest may have.
const (
	maxTables       = 64
	maxTableEntries = 1 << 20 // of one table, at the start and after it has grown
	maxLocals       = 50_000  // of one function, as browsers have it
	maxAllLocals    = 10_000_000
)

// Identifiers of sections, and flags of limits.
const (
	sectionCustom    = 0
	sectionTable     = 4
	sectionStart     = 8
	sectionCode      = 10
	sectionDataCount = 12

	limitsMin    = 0
	limitsMinMax = 1
)

// bound refuses a module whose tables or locals are too large, or whose sections
// claim to have more than they can, and gives it with a maximum for each table. Without need it doesn't copy the module.
func bound(wasm []byte) ([]byte, error) {
	bounded := wasm
	for r := (reader{wasm[8:]}); len(r.rest) > 0; {
		start := len(wasm) - len(r.rest)
		id, _ := r.byte()
		content, err := r.bytes()
		if err != nil {
			return nil, err
		}
		if err := checkCount(id, reader{content}); err != nil {
			return nil, err
		}
		switch id {
		case sectionTable:
			tables, err := boundTables(reader{content})
			if err != nil {
				return nil, err
			}
			section := binary.AppendUvarint([]byte{sectionTable}, uint64(len(tables)))
			bounded = slices.Concat(wasm[:start], section, tables, r.rest)
		case sectionCode:
			if err := checkLocals(reader{content}); err != nil {
				return nil, err
			}
		}
	}
	return bounded, nil
}

// checkCount refuses a section that says it has more items than it has bytes: the
// engine makes room for them before it reads them.
func checkCount(id byte, r reader) error {
	if id == sectionCustom || id == sectionStart || id >= sectionDataCount {
		return nil // they have no items, or aren't known
	}
	count, err := r.u32()
	if err == nil && uint64(count) > uint64(len(r.rest)) {
		err = fmt.Errorf("a section of %d items in %d bytes", count, len(r.rest))
	}
	return err
}

// boundTables is the content of a table section, with a maximum for each table.
func boundTables(r reader) ([]byte, error) {
	count, err := r.u32()
	if err != nil {
		return nil, err
	}
	if count > maxTables {
		return nil, fmt.Errorf("it has %d tables, the most is %d", count, maxTables)
	}
	out := binary.AppendUvarint(nil, uint64(count))
	for range count {
		element, err1 := r.byte()
		flags, err2 := r.byte()
		least, err3 := r.u32()
		if err1 != nil || err2 != nil || err3 != nil || flags > limitsMinMax {
			return nil, errBinary
		}
		most := uint32(maxTableEntries)
		if flags == limitsMinMax {
			declared, err := r.u32()
			if err != nil {
				return nil, err
			}
			most = min(most, declared)
		}
		if least > maxTableEntries {
			return nil, fmt.Errorf("it has a table of %d entries, the most is %d", least, maxTableEntries)
		}
		out = append(out, element, limitsMinMax)
		out = binary.AppendUvarint(out, uint64(least))
		out = binary.AppendUvarint(out, uint64(most))
	}
	return append(out, r.rest...), nil
}

func checkLocals(r reader) error {
	functions, err := r.u32()
	if err != nil {
		return err
	}
	all := uint64(0)
	for range functions {
		body, err := r.bytes()
		if err != nil {
			return err
		}
		locals := reader{body}
		groups, err := locals.u32()
		if err != nil {
			return err
		}
		total := uint64(0)
		for range groups {
			n, err1 := locals.u32()
			_, err2 := locals.byte() // the type
			if err1 != nil || err2 != nil {
				return errBinary
			}
			if total += uint64(n); total > maxLocals {
				return fmt.Errorf("it has a function with %d locals or more, the most is %d", total, maxLocals)
			}
		}
		if all += total; all > maxAllLocals {
			return fmt.Errorf("its functions have %d locals or more, the most is %d", all, maxAllLocals)
		}
	}
	return nil
}
