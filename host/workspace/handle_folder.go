package workspace

import "io/fs"

// What follows are the operations on what a folder leads to.

// Open is [Tree.Open] from the folder.
func (h *Handle) Open(name string, o OpenOptions) (opened *Handle, err error) {
	err = h.on("open", name, func() error {
		opened, err = h.tree.handle(h.node, name, o)
		return err
	})
	return opened, err
}

// ReadDir lists a folder, in the order of the bytes of the names. The caller owns
// the slice.
func (h *Handle) ReadDir() (list []Info, err error) {
	err = h.on("readdir", h.name, func() error {
		list, err = h.node.list(h.name)
		return err
	})
	return list, err
}

// Stat tells of what a path leads to; follow says whether a symlink at its end is
// followed.
func (h *Handle) Stat(name string, follow bool) (info Info, err error) {
	err = h.on("stat", name, func() error {
		info, err = h.tree.info(h.node, name, follow)
		return err
	})
	return info, err
}

// Mkdir makes a folder. The mode 0 means DefaultDirMode, unless [Exactly] gave
// it.
func (h *Handle) Mkdir(name string, mode fs.FileMode) error {
	return h.on("mkdir", name, func() error { return h.tree.mkdir(h.node, name, mode, "") })
}

// Unlink removes a file or symlink.
func (h *Handle) Unlink(name string) error {
	return h.on("unlink", name, func() error { return h.tree.unlink(h.node, name) })
}

// Rmdir removes an empty folder.
func (h *Handle) Rmdir(name string) error {
	return h.on("rmdir", name, func() error { return h.tree.rmdir(h.node, name) })
}

// Rename moves what is at a path to another one, from another folder of the same
// tree.
func (h *Handle) Rename(old string, to *Handle, name string) error {
	return h.with("rename", old, to, func() error { return h.tree.rename(h.node, old, to.node, name) })
}

// Link gives a file another name, in another folder of the same tree.
func (h *Handle) Link(old string, follow bool, to *Handle, name string) error {
	return h.with("link", old, to, func() error { return h.tree.link(h.node, old, to.node, name, follow) })
}

// with is on for two folders.
func (h *Handle) with(op, name string, to *Handle, do func() error) error {
	if to.tree != h.tree {
		return &fs.PathError{Op: op, Path: name, Err: EXDEV}
	}
	return h.on(op, name, func() error {
		if to.closed {
			return &fs.PathError{Op: op, Path: name, Err: EBADF}
		}
		return do()
	})
}

// Symlink makes a symlink to a target, wherever that leads.
func (h *Handle) Symlink(target, name string) error {
	return h.on("symlink", name, func() error { return h.tree.symlink(target, h.node, name) })
}

// Readlink gives the target of a symlink.
func (h *Handle) Readlink(name string) (target string, err error) {
	err = h.on("readlink", name, func() error {
		target, err = h.tree.readlink(h.node, name)
		return err
	})
	return target, err
}

// SetTimesAt is SetTimes for what a path leads to.
func (h *Handle) SetTimesAt(name string, follow bool, accessed, modified *int64) error {
	return h.on("utimes", name, func() error {
		return h.tree.setTimes(h.node, name, follow, accessed, modified)
	})
}
