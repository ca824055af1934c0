package workspace

import (
	"io/fs"
	"slices"
)

// Adopt makes what is below the root what the stage has, which must not be used any
// more. Kept are some paths relative to the root with what is below these, and the
// folders above them; "." keeps all. What the stage has there is added: its files
// and symlinks replace such, but never a folder (EISDIR), and its folders nothing
// else than folders (ENOTDIR). The attributes of what is kept stay. Open handles
// stay what they were, those on the root see what it becomes.
//
// It happens at one moment. If it fails, nothing has happened. The tree's time
// moves on to the latest of those that were put.
func (t *Tree) Adopt(s *Stage, keep ...string) error {
	s.tree.root.sort() // which takes longest, before others have to wait
	t.mu.Lock()
	defer t.mu.Unlock()
	a := adoption{tree: t, keep: keep, lost: map[*node]int32{}}
	if !slices.Contains(keep, ".") {
		a.losePruned(t.root, ".")
	}
	if err := a.compare(t.root, s.tree.root, "."); err != nil {
		return err
	}
	if err := a.fits(s.tree.used); err != nil {
		return &fs.PathError{Op: "adopt", Path: t.policy.root, Err: err}
	}
	if !slices.Contains(keep, ".") {
		t.clear(t.root, ".", keep)
	}
	t.now = max(t.now, s.latest)
	t.used.bytes += s.tree.used.bytes
	t.used.files += s.tree.used.files - a.merged
	a.graft(t.root, s.tree.root, ".")
	s.tree = nil
	return nil
}

// An adoption is a tree becoming what a stage has.
type adoption struct {
	tree   *Tree
	keep   []string
	lost   map[*node]int32 // names that nodes will lose
	merged int             // folders that both have
}

func (a *adoption) isKept(rel string) bool {
	return slices.ContainsFunc(a.keep, func(k string) bool { return k == "." || IsBelow(rel, k) })
}

// survives says whether the tree's clear leaves a node.
func (a *adoption) survives(n *node, rel string) bool {
	return a.isKept(rel) || n.isDir() && slices.ContainsFunc(a.keep, func(k string) bool { return IsBelow(k, rel) })
}

// losePruned notes what the tree's clear will remove.
func (a *adoption) losePruned(folder *node, at string) {
	for name, child := range folder.entries.byName {
		switch rel := joined(at, name); {
		case a.isKept(rel):
		case a.survives(child, rel):
			a.losePruned(child, rel)
		default:
			a.lose(child)
		}
	}
}

func (a *adoption) lose(n *node) {
	a.lost[n]++
	for _, child := range n.entries.byName {
		a.lose(child)
	}
}

// compare says where the stage and what is kept can't be brought together.
func (a *adoption) compare(folder, staged *node, at string) error {
	for _, name := range staged.entries.sorted() {
		rel := joined(at, name)
		old, n := folder.entries.get(name), staged.entries.get(name)
		switch {
		case old == nil || !a.survives(old, rel):
		case old.isDir() && n.isDir():
			a.merged++
			if err := a.compare(old, n, rel); err != nil {
				return err
			}
		case old.isDir():
			return &fs.PathError{Op: "adopt", Path: rel, Err: EISDIR}
		case n.isDir():
			return &fs.PathError{Op: "adopt", Path: rel, Err: ENOTDIR}
		default:
			a.lose(old)
		}
	}
	return nil
}

// fits says whether there is room, once what is lost is gone.
func (a *adoption) fits(more usage) error {
	after := a.tree.used
	for n, names := range a.lost {
		after.files -= int(names)
		switch {
		case names < n.links:
		case n.opened > 0:
			after.files++ // until it is closed
		default:
			after.bytes -= n.size()
		}
	}
	return after.reserve(more.bytes, more.files-a.merged)
}

// graft moves what the stage has into the tree.
func (a *adoption) graft(folder, staged *node, at string) {
	if at == "." || !a.isKept(at) {
		folder.mode, folder.owner, folder.group = staged.mode, staged.owner, staged.group
		defer func() { folder.modified, folder.accessed = staged.modified, staged.accessed }()
	}
	for _, name := range staged.entries.sorted() {
		old, n := folder.entries.get(name), staged.entries.get(name)
		if old != nil && old.isDir() {
			a.graft(old, n, joined(at, name))
			continue
		}
		if old != nil {
			a.tree.detach(old, folder, name)
		}
		n.links = 0
		a.tree.attach(n, folder, name)
		a.number(n)
	}
}

// number gives a node and all below it inodes of the tree.
func (a *adoption) number(n *node) {
	a.tree.inode++
	n.inode = a.tree.inode
	for _, name := range n.entries.sorted() {
		a.number(n.entries.get(name))
	}
}
