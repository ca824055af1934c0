package workspace

import "io/fs"

// unlink takes away the name of what isn't a folder.
func (t *Tree) unlink(base *node, name string) error {
	p, err := t.walk(base, name, access{op: "unlink", entry: true, write: true})
	switch {
	case err != nil:
		return err
	case p.node == nil:
		err = ENOENT
	case p.node.isDir():
		err = EISDIR
	case p.slash:
		err = ENOTDIR
	default:
		t.detach(p.node, p.parent, p.name)
	}
	return pathError("unlink", name, err)
}

// link gives a file another name.
func (t *Tree) link(from *node, old string, to *node, name string, follow bool) error {
	// The file counts its names: that is a change of what can't only be read.
	source, err := t.walk(from, old, access{op: "link", follow: follow, write: true})
	if err != nil {
		return err
	}
	if source.node == nil {
		return pathError("link", old, ENOENT)
	}
	target, err := t.walk(to, name, access{op: "link", entry: true, write: true})
	switch {
	case err != nil:
		return err
	case target.node != nil:
		err = EEXIST
	case target.slash:
		err = ENOENT
	case source.node.isDir():
		err = EPERM
	default:
		err = t.name(source.node, target)
	}
	return pathError("link", name, err)
}

// name gives a file one name more, which is counted as a file.
func (t *Tree) name(n *node, p place) error {
	if err := p.fits(0); err != nil {
		return err
	}
	if err := t.used.reserve(0, 1); err != nil {
		return err
	}
	t.touch()
	t.attach(n, p.parent, p.name)
	return nil
}

func (t *Tree) symlink(target string, base *node, name string) error {
	if err := checkPathText(target); err != nil {
		return pathError("symlink", name, err)
	}
	p, err := t.walk(base, name, access{op: "symlink", entry: true, write: true})
	switch {
	case err != nil:
		return err
	case p.node != nil:
		err = EEXIST
	case p.slash:
		err = ENOENT
	default:
		err = t.createSymlink(target, p)
	}
	return pathError("symlink", name, err)
}

func (t *Tree) createSymlink(target string, p place) error {
	if err := t.used.room(int64(len(target)), 1); err != nil {
		return err
	}
	n, err := t.create(p, fs.ModeSymlink|fs.ModePerm, "")
	if err != nil {
		return err
	}
	n.target = target
	return t.used.reserve(n.size(), 0) // which can't fail: there is room
}
