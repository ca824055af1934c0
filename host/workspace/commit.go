package workspace

import (
	"io/fs"
	"slices"
)

// Commit makes what is below the tree's root what the stage has, which must not be used
// any more. Kept are some paths relative to the root with what is below these, and the
// folders above them; "." keeps all. What the stage has there is added: its files
// and symlinks replace such, but never a folder (EISDIR), and its folders nothing
// else than folders (ENOTDIR). The attributes of what is kept stay. Open handles
// stay what they were, those on the root see what it becomes.
//
// It happens at one moment. If it fails, nothing has happened. The tree's time
// moves on to the latest of those that were put.
func (s *Stage) Commit(keep ...string) error {
	s.tree.root.sort() // which takes longest, before others have to wait
	t := s.target
	t.mu.Lock()
	defer t.mu.Unlock()
	c := commit{tree: t, keep: keep, lost: map[*node]int32{}}
	if !slices.Contains(keep, ".") {
		c.countRemoved(t.root, ".")
	}
	if err := c.compare(t.root, s.tree.root, "."); err != nil {
		return err
	}
	if err := c.fits(s.tree.used); err != nil {
		return &fs.PathError{Op: "commit", Path: t.policy.root, Err: err}
	}
	if !slices.Contains(keep, ".") {
		t.clear(t.root, ".", keep)
	}
	t.now = max(t.now, s.latest)
	t.used.bytes += s.tree.used.bytes
	t.used.files += s.tree.used.files - c.merged
	c.merge(t.root, s.tree.root, ".")
	s.tree = nil
	return nil
}

// A commit is a tree becoming what a stage has.
type commit struct {
	tree   *Tree
	keep   []string
	lost   map[*node]int32 // names that nodes will lose
	merged int             // folders that both have
}

func (c *commit) isKept(rel string) bool {
	return slices.ContainsFunc(c.keep, func(k string) bool { return k == "." || IsBelow(rel, k) })
}

// survives says whether the tree's clear leaves a node.
func (c *commit) survives(n *node, rel string) bool {
	return c.isKept(rel) || n.isDir() && slices.ContainsFunc(c.keep, func(k string) bool { return IsBelow(k, rel) })
}

// countRemoved notes what the tree's clear will remove.
func (c *commit) countRemoved(folder *node, at string) {
	for name, child := range folder.entries.byName {
		switch rel := joined(at, name); {
		case c.isKept(rel):
		case c.survives(child, rel):
			c.countRemoved(child, rel)
		default:
			c.lose(child)
		}
	}
}

func (c *commit) lose(n *node) {
	c.lost[n]++
	for _, child := range n.entries.byName {
		c.lose(child)
	}
}

// compare says where the stage and what is kept can't be brought together.
func (c *commit) compare(folder, staged *node, at string) error {
	for _, name := range staged.entries.sorted() {
		rel := joined(at, name)
		old, n := folder.entries.get(name), staged.entries.get(name)
		switch {
		case old == nil || !c.survives(old, rel):
		case old.isDir() && n.isDir():
			c.merged++
			if err := c.compare(old, n, rel); err != nil {
				return err
			}
		case old.isDir():
			return &fs.PathError{Op: "commit", Path: rel, Err: EISDIR}
		case n.isDir():
			return &fs.PathError{Op: "commit", Path: rel, Err: ENOTDIR}
		default:
			c.lose(old)
		}
	}
	return nil
}

// fits says whether there is room, once what is lost is gone.
func (c *commit) fits(more usage) error {
	after := c.tree.used
	for n, names := range c.lost {
		after.files -= int(names)
		switch {
		case names < n.links:
		case n.opened > 0:
			after.files++ // until it is closed
		default:
			after.bytes -= n.size()
		}
	}
	return after.reserve(more.bytes, more.files-c.merged)
}

// merge moves what the stage has into the tree.
func (c *commit) merge(folder, staged *node, at string) {
	if at == "." || !c.isKept(at) {
		folder.mode, folder.owner, folder.group = staged.mode, staged.owner, staged.group
		defer func() { folder.modified, folder.accessed = staged.modified, staged.accessed }()
	}
	for _, name := range staged.entries.sorted() {
		old, n := folder.entries.get(name), staged.entries.get(name)
		if old != nil && old.isDir() {
			c.merge(old, n, joined(at, name))
			continue
		}
		if old != nil {
			c.tree.detach(old, folder, name)
		}
		n.links = 0
		c.tree.attach(n, folder, name)
		c.number(n)
	}
}

// number gives a node and all below it inodes of the tree.
func (c *commit) number(n *node) {
	c.tree.inode++
	n.inode = c.tree.inode
	for _, name := range n.entries.sorted() {
		c.number(n.entries.get(name))
	}
}
