package wasi

// lookupFollow is the flag that a symlink at the end of a path is followed.
const lookupFollow = 1

// path reads a path, which starts at a folder. The specification wants absolute ones
// refused. They are the tree's: Zig gives them as they are, and refusing them would
// keep nothing from a guest, which has the root open anyway.
func (e *Env) path(m memory, offset, n uint32) (string, errno) {
	b, ok := m.view(offset, n)
	switch {
	case !ok:
		return "", efault
	case len(b) == 0:
		return "", enoent
	case len(b) > maxPath:
		return "", enametoolong
	}
	e.owes(pricePath * len(b))
	return string(b), success
}

// maxPath is longer than any path that can be, in bytes.
const maxPath = 4096

// at finds the folder and reads the path that starts there.
func (e *Env) at(m memory, fd uint32, right uint64, path, n uint32) (*descriptor, string, errno) {
	d, err := e.needFolder(fd, right)
	if err != success {
		return nil, "", err
	}
	if e.from == nil {
		e.from = d.handle
	}
	name, err := e.path(m, path, n)
	if err == success && d.above {
		name = "/" + name
	}
	return d, name, err
}

// change does something to the files, at the guest's time. They have a clock of
// their own, on which each change takes time: no file is from the future.
func (e *Env) change(do func() error) errno {
	e.files.AdvanceTo(e.clock.realtime)
	err := do()
	e.clock.advanceTo(e.files.Now())
	return errnoOf(err)
}

func pathCreateDirectory(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightCreateDirectory, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	return e.change(func() error { return d.handle.Mkdir(name, 0) })
}

func pathRemoveDirectory(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightRemoveDirectory, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	return e.change(func() error { return d.handle.Rmdir(name) })
}

func pathUnlinkFile(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightUnlink, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	return e.change(func() error { return d.handle.Unlink(name) })
}

func pathRename(e *Env, m memory, p params) errno {
	if e.fds.get(p.u32(3)) == nil {
		return ebadf
	}
	from, old, err := e.at(m, p.u32(0), rightRenameSource, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	to, name, err := e.at(m, p.u32(3), rightRenameTarget, p.u32(4), p.u32(5))
	if err != success {
		return err
	}
	return e.change(func() error { return from.handle.Rename(old, to.handle, name) })
}

func pathLink(e *Env, m memory, p params) errno {
	if e.fds.get(p.u32(4)) == nil {
		return ebadf
	}
	from, old, err := e.at(m, p.u32(0), rightLinkSource, p.u32(2), p.u32(3))
	if err != success {
		return err
	}
	to, name, err := e.at(m, p.u32(4), rightLinkTarget, p.u32(5), p.u32(6))
	if err != success {
		return err
	}
	follow, err := lookup(p.u32(1))
	if err != success {
		return err
	}
	return e.change(func() error { return from.handle.Link(old, follow, to.handle, name) })
}

// pathSymlink takes any target, as POSIX does: it is following it out of the files
// that fails.
func pathSymlink(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(2), rightSymlink, p.u32(3), p.u32(4))
	if err != success {
		return err
	}
	target, ok := m.view(p.u32(0), p.u32(1))
	switch {
	case !ok:
		return efault
	case len(target) > maxPath:
		return enametoolong
	}
	e.owes(pricePath * len(target))
	return e.change(func() error { return d.handle.Symlink(string(target), name) })
}

// pathReadlink gives as much of the target as there is room for.
func pathReadlink(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightReadlink, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	out, ok1 := m.view(p.u32(3), p.u32(4))
	_, ok2 := m.view(p.u32(5), 4)
	if !ok1 || !ok2 {
		return efault
	}
	target, failed := d.handle.Readlink(name)
	if failed != nil {
		return errnoOf(failed)
	}
	return m.putU32(p.u32(5), uint32(copy(out, target)))
}

// lookup reads the flags that say how a path is looked up.
func lookup(flags uint32) (follow bool, err errno) {
	if flags > lookupFollow {
		return false, einval
	}
	return flags == lookupFollow, success
}
