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
		if err := v.allow(clean, want); err != nil {
			return err
		}
		return do(clean)
	})
}

// allow asks for the rights, which somebody who may do everything has: what else is
// wrong with a path shows when it is used.
func (v View) allow(clean string, want Permission) error {
	if v.actor.mayAll() {
		return nil
	}
	return pathError("access", clean, v.tree.access(clean, v.actor, want))
}

// Open is [Tree.Open].
func (v View) Open(name string, o OpenOptions) (opened *Handle, err error) {
	o.owner = v.actor.User
	err = v.tree.on("open", name, o.changes(), func(clean string) error {
		if err := v.allow(clean, v.wanted(clean, o)); err != nil {
			return err
		}
		opened, err = v.tree.handle(v.tree.top, clean, o)
		return err
	})
	return opened, err
}

// wanted are the rights that opening something needs. What isn't there is made.
func (v View) wanted(clean string, o OpenOptions) (want Permission) {
	if p, err := v.tree.resolve(v.tree.top, clean, access{follow: true}); o.Create && err == nil && p.node == nil {
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

// ReadFile is [Tree.ReadFile].
func (v View) ReadFile(name string) (content []byte, err error) {
	err = v.on("open", name, MayRead, func(clean string) error {
		content, _, err = v.tree.readFile(v.tree.top, clean)
		return err
	})
	return content, err
}

// List tells of what is in a folder, as [Tree.ReadDir] does, which needs the right to
// read it, or of what else is there alone, which needs none. No symlink at the end is
// followed. The caller owns the slice.
func (v View) List(name string) (list []Info, folder bool, err error) {
	err = v.tree.on("open", name, false, func(clean string) error {
		info, err := v.tree.info(v.tree.top, clean, false)
		if err != nil {
			return err
		}
		if folder = info.Mode.IsDir(); !folder {
			list = []Info{info}
			return nil
		}
		if err := v.allow(clean, MayRead); err != nil {
			return err
		}
		list, err = v.tree.readDir(v.tree.top, clean)
		return err
	})
	return list, folder, err
}

// Unlink removes a file or symlink. It needs the right to write to the folder that it
// is in, as all that removes does.
func (v View) Unlink(name string) error { return v.removing(name, v.tree.unlinkFile) }

// RemoveAll is [Tree.RemoveAll].
func (v View) RemoveAll(name string) error {
	return v.removing(name, func(clean string) error { return v.tree.removeAll(v.tree.top, clean) })
}

func (v View) removing(name string, do func(clean string) error) error {
	return v.tree.on("remove", name, true, func(clean string) error {
		if clean != v.tree.policy.root { // which can't be removed anyway
			if err := v.allow(path.Dir(clean), MayWrite); err != nil {
				return err
			}
		}
		return do(clean)
	})
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
		return v.tree.writeFileAll(clean, content, mode, v.actor.User)
	})
}

func (t *Tree) writeFileAll(clean string, content []byte, mode fs.FileMode, owner string) error {
	if err := t.makeParents(clean, int64(len(content)), owner); err != nil {
		return pathError("mkdir", clean, err)
	}
	return t.writeFile(t.top, clean, content, mode, owner)
}

// makeParents makes the folders of a file that is to be made, if it can be.
func (t *Tree) makeParents(clean string, size int64, owner string) error {
	if _, err := t.resolve(t.top, clean, access{follow: true}); !errors.Is(err, ENOENT) {
		return nil // what is wrong shows when it is written
	}
	at, missing, err := t.findMissing(path.Dir(clean))
	if err != nil || missing == "" {
		return err
	}
	whole := missing + "/" + path.Base(clean)
	if err := t.checkRoomFor(at, whole, usage{bytes: size, files: strings.Count(whole, "/") + 1}); err != nil {
		return err
	}
	t.makeFolders(at, missing, 0, owner)
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
