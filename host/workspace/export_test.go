package workspace

import (
	"fmt"
	"path"
)

// Invariants says what is wrong with a tree. What is unlinked is found by the
// handles on it.
func (t *Tree) Invariants(open ...*Handle) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := checker{tree: t, names: map[*node]int32{}, opened: map[*node]int32{}}
	if err := c.folder(t.top, "/", nil); err != nil {
		return err
	}
	c.names[t.top]++
	for _, h := range open {
		if h.closed {
			continue
		}
		c.opened[h.node]++
		c.names[h.node] += 0
	}
	var bytes int64
	files := -t.made
	for n, names := range c.names {
		switch {
		case n.links != names:
			return fmt.Errorf("inode %d has %d names, and counts %d", n.inode, names, n.links)
		case n.opened != c.opened[n]:
			return fmt.Errorf("inode %d has %d handles, and counts %d", n.inode, c.opened[n], n.opened)
		case n.content.shared > cap(n.content.bytes):
			return fmt.Errorf("inode %d shares more than it has", n.inode)
		case cap(n.content.bytes) > n.content.size()+n.content.size()/4:
			return fmt.Errorf("inode %d has %d bytes of room for %d", n.inode, cap(n.content.bytes), n.content.size())
		case n.inode > t.inode:
			return fmt.Errorf("inode %d was never given", n.inode)
		}
		bytes += n.size()
		files += int(max(names, 1))
	}
	if bytes != t.used.bytes || files != t.used.files {
		return fmt.Errorf("the tree has %d bytes in %d files, and counts %d in %d", bytes, files, t.used.bytes, t.used.files)
	}
	if t.used.bytes > t.used.limits.Bytes || t.used.files > t.used.limits.Files {
		return fmt.Errorf("the tree has more than its limits: %+v", t.used)
	}
	return nil
}

// LeavesLockToWrite reports whether a write makes another array, and that while the tree isn't
// locked. Nothing is written.
func (h *Handle) LeavesLockToWrite(p []byte, offset int64) bool {
	return h.leavesLock(func() (*reallocation, error) { return h.tree.write(h.node, p, offset, nil) })
}

// LeavesLockToTruncate is the same for Truncate.
func (h *Handle) LeavesLockToTruncate(size int64) bool {
	return h.leavesLock(func() (*reallocation, error) { return h.tree.resize(h.node, size, nil) })
}

func (h *Handle) leavesLock(change func() (*reallocation, error)) bool {
	needed, err := h.attempt("test", func(*reallocation) (*reallocation, error) { return change() }, nil)
	return needed != nil && err == nil
}

type checker struct {
	tree   *Tree
	names  map[*node]int32
	opened map[*node]int32
}

func (c *checker) folder(folder *node, at string, above *area) error {
	if got := folder.path(); got != at {
		return fmt.Errorf("the folder at %q says it is at %q", at, got)
	}
	if folder.content.size() > 0 || folder.target != "" {
		return fmt.Errorf("the folder at %q has content", at)
	}
	if a := folder.area; a != nil && a.path == at {
		above = a // it begins here
	}
	if folder.area != above {
		return fmt.Errorf("the folder at %q is in %+v, and should be in %+v", at, folder.area, above)
	}
	sorted := folder.entries.sorted()
	if len(sorted) != folder.entries.len() {
		return fmt.Errorf("the folder at %q has %d names, and lists %d", at, folder.entries.len(), len(sorted))
	}
	for i, name := range sorted {
		n, below := folder.entries.get(name), path.Join(at, name)
		c.names[n]++
		switch {
		case n == nil:
			return fmt.Errorf("nothing is at %q", below)
		case i > 0 && name <= sorted[i-1]:
			return fmt.Errorf("the folder at %q isn't sorted", at)
		case len(below) >= maxPath:
			return fmt.Errorf("a path has %d bytes", len(below))
		case !n.isDir() && (n.entries.len() > 0 || n.parent != nil):
			return fmt.Errorf("the file at %q is a folder", below)
		case n.isDir() && (n.parent != folder || c.names[n] > 1):
			return fmt.Errorf("the folder at %q has two names", below)
		case n.isDir():
			if err := c.folder(n, below, above); err != nil {
				return err
			}
		}
	}
	return nil
}
