// Package similar finds what may have been meant by a name that isn't known.
package similar

import "strings"

// Names gives the most similar name, or else those that hold the given one.
func Names(given string, known []string) []string {
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
