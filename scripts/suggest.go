package scripts

import (
	"maps"
	"slices"
	"strings"
)

// suggest names what may have been meant, or all there is.
func suggest(given string, known []string) string {
	meant := near(given, known)
	switch {
	case len(meant) > 0:
		return "; did you mean " + orList(meant) + "?"
	case len(known) == 0:
		return ""
	default:
		return "; it can be " + strings.Join(known, ", ")
	}
}

// near gives the most similar name, or else those that hold the given one.
func near(given string, known []string) []string {
	best, distance := "", 3
	if len(given) < 4 {
		distance = 2
	}
	for _, name := range known {
		if d := editDistance(given, name); d < distance {
			best, distance = name, d
		}
	}
	if best != "" {
		return []string{best}
	}
	if len(given) < 3 {
		return nil
	}
	var holding []string
	for _, name := range known {
		if strings.Contains(name, strings.ToLower(given)) {
			holding = append(holding, name)
		}
	}
	return holding
}

// orList is "a", "a or b" or "a, b or c".
func orList(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// editDistance is how many characters have to be changed, added or removed to
// make one text of the other.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
