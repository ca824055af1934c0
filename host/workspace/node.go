package workspace

import "io/fs"

// A node is a file, folder or symlink. It is read and written under its tree's
// lock.
type node struct {
	inode        uint64
	mode         fs.FileMode // type and permissions
	links        int32       // names of it; a folder has one
	opened       int32       // handles on it
	modified     int64       // nanoseconds since 1970
	accessed     int64
	owner, group string

	content content // of a file
	target  string  // of a symlink

	// Of a folder.
	parent  *node  // nil: the top, or removed
	name    string // in its parent
	entries entries
	area    *area // that it is in; nil: none
	pinned  bool  // a root or grant, or above one: it stays where it is
}

// An area is a part of the tree that may be used: the root, or a grant.
type area struct {
	path     string
	readOnly bool
}

// permissions are the bits of a mode that can be set.
const permissions = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// exact marks a mode that is meant as it is. Nothing in a tree is irregular.
const exact = fs.ModeIrregular

// Exactly marks a mode as given: 0 then means no permissions, and not the default ones.
func Exactly(mode fs.FileMode) fs.FileMode { return mode&permissions | exact }

// orMode gives the permissions of a mode, or other ones if it has none.
func orMode(mode, standard fs.FileMode) fs.FileMode {
	if mode&exact == 0 && mode.Perm() == 0 {
		mode |= standard
	}
	return mode & permissions
}

func (n *node) isDir() bool     { return n.mode.IsDir() }
func (n *node) isSymlink() bool { return n.mode&fs.ModeSymlink != 0 }

// size is what POSIX calls the size, and what is counted as the node's bytes.
func (n *node) size() int64 { return int64(n.content.size() + len(n.target)) }

// isBelowOf reports whether a folder is another one, or somewhere in it.
func (n *node) isBelowOf(other *node) bool {
	for ; n != nil; n = n.parent {
		if n == other {
			return true
		}
	}
	return false
}

// enter makes an area that of a folder and of all folders in it.
func (t *Tree) enter(n *node, a *area) {
	if n.area == a {
		return
	}
	n.area = a
	t.work.Nodes += n.entries.len()
	for _, child := range n.entries.byName {
		if child.isDir() {
			t.enter(child, a)
		}
	}
}

// pathLength is how long the path of a folder is, with a slash at its end.
func (n *node) pathLength() int {
	length := 1
	for ; n.parent != nil; n = n.parent {
		length += len(n.name) + 1
	}
	return length
}

// path is the absolute path of a folder.
func (n *node) path() string {
	if n.parent == nil {
		return "/"
	}
	end := n.pathLength() - 1
	whole := make([]byte, end)
	for ; n.parent != nil; n = n.parent {
		end -= len(n.name)
		copy(whole[end:], n.name)
		end--
		whole[end] = '/'
	}
	return string(whole)
}

// reach is how long the longest path is from a folder to something in it, with a
// slash at its beginning.
func (t *Tree) reach(n *node) int {
	t.work.Nodes += n.entries.len()
	longest := 0
	for name, child := range n.entries.byName {
		longest = max(longest, 1+len(name)+t.reach(child))
	}
	return longest
}
