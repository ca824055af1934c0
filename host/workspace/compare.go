package workspace

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A Difference is what is different about a path, as a set of bits.
type Difference uint8

// The differences. Of what was added, was removed or has become something of
// another kind nothing else is said.
const (
	Added Difference = 1 << iota
	Removed
	KindChanged // a file has become a folder, and the like
	ContentChanged
	ModeChanged
	TargetChanged // of a symlink
)

var differenceTexts = []string{"added", "removed", "kind", "content", "mode", "target"}

// String names the differences, separated by commas.
func (d Difference) String() string {
	var texts []string
	for i, text := range differenceTexts {
		if d&(1<<i) != 0 {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// A Change is a path that isn't what it was.
type Change struct {
	Path   string
	What   Difference
	Before Entry // of what was added: the zero value
	After  Entry // of what was removed: the zero value
}

// String tells of the change in one line, such as "changed a.txt (content, mode)".
func (c Change) String() string {
	if c.What&(Added|Removed) != 0 {
		return c.What.String() + " " + c.Path
	}
	return "changed " + c.Path + " (" + c.What.String() + ")"
}

// Compare tells what is different between two snapshots, in the order of the bytes
// of the paths. Owners, times, inodes and links aren't compared.
func Compare(before, after []Entry) []Change {
	was := make(map[string]Entry, len(before))
	for _, e := range before {
		was[e.Path] = e
	}
	var changes []Change
	for _, e := range after {
		old, found := was[e.Path]
		delete(was, e.Path)
		what := Added
		if found {
			what = old.difference(e)
		}
		if what != 0 {
			changes = append(changes, Change{Path: e.Path, What: what, Before: old, After: e})
		}
	}
	for path, old := range was {
		changes = append(changes, Change{Path: path, What: Removed, Before: old})
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

func (e Entry) difference(after Entry) (what Difference) {
	if e.Mode.Type() != after.Mode.Type() {
		return KindChanged
	}
	if !bytes.Equal(e.Content, after.Content) {
		what |= ContentChanged
	}
	if e.Mode != after.Mode {
		what |= ModeChanged
	}
	if e.Target != after.Target {
		what |= TargetChanged
	}
	return what
}
