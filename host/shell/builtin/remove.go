package builtin

import (
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A remover is one rm.
type remover struct {
	c                                      *command
	recursive, force, folders, asks, tells bool
}

func rm(c *command, args []string) int {
	options, names, err := grammar{letters: "rRfdvIi", long: map[string]byte{"recursive": 'r', "force": 'f', "dir": 'd', "verbose": 'v'}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	r, once := remover{c: c}, false
	for _, o := range options {
		switch o.letter {
		case 'r', 'R':
			r.recursive = true
		case 'f':
			r.force, r.asks, once = true, false, false
		case 'i':
			r.force, r.asks, once = false, true, false
		case 'I':
			r.force, r.asks, once = false, false, true
		case 'd':
			r.folders = true
		case 'v':
			r.tells = true
		}
	}
	if len(names) == 0 {
		if r.force {
			return 0
		}
		return c.fail(1, "missing operand")
	}
	if once && (r.recursive || len(names) > 3) && !c.confirmed("remove %s? ", r.count(len(names))) {
		return 0
	}
	for _, name := range names {
		if c.stop() {
			break
		}
		r.operand(name)
	}
	return 0
}

// count says how much is to be removed.
func (r remover) count(n int) string {
	text := strconv.Itoa(n) + " argument"
	if n > 1 {
		text += "s"
	}
	if r.recursive {
		text += " recursively"
	}
	return text
}

// operand removes what the command was given by name.
func (r remover) operand(name string) {
	if last := path.Base(name); name != "" && (last == "." || last == "..") {
		r.c.fail(1, "refusing to remove '.' or '..' directory: skipping '%s'", name)
		return
	}
	info, err := r.c.lstat(name)
	if err != nil {
		r.failed(name, err)
		return
	}
	switch {
	case !info.Mode.IsDir():
		r.file(name, info)
	case !r.recursive && !r.folders:
		r.c.failed(1, "cannot remove", name, workspace.EISDIR)
	case r.recursive && !r.asks && !r.tells && !r.isLinkedFolder(name):
		if err := r.c.Files.RemoveAll(r.c.at(name)); err != nil {
			r.c.failed(1, "cannot remove", name, err)
		}
	default:
		r.folder(name)
	}
}

func (r remover) file(name string, info workspace.Info) {
	if r.asks && !r.c.confirmed("remove %s '%s'? ", fileType(info), name) {
		return
	}
	r.remove("removed '", name)
}

// folder removes what is in a folder, if it may, and the folder.
func (r remover) folder(name string) {
	list, err := r.c.Files.ReadDir(r.c.at(name))
	if err != nil {
		r.c.failed(1, "cannot remove", name, err)
		return
	}
	if r.recursive && len(list) > 0 {
		if r.asks && !r.c.confirmed("descend into directory '%s'? ", name) {
			return
		}
		for _, info := range list {
			if r.c.stop() {
				return
			}
			if child := joined(strings.TrimRight(name, "/"), info.Name); info.Mode.Type() == fs.ModeDir {
				r.folder(child)
			} else {
				r.file(child, info)
			}
		}
	}
	if !r.asks || r.c.confirmed("remove directory '%s'? ", name) {
		r.remove("removed directory '", name)
	}
}

func (r remover) remove(what, name string) {
	if r.isLinkedFolder(name) {
		r.failed(name, workspace.ENOTDIR) // its name is that of the link
		return
	}
	if err := r.c.Files.Remove(r.c.at(name)); err != nil {
		r.failed(name, err)
	} else if r.tells {
		r.c.print(what, name, "'\n")
	}
}

// isLinkedFolder reports whether a name such as l/ is that of a folder behind a symlink.
func (r remover) isLinkedFolder(name string) bool {
	if !strings.HasSuffix(name, "/") {
		return false
	}
	info, err := r.c.lstat(strings.TrimRight(name, "/"))
	return err == nil && info.Mode.Type() == fs.ModeSymlink
}

// failed tells of what can't be removed; with -f, what isn't there is no failure.
func (r remover) failed(name string, err error) {
	if errno := shell.Errno(err); !r.force || errno != workspace.ENOENT && errno != workspace.ENOTDIR {
		r.c.failed(1, "cannot remove", name, err)
	}
}
