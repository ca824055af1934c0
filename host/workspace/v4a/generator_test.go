package v4a_test

import "strings"

// makeDiff makes a diff that changes one text into another; both have no carriage
// returns. A hunk has as many lines to keep around it as said, and more before it if
// the same lines are elsewhere, too.
func makeDiff(before, after string, around int) string {
	g := generator{old: strings.Split(before, "\n"), around: around}
	g.compare(strings.Split(after, "\n"))
	return g.diff.String()
}

// A generator goes through two texts.
type generator struct {
	old    []string
	around int
	cursor int // the first line of the old text that no hunk has passed
	diff   strings.Builder
}

// compare writes a hunk for each run of lines that differ.
func (g *generator) compare(after []string) {
	for i, j := 0, 0; i < len(g.old) || j < len(after); {
		if i < len(g.old) && j < len(after) && g.old[i] == after[j] {
			i, j = i+1, j+1
			continue
		}
		removed, added := nextCommon(g.old[i:], after[j:])
		g.hunk(i, removed, after[j:j+added])
		i, j = i+removed, j+added
	}
}

// nextCommon is how many lines of both come before the nearest that they share.
func nextCommon(old, after []string) (removed, added int) {
	for sum := 1; sum < len(old)+len(after); sum++ {
		for removed := max(0, sum-len(after)+1); removed <= min(sum, len(old)-1); removed++ {
			if old[removed] == after[sum-removed] {
				return removed, sum - removed
			}
		}
	}
	return len(old), len(after)
}

// hunk writes a hunk that replaces lines of the old text.
func (g *generator) hunk(at, removed int, added []string) {
	start := max(g.cursor, at-g.around)
	end := at + removed
	for start > g.cursor && g.find(start, end) != start {
		start--
	}
	g.diff.WriteString("@@\n")
	g.lines(" ", g.old[start:at])
	g.lines("-", g.old[at:end])
	g.lines("+", added)
	g.cursor = end
}

func (g *generator) lines(op string, lines []string) {
	for _, line := range lines {
		g.diff.WriteString(op + line + "\n")
	}
}

// find is where some lines of the old text are first, from the cursor on.
func (g *generator) find(start, end int) int {
	if start == end {
		return g.cursor
	}
	for i := g.cursor; ; i++ {
		if strings.Join(g.old[i:i+end-start], "\n") == strings.Join(g.old[start:end], "\n") {
			return i
		}
	}
}
