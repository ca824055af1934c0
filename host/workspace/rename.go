package workspace

func (t *Tree) rename(from *node, old string, to *node, name string) error {
	source, err := t.walk(from, old, access{op: "rename", entry: true, write: true})
	if err != nil {
		return err
	}
	target, err := t.walk(to, name, access{op: "rename", entry: true, write: true})
	if err != nil {
		return err
	}
	if err := t.move(source, target); err != nil || source.node == target.node {
		return pathError("rename", old, err)
	}
	if target.node != nil {
		t.detach(target.node, target.parent, target.name)
	}
	t.touch()
	source.parent.entries.remove(source.name)
	source.parent.modified = t.now
	source.node.links-- // attach counts it again
	t.attach(source.node, target.parent, target.name)
	return nil
}

// move says why something can't be moved to a place, in the order in which Linux
// looks for reasons.
func (t *Tree) move(source, target place) error {
	n, other := source.node, target.node
	switch {
	case source.dot || target.dot:
		return EBUSY
	case n == nil:
		return ENOENT
	case !n.isDir() && (source.slash || target.slash):
		return ENOTDIR
	case n.pinned || other != nil && other.pinned:
		return EBUSY
	case n.isDir() && target.parent.isBelowOf(n):
		return EINVAL
	case other != nil && other.isDir() && source.parent.isBelowOf(other):
		return ENOTEMPTY
	case n == other, other == nil:
	case n.isDir() && !other.isDir():
		return ENOTDIR
	case !n.isDir() && other.isDir():
		return EISDIR
	case other.entries.len() > 0:
		return ENOTEMPTY
	}
	if target.parent.pathLength()+len(target.name) <= source.parent.pathLength()+len(source.name) {
		return nil
	}
	return target.fits(t.reach(n))
}
