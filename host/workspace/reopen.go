package workspace

import "io/fs"

// OpenInode opens the file or folder that has a number, under any of its names. It
// makes and empties nothing, whatever the options say, and fails where Open would.
func (t *Tree) OpenInode(inode uint64, o OpenOptions) (*Handle, error) {
	o.Create, o.Exclusive, o.Truncate = false, false, false
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.top.find(inode)
	if inode == t.top.inode {
		p, ok = place{name: "/", node: t.top, dot: true}, true
	}
	if !ok {
		return nil, &fs.PathError{Op: "open", Err: ENOENT}
	}
	if err := o.refuse(p); err != nil {
		return nil, &fs.PathError{Op: "open", Path: p.name, Err: err}
	}
	h := &Handle{tree: t, node: p.node, name: p.name, how: o, dir: p.node.isDir()}
	if a := p.folder().area; a != nil && a.readOnly {
		h.readOnly = a
	}
	if h.readOnly != nil && o.changes() {
		return nil, pathError("open", p.name, &ReadOnlyError{Path: p.name, Grant: h.readOnly.path})
	}
	p.node.opened++
	return h, nil
}

// find gives the place of what has a number, in a folder or below it.
func (n *node) find(inode uint64) (place, bool) {
	for _, name := range n.entries.sorted() {
		child := n.entries.get(name)
		if child.inode == inode {
			return place{parent: n, name: name, node: child}, true
		}
		if child.isDir() {
			if p, ok := child.find(inode); ok {
				return p, true
			}
		}
	}
	return place{}, false
}
