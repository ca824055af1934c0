package workspace

import (
	"errors"
	"io/fs"
	"slices"
)

func (t *Tree) mkdir(base *node, name string, mode fs.FileMode) error {
	p, err := t.walk(base, name, access{op: "mkdir", entry: true, write: true})
	switch {
	case err != nil:
		return err
	case p.node != nil:
		err = EEXIST
	default:
		_, err = t.create(p, fs.ModeDir|orMode(mode, DefaultDirMode))
	}
	return pathError("mkdir", name, err)
}

// mkdirAll makes a folder with its parents, all or none. The path is clean and
// absolute.
func (t *Tree) mkdirAll(clean string, mode fs.FileMode) error {
	if err := checkPath(clean); err != nil {
		return err
	}
	w := walker{tree: t, at: t.top}
	name, rest := nextName(clean)
	for ; name != ""; name, rest = nextName(rest) {
		child := w.at.entries.get(name)
		if child == nil {
			break
		}
		if child.isDir() {
			w.at = child
		} else if err := w.through(name, clean); err != nil {
			return err
		}
	}
	w.name, w.rest = name, rest
	if err := w.permit(clean, name != ""); err != nil || name == "" {
		return err
	}
	return t.sproutFolders(w.at, name+rest, mode)
}

// through goes to the folder that a symlink leads to, which isn't made. The path is
// the one that is told of in errors.
func (w *walker) through(symlink, path string) error {
	w.rest = symlink + "/"
	_, err := w.run()
	if err == ENOENT || err == nil && w.name != "" {
		err = EEXIST // it leads to nothing
	}
	if err == nil {
		return nil // the path may come back from outside
	}
	if reason := w.permit(path, false); reason != nil {
		return reason
	}
	return err
}

// sproutFolders makes folders that aren't there, each in the one before.
func (t *Tree) sproutFolders(at *node, names string, mode fs.FileMode) error {
	if at.pathLength()+len(names) >= maxPath {
		return ENAMETOOLONG
	}
	count := 0
	for name, rest := nextName(names); name != ""; name, rest = nextName(rest) {
		if err := checkPath(name); err != nil {
			return err
		}
		if len(name) > maxName {
			return ENAMETOOLONG
		}
		count++
	}
	if err := t.used.reserve(0, count); err != nil {
		return err
	}
	for name, rest := nextName(names); name != ""; name, rest = nextName(rest) {
		t.touch()
		n := t.newNode(fs.ModeDir | orMode(mode, DefaultDirMode))
		t.attach(n, at, name)
		at = n
	}
	return nil
}

// rmdir removes an empty folder.
func (t *Tree) rmdir(base *node, name string) error {
	p, err := t.walk(base, name, access{op: "rmdir", entry: true, write: true})
	switch {
	case err != nil:
		return err
	case p.node == nil:
		err = ENOENT
	case !p.node.isDir():
		err = ENOTDIR
	case p.dot && lastName(name) == ".":
		err = EINVAL
	case p.node.pinned:
		err = EBUSY
	case p.node.entries.len() > 0:
		err = ENOTEMPTY
	default:
		t.detach(p.node, p.parent, p.name)
	}
	return pathError("rmdir", name, err)
}

// removeAll removes what is there with all in it. Nothing there is no error.
func (t *Tree) removeAll(base *node, name string) error {
	p, err := t.walk(base, name, access{op: "remove", entry: true, write: true})
	switch {
	case errors.Is(err, ENOENT), errors.Is(err, ENOTDIR):
		return nil
	case err != nil:
		return err
	case p.node == nil:
		return nil
	case p.node.pinned:
		return &fs.PathError{Op: "remove", Path: name, Err: EBUSY}
	}
	t.empty(p.node)
	t.detach(p.node, p.parent, p.name)
	return nil
}

// empty removes all that is in a folder, in which there are no areas.
func (t *Tree) empty(folder *node) {
	for _, name := range folder.entries.sorted() {
		child := folder.entries.get(name)
		t.empty(child)
		t.detach(child, folder, name)
	}
}

// clear removes all that is in a folder, except for some paths.
func (t *Tree) clear(folder *node, at string, except []string) {
	for _, name := range folder.entries.sorted() {
		rel := name
		if at != "." {
			rel = at + "/" + name
		}
		child := folder.entries.get(name)
		switch {
		case slices.ContainsFunc(except, func(e string) bool { return isBelow(rel, e) }):
		case child.isDir() && slices.ContainsFunc(except, func(e string) bool { return isBelow(e, rel) }):
			t.clear(child, rel, except)
		default:
			t.empty(child)
			t.detach(child, folder, name)
		}
	}
}
