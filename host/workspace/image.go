package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"
)

// An Image is all that a tree is at one moment, down to the numbers of its files, in
// a form that can be written down. [Tree.Snapshot] is for those who want the files
// only.
type Image struct {
	Now       int64  // the tree's time, in nanoseconds since 1970
	LastInode uint64 // the one given last

	// Entries are the top, and all below it: a folder before what is in it, names in
	// the order of their bytes. Paths are absolute. What has several names is there
	// with each of them, with the same inode. The kept contents must not be changed.
	Entries []Entry
}

// Image gives what the tree is. Contents aren't copied. Open handles aren't part of
// it, nor is what has no name any more.
func (t *Tree) Image() *Image {
	t.mu.Lock()
	defer t.mu.Unlock()
	im := &Image{Now: t.now, LastInode: t.inode, Entries: make([]Entry, 0, t.used.files+t.made)}
	im.collect("/", t.top)
	return im
}

func (im *Image) collect(name string, n *node) {
	e := Entry{Path: name, Info: n.info(path.Base(name))}
	if n.mode.IsRegular() {
		e.Content = n.content.share()
	}
	im.Entries = append(im.Entries, e)
	for _, child := range n.entries.sorted() {
		im.collect(path.Join(name, child), n.entries.get(child))
	}
}

// ErrImage is what all errors of an image wrap that no tree can have.
var ErrImage = errors.New("workspace: the image is of no tree")

// FromImage makes a tree that is what an image says. The configuration is as for
// [New], but for the time, which is the image's. The tree keeps the contents, which
// must not be changed any more.
//
// It fails with a *[LimitError] if there is more than the limits allow, and with an
// error that wraps [ErrImage] if no tree with that policy has such an image. Sizes,
// numbers of names and the last of a path aren't looked at: they follow.
func FromImage(c Config, im *Image) (*Tree, error) {
	if im.LastInode > math.MaxInt64 { // there would be no room for others
		return nil, fmt.Errorf("%w: it has had too many files", ErrImage)
	}
	t := New(c)
	t.now = im.Now
	l := &imageLoader{tree: t, last: im.LastInode, made: map[uint64]*node{}}
	for i := range im.Entries {
		if err := l.put(&im.Entries[i]); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
	}
	if l.pinned != t.made {
		return nil, fmt.Errorf("%w: a folder of the policy is missing", ErrImage)
	}
	t.inode = im.LastInode
	return t, nil
}

// An imageLoader is an image becoming a tree.
type imageLoader struct {
	tree   *Tree
	last   uint64
	made   map[uint64]*node // by inode
	pinned int              // folders of the policy that were in the image
}

func (l *imageLoader) put(e *Entry) error {
	parent, name, err := l.place(e.Path)
	if err != nil {
		return err
	}
	if wrong := l.wrong(e); wrong != "" {
		return fmt.Errorf("%w: %s", ErrImage, wrong)
	}
	n := l.made[e.Inode]
	switch there := l.there(parent, name); {
	case there != nil && (!there.pinned || n != nil || !e.Mode.IsDir()):
		return fmt.Errorf("%w: a name is there twice", ErrImage)
	case there != nil:
		n = there
		l.pinned++
	case n == nil:
		n = &node{}
		if err := l.tree.used.reserve(int64(len(e.Content)+len(e.Target)), 1); err != nil {
			return err
		}
		attachAs(n, parent, name, e.Mode)
	default:
		if err := l.link(n, e); err != nil {
			return err
		}
		attachAs(n, parent, name, e.Mode)
		return nil
	}
	n.inode, n.mode, n.owner, n.group = e.Inode, e.Mode, e.Owner, e.Group
	n.modified, n.accessed, n.target = e.Modified, e.Accessed, e.Target
	if e.Mode.IsRegular() {
		n.content.replace(e.Content)
	}
	l.made[e.Inode] = n
	return nil
}

// there is what already has a name; the top has none.
func (l *imageLoader) there(parent *node, name string) *node {
	if parent == nil {
		return l.tree.top
	}
	return parent.entries.get(name)
}

// attachAs gives a node a name, and no time passes.
func attachAs(n, parent *node, name string, mode fs.FileMode) {
	n.links++
	parent.entries.put(name, n)
	if mode.IsDir() {
		n.parent, n.name, n.area = parent, name, parent.area
	}
}

// place finds the folder of a path. That of the top is nil.
func (l *imageLoader) place(name string) (parent *node, base string, err error) {
	if !strings.HasPrefix(name, "/") || path.Clean(name) != name || ValidatePath(name) != nil {
		return nil, "", fmt.Errorf("%w: a path is none", ErrImage)
	}
	if name == "/" {
		return nil, "", nil
	}
	at := l.tree.top
	rest := name[1:]
	for {
		first, after, more := strings.Cut(rest, "/")
		if !more {
			return at, first, nil
		}
		next := at.entries.get(first)
		if next == nil || !next.isDir() || l.made[next.inode] != next {
			return nil, "", fmt.Errorf("%w: something is before its folder", ErrImage)
		}
		at, rest = next, after
	}
}

// wrong is what an entry has that nothing in a tree has.
func (l *imageLoader) wrong(e *Entry) string {
	kind := e.Mode.Type()
	switch {
	case e.Mode&^(fs.ModeType|permissions) != 0, kind != 0 && kind != fs.ModeDir && kind != fs.ModeSymlink:
		return "a mode can't be"
	case e.Inode == 0 || e.Inode > l.last:
		return "an inode was never given"
	case e.Owner == "" || e.Group == "":
		return "something has no owner"
	case kind != 0 && len(e.Content) > 0:
		return "something else than a file has content"
	case (kind == fs.ModeSymlink) != (e.Target != ""), e.Target != "" && checkPathText(e.Target) != nil:
		return "a symlink's target can't be"
	}
	return ""
}

// link says whether an entry is another name of what is there.
func (l *imageLoader) link(n *node, e *Entry) error {
	same := !n.isDir() && n.mode == e.Mode && n.owner == e.Owner && n.group == e.Group && n.modified == e.Modified &&
		n.accessed == e.Accessed && n.target == e.Target && (len(e.Content) == 0 || string(n.content.bytes) == string(e.Content))
	if !same {
		return fmt.Errorf("%w: two things have the same inode", ErrImage)
	}
	return l.tree.used.reserve(0, 1)
}
