package workspace

import (
	"cmp"
	"io/fs"
	"slices"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// tick is how much time passes with each change.
const tick = 1000 // nanoseconds

// The modes of what is made without saying one.
const (
	DefaultFileMode fs.FileMode = 0o644
	DefaultDirMode  fs.FileMode = 0o755
)

// DefaultOwner owns what is made, when nothing else is said.
const DefaultOwner = "root"

// Config describes a tree. The zero value works.
type Config struct {
	Policy Policy // the zero value: DefaultRoot without grants
	Limits Limits

	// Now is the time at which the tree's clock starts, in nanoseconds since 1970.
	Now int64

	// Owner owns what is made, and is the name of its group as well. "": DefaultOwner.
	Owner string
}

// A Tree is files, folders and symlinks in memory, with the semantics of POSIX.
// New makes one. It is safe for concurrent use: each operation is atomic.
//
// Paths are those of its [Policy]: relative ones start at the root, and none leads
// out, not through symlinks either. Operations fail with an *[fs.PathError], in
// which there is an [Errno], a *[LimitError], an *[EscapeError] or a
// *[ReadOnlyError]. One that fails has changed nothing.
//
// Time is virtual. It moves a microsecond with each change, so that no two changes
// are at the same time, and otherwise only by AdvanceTo.
type Tree struct {
	policy Policy
	owner  string

	reallocating sync.Mutex // of whoever is making a large array; it is taken before mu

	mu    sync.Mutex
	top   *node // "/"
	root  *node
	used  usage
	now   int64
	inode uint64 // the last one given
	made  int    // folders that New made, which aren't counted

	work Work // of the operation in progress
}

// New makes a tree that has its root and the folders of its grants, and nothing
// else.
func New(c Config) *Tree {
	if c.Policy.root == "" {
		c.Policy.root = DefaultRoot
	}
	if c.Owner == "" {
		c.Owner = DefaultOwner
	}
	t := &Tree{policy: c.Policy, owner: c.Owner, now: c.Now, used: usage{limits: c.Limits.withDefaults()}}
	t.top = t.newNode(fs.ModeDir|DefaultDirMode, "")
	t.top.links, t.top.pinned = 1, true
	areas := append(c.Policy.Grants(), Grant{Path: c.Policy.root})
	slices.SortStableFunc(areas, func(a, b Grant) int { return cmp.Compare(len(a.Path), len(b.Path)) }) // outer ones first
	for _, a := range areas {
		if a.Path == c.Policy.root {
			t.root = t.area(Grant{Path: a.Path})
		} else if !IsBelow(a.Path, c.Policy.root) {
			t.area(a)
		}
	}
	t.made = int(t.inode)
	return t
}

// area makes a folder, and its parents, where a part of the tree begins.
func (t *Tree) area(g Grant) *node {
	at := t.top
	for name, rest := nextName(g.Path); name != ""; name, rest = nextName(rest) {
		next := at.entries.get(name)
		if next == nil {
			next = t.newNode(fs.ModeDir|DefaultDirMode, "")
			next.pinned = true
			t.attach(next, at, name)
		}
		at = next
	}
	if at.area == nil || at.area.path != g.Path {
		at.area = &area{path: g.Path, readOnly: g.ReadOnly}
	}
	return at
}

// Policy says which paths can be used.
func (t *Tree) Policy() Policy { return t.policy }

// Limits are those of the tree.
func (t *Tree) Limits() Limits { return t.used.limits }

// Usage is what the tree holds: the bytes of all files, and how many files,
// folders and symlinks there are.
func (t *Tree) Usage() (bytes int64, files int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used.bytes, t.used.files
}

// Now is the tree's time, in nanoseconds since 1970.
func (t *Tree) Now() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// AdvanceTo moves the tree's time to at least that, in nanoseconds since 1970.
func (t *Tree) AdvanceTo(now int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = max(t.now, now)
}

// touch lets time pass, and gives the time of a change.
func (t *Tree) touch() int64 {
	t.now = saturating.Add(t.now, tick)
	return t.now
}

// newNode makes a node that is nowhere yet, and isn't counted. The owner "" is the
// tree's.
func (t *Tree) newNode(mode fs.FileMode, owner string) *node {
	if owner == "" {
		owner = t.owner
	}
	t.inode++
	return &node{inode: t.inode, mode: mode, owner: owner, group: owner, modified: t.now, accessed: t.now}
}

// attach gives a node a name.
func (t *Tree) attach(n, parent *node, name string) {
	n.links++
	parent.entries.put(name, n)
	if n.isDir() {
		n.parent, n.name = parent, name
		t.enter(n, parent.area)
	}
	parent.modified = t.now
}

// detach takes a name away. What has none any more, and isn't open, is gone.
func (t *Tree) detach(n, parent *node, name string) {
	n.links--
	parent.entries.remove(name)
	if n.isDir() {
		n.parent = nil
	}
	parent.modified = t.touch()
	if n.links > 0 {
		_ = t.used.reserve(0, -1) // giving back can't fail
	}
	t.release(n)
}

// release gives back what a node was counted with, once nobody can get at it.
func (t *Tree) release(n *node) {
	if n.links == 0 && n.opened == 0 {
		_ = t.used.reserve(-n.size(), -1) // giving back can't fail
	}
}
