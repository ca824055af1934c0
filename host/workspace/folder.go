package workspace

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

func (t *Tree) mkdir(base *node, name string, mode fs.FileMode, owner string) error {
	p, err := t.walk(base, name, access{op: "mkdir", entry: true, write: true})
	switch {
	case err != nil:
		return err
	case p.node != nil:
		err = EEXIST
	default:
		_, err = t.create(p, fs.ModeDir|orMode(mode, DefaultDirMode), owner)
	}
	return pathError("mkdir", name, err)
}

// mkdirAll makes a folder with its parents, all or none. The path is clean and
// absolute.
func (t *Tree) mkdirAll(clean string, mode fs.FileMode, owner string) error {
	at, missing, err := t.findMissing(clean)
	if err != nil || missing == "" {
		return err
	}
	if err := t.checkRoomFor(at, missing, usage{files: strings.Count(missing, "/") + 1}); err != nil {
		return err
	}
	t.makeFolders(at, missing, mode, owner)
	return nil
}

// findMissing gives the last folder on a clean and absolute path, and the names below
// it that there aren't: "" if it leads to a folder.
func (t *Tree) findMissing(clean string) (at *node, missing string, err error) {
	if err := checkPathText(clean); err != nil {
		return nil, "", err
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
			return nil, "", err
		}
	}
	w.name, w.rest = name, rest
	return w.at, name + rest, w.permit(clean, name != "")
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

// checkRoomFor says why there can't be names below a folder, each in the one before,
// which take so much: of the limits, and of the length of a path.
func (t *Tree) checkRoomFor(at *node, names string, more usage) error {
	if at.pathLength()+len(names) >= maxPath {
		return ENAMETOOLONG
	}
	if err := ValidatePath(names); err != nil {
		return err
	}
	return t.used.room(more.bytes, more.files)
}

// makeFolders makes folders that aren't there and can be, each in the one before.
func (t *Tree) makeFolders(at *node, names string, mode fs.FileMode, owner string) {
	for name, rest := nextName(names); name != ""; name, rest = nextName(rest) {
		_ = t.used.reserve(0, 1) // which can't fail: there is room
		t.touch()
		n := t.newNode(fs.ModeDir|orMode(mode, DefaultDirMode), owner)
		t.attach(n, at, name)
		at = n
	}
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
		rel, child := joined(at, name), folder.entries.get(name)
		switch {
		case slices.ContainsFunc(except, func(e string) bool { return IsBelow(rel, e) }):
		case child.isDir() && slices.ContainsFunc(except, func(e string) bool { return IsBelow(e, rel) }):
			t.clear(child, rel, except)
		default:
			t.empty(child)
			t.detach(child, folder, name)
		}
	}
}
