package workspace

import (
	"maps"
	"slices"
)

// entries are what is in a folder, by name.
type entries struct {
	byName map[string]*node
	names  []string // sorted; nil: to be made from byName
}

func (e *entries) get(name string) *node { return e.byName[name] }

func (e *entries) len() int { return len(e.byName) }

func (e *entries) put(name string, n *node) {
	if e.byName == nil {
		e.byName = map[string]*node{}
	}
	e.byName[name] = n
	e.names = nil
}

func (e *entries) remove(name string) {
	delete(e.byName, name)
	e.names = nil
}

// sorted gives the names in the order of their bytes. The slice is never changed.
func (e *entries) sorted() []string {
	if e.names == nil && len(e.byName) > 0 {
		e.names = slices.AppendSeq(make([]string, 0, len(e.byName)), maps.Keys(e.byName))
		slices.Sort(e.names)
	}
	return e.names
}

// sort sorts the names in a folder and in all below it.
func (n *node) sort() {
	for _, name := range n.entries.sorted() {
		n.entries.get(name).sort()
	}
}

// joined is the path of a name in a folder, relative to the root.
func joined(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "/" + name
}
