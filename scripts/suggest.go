package scripts

import (
	"maps"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/similar"
)

// suggest names what may have been meant, or all there is.
func suggest(given string, known []string) string {
	meant := similar.Names(given, known)
	switch {
	case len(meant) > 0:
		return "; did you mean " + orList(meant) + "?"
	case len(known) == 0:
		return ""
	default:
		return "; it can be " + strings.Join(known, ", ")
	}
}

// suggestKey is suggest for a key of a map, which may be short of a colon or space.
func suggestKey(given string, known []string) string {
	if slices.ContainsFunc(known, func(name string) bool { return isShort(given, name) }) {
		if _, missing := missingAfterName(given); missing != "" {
			return "; " + missing
		}
	}
	return suggest(given, known)
}

// isShort reports whether a key is a name and its value, short of a colon or space.
func isShort(key, name string) bool {
	rest, ok := strings.CutPrefix(key, name)
	return ok && rest != "" && (rest[0] == ' ' || rest[0] == ':')
}

// orList is "a", "a or b" or "a, b or c".
func orList(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
