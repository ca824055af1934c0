package workspace

// Clone makes a tree that is the same, and independent from then on. Contents are
// shared until one of the two changes them. Open handles stay with the old one.
func (t *Tree) Clone() *Tree {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &cloning{old: t, links: map[*node]*node{}, new: &Tree{
		policy: t.policy, owner: t.owner, now: t.now, inode: t.inode, made: t.made, used: usage{limits: t.used.limits},
	}}
	c.new.top = c.copy(t.top)
	c.new.used.files -= t.made
	return c.new
}

// cloning is a clone in the making.
type cloning struct {
	old, new *Tree
	links    map[*node]*node // the copies of what has several names
}

// copy makes a node of the old tree one of the new one, with all below it.
func (c *cloning) copy(n *node) *node {
	c.new.used.files++
	if made := c.links[n]; made != nil {
		return made
	}
	made := new(*n)
	made.opened, made.entries = 0, entries{}
	if n.mode.IsRegular() {
		made.content.replace(n.content.share())
	}
	if n.links > 1 {
		c.links[n] = made
	}
	if n == c.old.root {
		c.new.root = made
	}
	c.new.used.bytes += made.size()
	if n.entries.len() == 0 {
		return made
	}
	made.entries = entries{byName: make(map[string]*node, n.entries.len()), names: n.entries.names}
	for name, child := range n.entries.byName {
		copied := c.copy(child)
		made.entries.byName[name] = copied
		if copied.isDir() {
			copied.parent = made
		}
	}
	return made
}
