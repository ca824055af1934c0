package workspace

import (
	"io/fs"
	"path"
	"strings"
)

// Stat tells of what a path leads to, through a symlink at its end as well.
func (t *Tree) Stat(name string) (Info, error) { return t.statInfo(name, true) }

// Lstat is Stat that doesn't follow a symlink at the end.
func (t *Tree) Lstat(name string) (Info, error) { return t.statInfo(name, false) }

func (t *Tree) statInfo(name string, follow bool) (info Info, err error) {
	err = t.on("stat", name, false, func(clean string) error {
		info, err = t.info(t.top, clean, follow)
		return err
	})
	return info, err
}

func (t *Tree) info(base *node, name string, follow bool) (Info, error) {
	p, err := t.stat("stat", base, name, access{follow: follow})
	if err != nil {
		return Info{}, err
	}
	if p.parent == nil {
		return p.node.info("/"), nil
	}
	return p.node.info(p.name), nil
}

// stat finds what is there.
func (t *Tree) stat(op string, base *node, name string, a access) (place, error) {
	a.op = op
	p, err := t.walk(base, name, a)
	if err == nil && p.node == nil {
		return place{}, &fs.PathError{Op: op, Path: name, Err: ENOENT}
	}
	return p, err
}

// Readlink gives the target of a symlink.
func (t *Tree) Readlink(name string) (target string, err error) {
	err = t.on("readlink", name, false, func(clean string) error {
		target, err = t.readlink(t.top, clean)
		return err
	})
	return target, err
}

func (t *Tree) readlink(base *node, name string) (string, error) {
	p, err := t.stat("readlink", base, name, access{})
	if err == nil && !p.node.isSymlink() {
		err = &fs.PathError{Op: "readlink", Path: name, Err: EINVAL}
	}
	if err != nil {
		return "", err
	}
	return p.node.target, nil
}

// Realpath gives the absolute path, without symlinks and dots, of what a path leads
// to. What would come at its end needn't be there. Behind a symlink, ".." is
// the folder above what that leads to, and not, as for the other methods, the symlink's own.
func (t *Tree) Realpath(name string) (resolved string, err error) {
	posix := t.fromRoot(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	p, err := t.walk(t.top, posix, access{op: "realpath", follow: true})
	switch {
	case err != nil:
		return "", err
	case p.node != nil && p.node.isDir():
		return p.node.path(), nil
	default:
		return path.Join(p.parent.path(), p.name), nil
	}
}

// RealpathMissing is Realpath of what needn't be there, nor the folders that it would be
// in: the path goes on from the first name that is missing as it is.
func (t *Tree) RealpathMissing(name string) (string, error) {
	posix := t.fromRoot(name)
	if err := checkPathText(posix); err != nil {
		return "", pathError("realpath", posix, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	w := walker{tree: t, at: t.top, rest: posix, follow: true}
	_, err := w.run()
	if reason := w.permit(posix, false); reason != nil {
		err = reason
	} else if err == ENOENT {
		err = nil
	}
	if err != nil {
		return "", pathError("realpath", posix, err)
	}
	return w.resolved(), nil
}

// fromRoot makes a path that isn't absolute one that starts at the root.
func (t *Tree) fromRoot(name string) string {
	posix := slashed(name)
	if !strings.HasPrefix(posix, "/") && posix != "" {
		posix = t.policy.Root() + "/" + posix
	}
	return posix
}

// Chmod sets the permissions of what a path leads to.
func (t *Tree) Chmod(name string, mode fs.FileMode) error {
	return t.on("chmod", name, true, func(clean string) error {
		p, err := t.stat("chmod", t.top, clean, access{follow: true, write: true})
		if err != nil {
			return err
		}
		p.node.mode = p.node.mode.Type() | mode&permissions
		return nil
	})
}

// Chown sets the owner and group of what a path leads to. "" leaves one as it is.
func (t *Tree) Chown(name, owner, group string) error {
	return t.on("chown", name, true, func(clean string) error {
		p, err := t.stat("chown", t.top, clean, access{follow: true, write: true})
		if err != nil {
			return err
		}
		if owner != "" {
			p.node.owner = owner
		}
		if group != "" {
			p.node.group = group
		}
		return nil
	})
}

// SetTimes sets the times of what a path leads to, in nanoseconds since 1970. Nil
// leaves one as it is. A symlink at the end isn't followed.
func (t *Tree) SetTimes(name string, accessed, modified *int64) error {
	return t.on("utimes", name, true, func(clean string) error {
		return t.setTimes(t.top, clean, false, accessed, modified)
	})
}

func (t *Tree) setTimes(base *node, name string, follow bool, accessed, modified *int64) error {
	p, err := t.stat("utimes", base, name, access{follow: follow, write: true})
	if err == nil {
		p.node.setTimes(accessed, modified)
	}
	return err
}

func (n *node) setTimes(accessed, modified *int64) {
	if accessed != nil {
		n.accessed = *accessed
	}
	if modified != nil {
		n.modified = *modified
	}
}
