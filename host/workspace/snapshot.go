package workspace

import "strings"

// An Entry is a file, folder or symlink, with what is in it.
type Entry struct {
	Path string // relative to the root; "." is the root itself
	Info
	Content []byte // of a file; must not be changed
}

// Snapshot lists the root and all below it at one moment: a folder before what is
// in it, names in the order of their bytes. Skipped are some paths, relative to the
// root, with all below them. Contents aren't copied. The caller owns the slice.
func (t *Tree) Snapshot(skip ...string) []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	skipped := make(map[string]bool, len(skip))
	for _, s := range skip {
		skipped[s] = true
	}
	entries := make([]Entry, 0, t.used.files+1)
	t.root.collect(".", skipped, &entries)
	return entries
}

func (n *node) collect(path string, skip map[string]bool, entries *[]Entry) {
	e := Entry{Path: path, Info: n.info(path[strings.LastIndexByte(path, '/')+1:])}
	if n.mode.IsRegular() {
		e.Content = n.content.share()
	}
	*entries = append(*entries, e)
	for _, name := range n.entries.sorted() {
		if rel := joined(path, name); !skip[rel] {
			n.entries.get(name).collect(rel, skip, entries)
		}
	}
}
