package builtin

import (
	"io/fs"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A copier is one cp or mv.
type copier struct {
	c                              *command
	recursive, follow, keep, tells bool
	over                           overwriting
}

// target takes the operands apart: what is copied, and where to.
func (c *command) target(options []option, names []string) (from []string, to string, into, ok bool) {
	exact := false
	for _, o := range options {
		switch o.letter {
		case 't':
			return names, o.value, true, true
		case 'T':
			exact = true
		}
	}
	if len(names) == 0 {
		c.fail(1, "missing file operand")
		return nil, "", false, false
	}
	if len(names) == 1 {
		c.fail(1, "missing destination file operand after '%s'", names[0])
		return nil, "", false, false
	}
	from, to = names[:len(names)-1], names[len(names)-1]
	into = c.isFolder(to) && !exact
	if len(from) > 1 && !into {
		c.fail(1, "target '%s': %s", to, c.whyNoFolder(to))
		return nil, "", false, false
	}
	return from, to, into, true
}

func (c *command) whyNoFolder(name string) string {
	if _, err := c.stat(name); err != nil {
		return shell.ErrorText(err)
	}
	return workspace.ENOTDIR.Text()
}

func cp(c *command, args []string) int {
	options, names, err := grammar{letters: "rRafpdLPHnuvit:T", long: map[string]byte{
		"recursive": 'r', "archive": 'a', "force": 'f', "no-clobber": 'n', "verbose": 'v', "target-directory": 't',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	cp := copier{c: c, follow: true}
	for _, o := range options {
		switch o.letter {
		case 'r', 'R':
			cp.recursive, cp.follow = true, false
		case 'a':
			cp.recursive, cp.follow, cp.keep = true, false, true
		case 'd', 'P':
			cp.follow = false
		case 'L':
			cp.follow = true
		case 'p':
			cp.keep = true
		case 'v':
			cp.tells = true
		default:
			cp.over.option(o.letter)
		}
	}
	from, to, into, ok := c.target(options, names)
	if !ok {
		return 1
	}
	for _, name := range from {
		if c.stop() {
			break
		}
		cp.copy(name, destination(name, to, into), true)
	}
	return 0
}

// destination is where something goes to.
func destination(name, to string, into bool) string {
	if into {
		return joined(strings.TrimRight(to, "/"), path.Base(name))
	}
	return to
}

func (cp copier) copy(name, to string, top bool) {
	c := cp.c
	get := c.lstat
	if cp.follow {
		get = c.stat
	}
	info, err := get(name)
	if err != nil {
		c.fail(1, "cannot stat '%s': %s", name, shell.ErrorText(err))
		return
	}
	if info.Mode.IsDir() {
		cp.folder(name, to, info.Mode)
		return
	}
	other, err := c.stat(to)
	switch {
	case err == nil && cp.over.never:
		return
	case err == nil && other.Inode == info.Inode:
		c.fail(1, "'%s' and '%s' are the same file", name, to)
		return
	case err == nil && other.Mode.IsDir():
		c.fail(1, "cannot overwrite directory '%s' with non-directory", to)
		return
	case err == nil && !c.mayOverwrite(to, info, other, cp.over):
		return
	case err != nil && top && strings.HasSuffix(to, "/"):
		c.fail(1, "cannot create regular file '%s': Not a directory", to)
		return
	}
	if info.Mode&fs.ModeSymlink != 0 {
		_ = c.Files.Remove(c.at(to)) // there may be none
		err = c.Files.Symlink(info.Target, c.at(to))
	} else {
		err = cp.content(name, to, info.Mode)
	}
	if err != nil {
		c.fail(1, "cannot create regular file '%s': %s", to, shell.ErrorText(err))
		return
	}
	if cp.keep && info.Mode&fs.ModeSymlink == 0 {
		_ = c.Files.Chmod(c.at(to), info.Mode) // it was just made
		_ = c.Files.SetTimes(c.at(to), &info.Accessed, &info.Modified)
	}
	cp.tell(name, to)
}

// tell is what -v prints.
func (cp copier) tell(name, to string) {
	if cp.tells {
		cp.c.print("'", name, "' -> '", to, "'\n")
	}
}

func (cp copier) content(name, to string, mode fs.FileMode) error {
	content, err := cp.c.Files.ReadFile(cp.c.at(name))
	if err != nil {
		return err
	}
	return cp.c.Files.WriteFile(cp.c.at(to), content, workspace.Exactly(cp.mode(mode)))
}

// mode is that of a copy, if there is none yet.
func (cp copier) mode(mode fs.FileMode) fs.FileMode {
	if cp.keep {
		return mode
	}
	return mode.Perm() &^ cp.c.Umask
}

func (cp copier) folder(name, to string, mode fs.FileMode) {
	c := cp.c
	if !cp.recursive {
		c.fail(1, "-r not specified; omitting directory '%s'", name)
		return
	}
	if isInside(path.Clean(c.at(to)), path.Clean(c.at(name))) {
		c.fail(1, "cannot copy a directory, '%s', into itself, '%s'", name, to)
		return
	}
	list, err := c.Files.ReadDir(c.at(name))
	if err != nil {
		c.fail(1, "cannot access '%s': %s", name, shell.ErrorText(err))
		return
	}
	if info, err := c.stat(to); err == nil && !info.Mode.IsDir() {
		c.fail(1, "cannot overwrite non-directory '%s' with directory '%s'", to, name)
		return
	} else if err != nil {
		if err := c.Files.Mkdir(c.at(to), workspace.Exactly(cp.mode(mode))); err != nil {
			c.fail(1, "cannot create directory '%s': %s", to, shell.ErrorText(err))
			return
		}
		cp.tell(name, to)
	}
	for _, child := range list {
		if c.stop() {
			return
		}
		cp.copy(joined(name, child.Name), joined(to, child.Name), false)
	}
}

func isInside(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, strings.TrimRight(folder, "/")+"/")
}

func mv(c *command, args []string) int {
	options, names, err := grammar{letters: "fnvuit:T", long: map[string]byte{
		"force": 'f', "no-clobber": 'n', "verbose": 'v', "target-directory": 't',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	from, to, into, ok := c.target(options, names)
	if !ok {
		return 1
	}
	tells, over := false, overwriting{}
	for _, o := range options {
		tells = tells || o.letter == 'v'
		over.option(o.letter)
	}
	for _, name := range from {
		dest := destination(name, to, into)
		if c.move(name, dest, over) && tells {
			c.print("renamed '", name, "' -> '", dest, "'\n")
		}
	}
	return 0
}

// move reports whether it could.
func (c *command) move(name, to string, over overwriting) bool {
	info, err := c.lstat(name)
	if err != nil {
		c.fail(1, "cannot stat '%s': %s", name, shell.ErrorText(err))
		return false
	}
	other, err := c.lstat(to)
	switch {
	case err == nil && over.never:
		return false
	case err == nil && other.Inode == info.Inode:
		c.fail(1, "'%s' and '%s' are the same file", name, to)
		return false
	case err == nil && other.Mode.IsDir() && !info.Mode.IsDir():
		c.fail(1, "cannot overwrite directory '%s' with non-directory", to)
		return false
	case err == nil && !other.Mode.IsDir() && info.Mode.IsDir():
		c.fail(1, "cannot overwrite non-directory '%s' with directory '%s'", to, name)
		return false
	case info.Mode.IsDir() && isInside(path.Clean(c.at(to)), path.Clean(c.at(name))):
		c.fail(1, "cannot move '%s' to a subdirectory of itself, '%s'", name, to)
		return false
	case err == nil && !c.mayOverwrite(to, info, other, over):
		return false
	}
	if err := c.Files.Rename(c.at(name), c.at(to)); err != nil {
		c.fail(1, "cannot move '%s' to '%s': %s", name, to, shell.ErrorText(err))
		return false
	}
	return true
}
