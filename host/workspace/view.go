package workspace

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// A View is a tree as somebody uses it. Each operation is atomic: it asks for the
// rights, as [Tree.Access] does, makes what is to be made, and gives that to the
// actor with all folders that are made on the way to it. Without the rights it fails
// with an *[fs.PathError] whose Op is "access".
type View struct {
	tree  *Tree
	actor Actor
}

// As gives the tree as somebody uses it. What somebody makes whose name is "" belongs
// to the tree's owner.
func (t *Tree) As(a Actor) View { return View{t, a} }

// on does something with a path, under the tree's lock, if the actor may.
func (v View) on(op, name string, want Permission, do func(clean string) error) error {
	return v.tree.on(op, name, want&MayWrite != 0, func(clean string) error {
		if err := v.tree.access(clean, v.actor, want); err != nil {
			return pathError("access", clean, err)
		}
		return do(clean)
	})
}

// Open is [Tree.Open].
func (v View) Open(name string, o OpenOptions) (opened *Handle, err error) {
	o.owner = v.actor.User
	err = v.tree.on("open", name, o.changes(), func(clean string) error {
		if err := v.tree.access(clean, v.actor, v.wanted(clean, o)); err != nil {
			return pathError("access", clean, err)
		}
		opened, err = v.tree.handle(v.tree.top, clean, o)
		return err
	})
	return opened, err
}

// wanted are the rights that opening something needs. What isn't there is made.
func (v View) wanted(clean string, o OpenOptions) (want Permission) {
	if p, err := v.tree.lead(v.tree.top, clean, access{follow: true}); o.Create && err == nil && p.node == nil {
		return MayWrite
	}
	if o.Read {
		want |= MayRead
	}
	if o.Write || o.Append || o.Truncate {
		want |= MayWrite
	}
	return want
}

// WriteFile is [Tree.WriteFile].
func (v View) WriteFile(name string, content []byte, mode fs.FileMode) error {
	return v.on("open", name, MayWrite, func(clean string) error {
		return v.tree.writeFile(v.tree.top, clean, content, mode, v.actor.User)
	})
}

// WriteFileAll is WriteFile that makes the folders that lead to the file. If it
// fails, none is made.
func (v View) WriteFileAll(name string, content []byte, mode fs.FileMode) error {
	return v.on("open", name, MayWrite, func(clean string) error {
		if err := v.tree.sproutFor(clean, int64(len(content)), v.actor.User); err != nil {
			return pathError("mkdir", clean, err)
		}
		return v.tree.writeFile(v.tree.top, clean, content, mode, v.actor.User)
	})
}

// sproutFor makes the folders of a file that is to be made, if it can be.
func (t *Tree) sproutFor(clean string, size int64, owner string) error {
	if _, err := t.lead(t.top, clean, access{follow: true}); !errors.Is(err, ENOENT) {
		return nil // what is wrong shows when it is written
	}
	at, missing, err := t.sprouting(path.Dir(clean))
	if err != nil || missing == "" {
		return err
	}
	whole := missing + "/" + path.Base(clean)
	if err := t.sproutable(at, whole, usage{bytes: size, files: strings.Count(whole, "/") + 1}); err != nil {
		return err
	}
	t.sproutFolders(at, missing, 0, owner)
	return nil
}

// Mkdir is [Tree.Mkdir].
func (v View) Mkdir(name string, mode fs.FileMode) error {
	return v.on("mkdir", name, MayWrite, func(clean string) error {
		return v.tree.mkdir(v.tree.top, clean, mode, v.actor.User)
	})
}

// MkdirAll is [Tree.MkdirAll].
func (v View) MkdirAll(name string, mode fs.FileMode) error {
	return v.on("mkdir", name, MayWrite, func(clean string) error {
		return pathError("mkdir", clean, v.tree.mkdirAll(clean, mode, v.actor.User))
	})
}
