package builtin

import (
	"cmp"
	"maps"
	"slices"

	"github.com/itchyny/gojq"
)

// order is -1, 0 or 1: how two values are ordered. The library's own comparison goes on
// however long it takes, and an array whose two elements are the same one, and so on, has
// no end in sight.
func (g *jqGuard) order(a, b any) any {
	order, err := g.compare(a, b, 0)
	if err != nil {
		return err
	}
	return order
}

func (g *jqGuard) compare(a, b any, depth int) (int, error) {
	if err := g.step(); err != nil {
		return 0, err
	}
	if depth++; depth > maxJSONDepth {
		return 0, errJSONDepth
	}
	switch a := a.(type) {
	case []any:
		if b, ok := b.([]any); ok {
			return g.compareArrays(a, b, depth)
		}
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return g.compareObjects(a, b, depth)
		}
	}
	return gojq.Compare(a, b), nil
}

func (g *jqGuard) compareArrays(a, b []any, depth int) (int, error) {
	for i := range min(len(a), len(b)) {
		if order, err := g.compare(a[i], b[i], depth); order != 0 || err != nil {
			return order, err
		}
	}
	return cmp.Compare(len(a), len(b)), nil
}

// compareObjects compares the keys, and then the values in the order of the keys.
func (g *jqGuard) compareObjects(a, b map[string]any, depth int) (int, error) {
	keys, others := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))
	if order := slices.Compare(keys, others); order != 0 {
		return order, nil
	}
	for _, key := range keys {
		if order, err := g.compare(a[key], b[key], depth); order != 0 || err != nil {
			return order, err
		}
	}
	return 0, nil
}
