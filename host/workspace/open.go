package workspace

import (
	"io/fs"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// OpenOptions say how a file is opened. The zero value opens what is there, for
// reading its attributes only.
type OpenOptions struct {
	Read, Write bool
	Append      bool        // each write goes to the end
	Create      bool        // if there is none
	Exclusive   bool        // with Create: fail if there is one
	Truncate    bool        // what is there loses its content
	Directory   bool        // fail if it isn't a folder; not with Create
	NoFollow    bool        // fail if the path ends in a symlink
	Mode        fs.FileMode // of what is created; 0: DefaultFileMode, unless [Exactly] gave it

	owner string // of what is created; "": the tree's
}

func (o OpenOptions) changes() bool { return o.Write || o.Append || o.Create || o.Truncate }

// open gives the place of what is open, which has a node.
func (t *Tree) open(base *node, name string, o OpenOptions) (place, error) {
	p, err := t.walk(base, name, access{
		op: "open", follow: !o.NoFollow && (!o.Create || !o.Exclusive), entry: o.Create, write: o.changes(),
	})
	if err != nil {
		return place{}, err
	}
	if err := o.refuse(p); err != nil {
		return place{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	switch {
	case p.node == nil:
		p.node, err = t.create(p, orMode(o.Mode, DefaultFileMode), o.owner)
	case o.Truncate:
		_, err = t.resize(p.node, 0, nil) // which needs no other array
	}
	return p, pathError("open", name, err)
}

// refuse says why a place can't be opened.
func (o OpenOptions) refuse(p place) error {
	switch n := p.node; {
	case o.Create && o.Directory:
		return EINVAL
	case n == nil && !o.Create:
		return ENOENT
	case o.Create && p.slash && !p.dot:
		return EISDIR
	case n == nil:
		return nil
	case o.Create && o.Exclusive:
		return EEXIST
	case !n.isDir() && o.Directory:
		return ENOTDIR
	case n.isSymlink():
		return ELOOP
	case n.isDir() && o.changes():
		return EISDIR
	default:
		return nil
	}
}

// create makes a node where there is none.
func (t *Tree) create(p place, mode fs.FileMode, owner string) (*node, error) {
	if err := p.fits(0); err != nil {
		return nil, err
	}
	if err := t.used.reserve(0, 1); err != nil {
		return nil, err
	}
	t.touch()
	n := t.newNode(mode, owner)
	t.attach(n, p.parent, p.name)
	return n, nil
}

// fits says whether something can be at a place whose longest path within has so
// many bytes: all paths are short enough to be used.
func (p place) fits(reach int) error {
	if p.parent.pathLength()+len(p.name)+reach >= maxPath {
		return ENAMETOOLONG
	}
	return nil
}

// resize changes the length of a file, as a [contentChange] does.
func (t *Tree) resize(n *node, size int64, ready *reallocation) (needed *reallocation, err error) {
	if size < 0 {
		return nil, EINVAL
	}
	more := size - int64(n.content.size())
	if err := t.used.room(more, 0); err != nil {
		return nil, err
	}
	if needed := n.content.resize(int(size), ready); needed != nil {
		return needed, nil
	}
	return nil, t.changed(n, more)
}

// changed counts what was added to a file, for which there is room.
func (t *Tree) changed(n *node, more int64) error {
	n.modified = t.touch()
	return t.used.reserve(more, 0)
}

// write puts bytes at an offset of a file, as a [contentChange] does.
func (t *Tree) write(n *node, p []byte, offset int64, ready *reallocation) (needed *reallocation, err error) {
	if offset < 0 {
		return nil, EINVAL
	}
	if len(p) == 0 {
		return nil, nil
	}
	more := max(saturating.Add(offset, int64(len(p)))-int64(n.content.size()), 0)
	if err := t.used.room(more, 0); err != nil {
		return nil, err
	}
	if needed := n.content.writeAt(p, int(offset), ready); needed != nil {
		return needed, nil
	}
	return nil, t.changed(n, more)
}

// writeFile makes the content of a file, and the file if there is none.
func (t *Tree) writeFile(base *node, name string, content []byte, mode fs.FileMode, owner string) error {
	p, err := t.walk(base, name, access{op: "open", follow: true, write: true})
	if err != nil {
		return err
	}
	n := p.node
	switch {
	case n == nil && p.slash, n != nil && n.isDir():
		return pathError("open", name, EISDIR)
	case n == nil:
		if err := t.used.room(int64(len(content)), 1); err != nil {
			return pathError("open", name, err)
		}
		if n, err = t.create(p, orMode(mode, DefaultFileMode), owner); err != nil {
			return pathError("open", name, err)
		}
	}
	if err := t.used.reserve(int64(len(content)-n.content.size()), 0); err != nil {
		return pathError("write", name, err)
	}
	n.content.replace(content)
	n.modified = t.touch()
	return nil
}
