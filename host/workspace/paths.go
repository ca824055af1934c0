package workspace

import (
	"io/fs"
	"slices"
)

// clean turns a path of the tree's policy into an absolute one.
func (t *Tree) clean(op, name string, write bool) (string, error) {
	normalize := t.policy.Normalize
	if write {
		normalize = t.policy.NormalizeForWrite
	}
	clean, err := normalize(name)
	if err != nil {
		return "", &fs.PathError{Op: op, Path: name, Err: err}
	}
	return clean, nil
}

// on does something with a path, under the tree's lock.
func (t *Tree) on(op, name string, write bool, do func(clean string) error) error {
	clean, err := t.clean(op, name, write)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return do(clean)
}

// ReadFile gives the content of a file. It must not be changed, and never changes.
func (t *Tree) ReadFile(name string) (content []byte, err error) {
	err = t.on("open", name, false, func(clean string) error {
		content, _, err = t.readFile(t.top, clean)
		return err
	})
	return content, err
}

func (t *Tree) readFile(base *node, name string) ([]byte, Info, error) {
	p, err := t.open(base, name, OpenOptions{Read: true})
	switch {
	case err != nil:
		return nil, Info{}, err
	case p.node.isDir():
		return nil, p.node.info(p.name), &fs.PathError{Op: "read", Path: name, Err: EISDIR}
	}
	return p.node.content.share(), p.node.info(p.name), nil
}

// WriteFile makes the content of a file, which is created if there is none: with
// the mode, or DefaultFileMode if that is 0 and not [Exactly] so. The tree keeps the slice, which must
// not be changed any more.
func (t *Tree) WriteFile(name string, content []byte, mode fs.FileMode) error {
	return t.on("open", name, true, func(clean string) error { return t.writeFile(t.top, clean, content, mode, "") })
}

// ReadDir lists a folder, in the order of the bytes of the names. The caller owns
// the slice.
func (t *Tree) ReadDir(name string) (list []Info, err error) {
	err = t.on("open", name, false, func(clean string) error {
		list, err = t.readDir(t.top, clean)
		return err
	})
	return list, err
}

func (t *Tree) readDir(base *node, name string) ([]Info, error) {
	p, err := t.open(base, name, OpenOptions{Read: true})
	if err != nil {
		return nil, err
	}
	return p.node.list(name)
}

func (n *node) list(name string) ([]Info, error) {
	if !n.isDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: ENOTDIR}
	}
	list := make([]Info, 0, n.entries.len())
	for _, name := range n.entries.sorted() {
		list = append(list, n.entries.get(name).info(name))
	}
	return list, nil
}

// Mkdir makes a folder, with the mode, or DefaultDirMode if that is 0 and not
// [Exactly] so.
func (t *Tree) Mkdir(name string, mode fs.FileMode) error {
	return t.on("mkdir", name, true, func(clean string) error { return t.mkdir(t.top, clean, mode, "") })
}

// MkdirAll makes a folder with its parents, all or none. A folder that is there is
// no error.
func (t *Tree) MkdirAll(name string, mode fs.FileMode) error {
	return t.on("mkdir", name, true, func(clean string) error {
		return pathError("mkdir", clean, t.mkdirAll(clean, mode, ""))
	})
}

// Remove removes a file, symlink or empty folder.
func (t *Tree) Remove(name string) error {
	return t.on("remove", name, true, func(clean string) error {
		if t.isFolder(clean) {
			return t.rmdir(t.top, clean)
		}
		return t.unlink(t.top, clean)
	})
}

// isFolder reports whether a path is that of a folder, and not of a symlink to one.
func (t *Tree) isFolder(clean string) bool {
	p, err := t.stat("remove", t.top, clean, access{})
	return err == nil && p.node.isDir()
}

// unlinkFile removes what isn't a folder.
func (t *Tree) unlinkFile(clean string) error {
	if t.isFolder(clean) {
		return pathError("remove", clean, EISDIR)
	}
	return t.unlink(t.top, clean)
}

// RemoveAll removes what is there with all that is in it. Nothing there is no
// error.
func (t *Tree) RemoveAll(name string) error {
	return t.on("remove", name, true, func(clean string) error { return t.removeAll(t.top, clean) })
}

// Clear removes all that is below the root, except for some paths relative to it
// and what is below these.
func (t *Tree) Clear(except ...string) {
	if slices.Contains(except, ".") {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear(t.root, ".", except)
}

// Rename moves what is at a path to another one, where it replaces a file or an
// empty folder.
func (t *Tree) Rename(old, name string) error {
	return t.on("rename", old, true, func(from string) error {
		to, err := t.clean("rename", name, true)
		if err != nil {
			return err
		}
		return t.rename(t.top, from, t.top, to)
	})
}

// Link gives a file another name. A symlink is given one itself, not what it leads
// to.
func (t *Tree) Link(old, name string) error {
	return t.on("link", old, true, func(from string) error {
		to, err := t.clean("link", name, true)
		if err != nil {
			return err
		}
		return t.link(t.top, from, t.top, to, false)
	})
}

// Symlink makes a symlink to a target, wherever that leads: it is following one
// out of the workspace that fails.
func (t *Tree) Symlink(target, name string) error {
	return t.on("symlink", name, true, func(clean string) error { return t.symlink(target, t.top, clean) })
}
