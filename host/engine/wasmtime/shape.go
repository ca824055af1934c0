//go:build cgo

package wasmtime

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

const pageSize = 64 << 10

// A module of a few bytes may ask for tables of many gigabytes, which the engine
// would allocate at once. These are what a guest may have, as with wazero.
const (
	maxTables       = 64
	maxTableEntries = 1 << 20 // of one table, at the start and after it has grown
)

// A shape is what the adapter knows of a module. The C API tells less: it has no
// name for the type of vectors, no sizes of what isn't exported, and no types of
// functions on a stack.
type shape struct {
	imports   []engine.Import
	exports   []engine.Export // sorted by name
	memory    bool            // one is exported under the name "memory"
	types     []engine.FuncType
	functions []uint32 // the type of each, the imported ones first
	pages     uint64   // of the largest memory, at the start
	tables    int
	entries   uint64 // of the largest table, at the start
}

// check refuses a module that wants too much from the start. Later the limits of
// its store hold.
func (s *shape) check(pages uint32) error {
	switch {
	case s.pages > uint64(pages):
		return fmt.Errorf("it has a memory of %d pages, over limit of %d pages", s.pages, pages)
	case s.tables > maxTables:
		return fmt.Errorf("it has %d tables, the most is %d", s.tables, maxTables)
	case s.entries > maxTableEntries:
		return fmt.Errorf("it has a table of %d entries, the most is %d", s.entries, maxTableEntries)
	}
	return nil
}

// function is the type of an exported function.
func (s *shape) function(name string) (engine.FuncType, bool) {
	i, ok := slices.BinarySearchFunc(s.exports, name, func(e engine.Export, name string) int {
		return strings.Compare(e.Name, name)
	})
	if !ok || s.exports[i].Kind != engine.ExternFunc {
		return engine.FuncType{}, false
	}
	return s.exports[i].Type, true
}

// typeOf is the type of a function, or none if there is no such function.
func (s *shape) typeOf(function uint32) (engine.FuncType, bool) {
	if uint64(function) >= uint64(len(s.functions)) || uint64(s.functions[function]) >= uint64(len(s.types)) {
		return engine.FuncType{}, false
	}
	return s.types[s.functions[function]], true
}

// signature is a function's type as wazero writes it in stacks.
func (s *shape) signature(function uint32) string {
	t, ok := s.typeOf(function)
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
