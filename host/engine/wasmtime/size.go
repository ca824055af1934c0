//go:build cgo

package wasmtime

import (
	"fmt"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

// A module of a few bytes may ask for tables of many gigabytes, which the engine
// would allocate at once. These are what a guest may have, as with wazero.
const (
	maxTables       = 64
	maxTableEntries = 1 << 20 // of one table, at the start and after it has grown
)

// checkSize refuses a module that wants too much from the start. Later the limits of
// its store hold.
func checkSize(o *outline.Outline, pages uint32) error {
	switch {
	case o.Pages > uint64(pages):
		return &engine.SizeError{Part: engine.ExternMemory, Wanted: o.Pages, Most: uint64(pages)}
	case o.Tables > maxTables:
		return fmt.Errorf("it has %d tables, the most is %d", o.Tables, maxTables)
	case o.Entries > maxTableEntries:
		return &engine.SizeError{Part: engine.ExternTable, Wanted: o.Entries, Most: maxTableEntries}
	}
	return nil
}

// signature is a function's type as wazero writes it in stacks.
func signature(o *outline.Outline, function uint32) string {
	t, ok := o.TypeOf(function)
	if !ok {
		return "()"
	}
	params, results := typeNames(t.Params), typeNames(t.Results)
	switch len(t.Results) {
	case 0:
		return "(" + params + ")"
	case 1:
		return "(" + params + ") " + results
	default:
		return "(" + params + ") (" + results + ")"
	}
}

func typeNames(types []engine.ValueType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ",")
}
