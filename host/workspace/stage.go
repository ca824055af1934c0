package workspace

import (
	"io/fs"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// A Stage is what a tree is to become: it is filled at leisure, and takes effect at
// one moment, when it is committed, or not at all. [Tree.Stage] makes one. It isn't safe for concurrent
// use.
type Stage struct {
	target *Tree // that it is for
	tree   *Tree // of what was put
	latest int64 // of the times that were put
}

// Stage begins with an empty root, under the limits of the tree.
func (t *Tree) Stage() *Stage {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := saturating.Add(t.now, tick)
	staged := New(Config{Policy: Policy{root: t.policy.root}, Limits: t.used.limits, Now: now, Owner: t.owner})
	s := &Stage{target: t, tree: staged, latest: now}
	root := staged.root
	root.mode, root.owner, root.group = t.root.mode, t.root.owner, t.root.group
	return s
}

// Now is the time of what is made without saying one, such as the folders above what
// is put.
func (s *Stage) Now() int64 { return s.tree.now }

// Put makes what an entry says, with all attributes but the inode, and the folders
// above it that aren't there. Empty owners are the tree's. What is there already
// is EEXIST, unless both are folders: then it takes the attributes. No symlink is
// followed. The stage keeps the content, which must not be changed any more.
func (s *Stage) Put(e Entry) error {
	n, err := s.put(e)
	if err != nil {
		return &fs.PathError{Op: "put", Path: e.Path, Err: err}
	}
	s.latest = max(s.latest, e.Modified, e.Accessed)
	n.mode, n.modified, n.accessed = e.Mode, e.Modified, e.Accessed
	if e.Owner != "" {
		n.owner = e.Owner
	}
	if e.Group != "" {
		n.group = e.Group
	}
	return nil
}

func (s *Stage) put(e Entry) (*node, error) {
	if err := checkPathText(s.tree.policy.root + "/" + e.Path); err != nil {
		return nil, err
	}
	if e.Path == "." {
		if !e.Mode.IsDir() {
			return nil, ENOTDIR
		}
		return s.tree.root, nil
	}
	if !fs.ValidPath(e.Path) {
		return nil, EINVAL
	}
	at := s.tree.root
	for rest, more := e.Path, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		next, err := s.child(at, name, more, e)
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// child is what a name in a folder leads to, which is made if it isn't there: a
// folder if there is more of the path, else the entry.
func (s *Stage) child(folder *node, name string, more bool, e Entry) (*node, error) {
	isDir := more || e.Mode.IsDir()
	old := folder.entries.get(name)
	switch {
	case len(name) > maxName:
		return nil, ENAMETOOLONG
	case old != nil && old.isDir() && isDir:
		return old, nil
	case old != nil && more:
		return nil, ENOTDIR
	case old != nil:
		return nil, EEXIST
	case isDir:
		return s.attach(folder, name, fs.ModeDir|DefaultDirMode, Entry{})
	default:
		return s.attach(folder, name, e.Mode, e)
	}
}

// attach makes a node with the content or target of an entry.
func (s *Stage) attach(folder *node, name string, mode fs.FileMode, e Entry) (*node, error) {
	size := 0
	switch {
	case mode.IsRegular():
		size = len(e.Content)
	case mode&fs.ModeType == fs.ModeSymlink:
		if size = len(e.Target); size == 0 {
			return nil, ENOENT
		}
		if err := checkPathText(e.Target); err != nil {
			return nil, err
		}
	case !mode.IsDir():
		return nil, EPERM
	}
	t := s.tree
	if err := t.used.reserve(int64(size), 1); err != nil {
		return nil, err
	}
	n := t.newNode(mode, "")
	switch {
	case mode.IsRegular():
		n.content.replace(e.Content)
	case !mode.IsDir():
		n.target = e.Target
	}
	n.links = 1
	folder.entries.put(name, n) // and its times stay
	if n.isDir() {
		n.parent, n.name = folder, name
	}
	return n, nil
}
