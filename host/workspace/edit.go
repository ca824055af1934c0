package workspace

import (
	"bytes"
	"errors"
)

// ErrChanged is what an edit fails with whose file isn't what it was any more.
var ErrChanged = errors.New("the file has changed")

// Edit replaces the content of a file that was read before. It fails with an error that
// wraps [ErrChanged], and does nothing, if the content isn't what it was, or is gone. So
// what others write between the read and the edit is never lost.
//
// The new content goes to the target, with the folders that lead there, as in
// [View.WriteFileAll]; unless that is the same file, the old name is removed, and what is
// only there under it makes room. The tree keeps the content, which must not be changed
// any more.
func (t *Tree) Edit(name, target string, was, content []byte) error {
	return t.on("open", name, true, func(from string) error {
		to, err := t.clean("open", target, true)
		if err != nil {
			return err
		}
		source, err := t.stat("open", t.top, from, access{follow: true, write: true})
		switch {
		case errors.Is(err, ENOENT), err == nil && !bytes.Equal(source.node.content.bytes, was):
			return pathError("open", from, ErrChanged)
		case err != nil:
			return err
		case source.node.isDir():
			return pathError("open", from, EISDIR)
		}
		if goal, err := t.resolve(t.top, to, access{follow: true}); err == nil && goal.node == source.node {
			return t.writeFile(t.top, to, content, 0, "")
		}
		return t.replaceBy(from, to, content)
	})
}

// replaceBy writes a file, and removes another one, whose room it may take.
func (t *Tree) replaceBy(old, name string, content []byte) error {
	p, err := t.stat("remove", t.top, old, access{write: true})
	if err != nil {
		return err
	}
	bytes, files := p.node.freed()
	_ = t.used.reserve(-bytes, -files) // giving back can't fail
	err = t.writeFileAll(name, content, 0, "")
	t.used.bytes += bytes
	t.used.files += files
	if err == nil {
		t.detach(p.node, p.parent, p.name)
	}
	return err
}

// freed is what a tree gets back when a node loses a name.
func (n *node) freed() (bytes int64, files int) {
	switch {
	case n.links > 1:
		return 0, 1
	case n.opened > 0: // it stays until it is closed
		return 0, 0
	default:
		return n.size(), 1
	}
}
