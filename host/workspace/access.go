package workspace

import (
	"io/fs"
	"slices"
)

// A Permission is what somebody wants to do, as a set of bits.
type Permission uint8

// The permissions. To execute a folder is to reach what is in it.
const (
	MayExecute Permission = 1 << iota
	MayWrite
	MayRead
)

// superuser may do everything.
const superuser = "root"

// An Actor is somebody who wants to do something. Everybody is in the group of
// their own name, and nobody is a user named "": that, and root, may do
// everything.
type Actor struct {
	User   string
	Groups []string
}

func (a Actor) mayAll() bool { return a.User == "" || a.User == superuser }

// Access reports whether somebody may use a path, as the command test -r, -w or -x
// does for a user (S6.12). Permissions are those of the owner, the group or
// everybody else; the folders on the way have to let pass. What is only to be
// written needn't be there: then the folder where it, or its first missing parent,
// would come has to be writable. Without wanted permissions it has to be there.
//
// The tree's operations don't ask for permissions: those of a [View] do, for those
// who act for somebody.
func (t *Tree) Access(name string, a Actor, want Permission) error {
	return t.on("access", name, want&MayWrite != 0, func(clean string) error {
		return pathError("access", clean, t.access(clean, a, want))
	})
}

func (t *Tree) access(name string, a Actor, want Permission) error {
	if err := checkPathText(name); err != nil {
		return err
	}
	w := walker{tree: t, at: t.top, rest: name, follow: true}
	if !a.mayAll() {
		w.search = func(folder *node) error { return folder.grants(a, MayExecute) }
	}
	p, err := w.run()
	if reason := w.permit(name, want&MayWrite != 0); reason != nil {
		return reason
	}
	switch missing := err == ENOENT || err == nil && p.node == nil; {
	case missing && want == MayWrite:
		return w.at.grants(a, MayWrite|MayExecute)
	case missing:
		return ENOENT
	case err != nil:
		return err
	default:
		return p.node.grants(a, want)
	}
}

// grants says why somebody may not use a node, without looking at where it is.
func (n *node) grants(a Actor, want Permission) error {
	bits := n.mode.Perm()
	switch {
	case a.mayAll():
		return nil
	case n.owner == a.User:
		bits >>= 6
	case n.group == a.User || slices.Contains(a.Groups, n.group):
		bits >>= 3
	}
	if missing := fs.FileMode(want) &^ bits; missing != 0 {
		return EACCES
	}
	return nil
}
