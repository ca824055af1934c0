package builtin

import (
	"io/fs"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/paths"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func mkdir(c *command, args []string) int {
	options, names, err := grammar{letters: "pvm:", long: map[string]byte{"parents": 'p', "mode": 'm', "verbose": 'v'}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing operand")
	}
	parents, mode := false, 0o777&^c.Umask
	above := mode | 0o300 // as the rest has to be made in it
	for _, o := range options {
		switch o.letter {
		case 'p':
			parents = true
		case 'm':
			if mode, err = parseMode(o.value, 0o777, true, c.Umask); err != nil {
				return c.badUsage(1, err)
			}
		}
	}
	for _, name := range names {
		if name == "" {
			c.failed(1, "cannot create directory", name, workspace.ENOENT)
			continue
		}
		if parents && c.isFolder(name) {
			continue
		}
		if parents {
			err = c.Files.MkdirAll(parent(c.at(name)), workspace.Exactly(above))
		}
		if err == nil || !parents {
			err = c.Files.Mkdir(c.at(name), workspace.Exactly(mode))
		}
		if err != nil {
			c.failed(1, "cannot create directory", name, err)
		}
	}
	return 0
}

func rmdir(c *command, args []string) int {
	set, names, err := grammar{letters: "pv"}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing operand")
	}
	for _, name := range names {
		for {
			info, err := c.lstat(name)
			if err == nil && !info.Mode.IsDir() {
				err = workspace.ENOTDIR
			}
			if err == nil {
				err = c.Files.Remove(c.at(name))
			}
			if err != nil {
				c.failed(1, "failed to remove", name, err)
				break
			}
			if name = path.Dir(name); !set['p'] || name == "." || name == "/" {
				break
			}
		}
	}
	return 0
}

func rm(c *command, args []string) int {
	set, names, err := grammar{letters: "rRfdvIi", long: map[string]byte{"recursive": 'r', "force": 'f', "dir": 'd', "verbose": 'v'}}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		if set['f'] {
			return 0
		}
		return c.fail(1, "missing operand")
	}
	for _, name := range names {
		if err := c.remove(name, set); err != "" {
			c.fail(1, "%s", err)
		} else if set['v'] {
			c.print("removed '", name, "'\n")
		}
	}
	return 0
}

// remove says why it can't.
func (c *command) remove(name string, set map[byte]bool) string {
	info, err := c.lstat(name)
	if err != nil {
		if errno := shell.Errno(err); !set['f'] || errno != workspace.ENOENT && errno != workspace.ENOTDIR {
			return "cannot remove '" + name + "': " + shell.ErrorText(err)
		}
		return ""
	}
	if last := path.Base(name); last == "." || last == ".." {
		return "refusing to remove '.' or '..' directory: skipping '" + name + "'"
	}
	switch recursive := set['r'] || set['R']; {
	case !info.Mode.IsDir():
		err = c.Files.Remove(c.at(name))
	case recursive:
		err = c.Files.RemoveAll(c.at(name))
	case set['d']:
		err = c.Files.Remove(c.at(name))
	default:
		return "cannot remove '" + name + "': " + workspace.EISDIR.Text()
	}
	if err != nil {
		return "cannot remove '" + name + "': " + shell.ErrorText(err)
	}
	return ""
}

func touch(c *command, args []string) int {
	options, names, err := grammar{letters: "acmhd:t:r:", long: map[string]byte{"no-create": 'c', "date": 'd', "reference": 'r'}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing file operand")
	}
	create, now := true, c.Files.Now()
	for _, o := range options {
		switch o.letter {
		case 'c':
			create = false
		case 'r':
			info, err := c.stat(o.value)
			if err != nil {
				return c.fail(1, "failed to get attributes of '%s': %s", o.value, shell.ErrorText(err))
			}
			now = info.Modified
		case 'd', 't':
			at, ok := parseTime(o.value, c.Files.Now())
			if !ok {
				return c.fail(1, "invalid date format '%s'", o.value)
			}
			now = at
		}
	}
	for _, name := range names {
		if _, err := c.stat(name); err != nil {
			if !create {
				continue
			}
			if strings.HasSuffix(name, "/") {
				c.fail(1, "setting times of '%s': %s", name, shell.ErrorText(err))
				continue
			}
			if err := c.writeFile(name, nil, true); err != nil {
				c.fail(1, "cannot touch '%s': %s", name, shell.ErrorText(err))
				continue
			}
		}
		found, err := paths.Real(c.Files, c.at(name))
		if err == nil {
			err = c.Files.SetTimes(found, &now, &now)
		}
		if err != nil {
			c.fail(1, "cannot touch '%s': %s", name, shell.ErrorText(err))
		}
	}
	return 0
}

func ln(c *command, args []string) int {
	set, names, err := grammar{letters: "sfnvrT", long: map[string]byte{"symbolic": 's', "force": 'f', "no-dereference": 'n'}}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing file operand")
	}
	if len(names) == 1 {
		names = append(names, path.Base(names[0]))
	}
	targets, to := names[:len(names)-1], names[len(names)-1]
	into := c.isFolder(to) && !set['T']
	if info, err := c.lstat(to); err == nil && set['n'] && info.Mode&fs.ModeSymlink != 0 {
		into = false
	}
	for _, target := range targets {
		name := to
		if into {
			name = joined(to, path.Base(target))
		}
		if set['f'] {
			if info, err := c.lstat(name); err == nil && !info.Mode.IsDir() {
				_ = c.Files.Remove(c.at(name)) // what is wrong shows next
			}
		}
		kind := "hard"
		if set['s'] {
			kind, err = "symbolic", c.Files.Symlink(target, c.at(name))
		} else {
			err = c.Files.Link(c.at(target), c.at(name))
		}
		if err != nil {
			c.fail(1, "failed to create %s link '%s': %s", kind, name, shell.ErrorText(err))
		}
	}
	return 0
}

func (c *command) isFolder(name string) bool {
	info, err := c.stat(name)
	return err == nil && info.Mode.IsDir()
}

func chmod(c *command, args []string) int {
	recursive := false
	for len(args) > 0 && (args[0] == "-R" || args[0] == "-v" || args[0] == "-f" || args[0] == "--") {
		recursive = recursive || args[0] == "-R"
		args = args[1:]
	}
	if len(args) < 2 {
		return c.fail(1, "missing operand")
	}
	c.changeAll(args[1:], recursive, func(name string, info workspace.Info) error {
		mode, err := parseMode(args[0], info.Mode, info.Mode.IsDir(), c.Umask)
		if err != nil {
			return err
		}
		return c.Files.Chmod(c.at(name), mode)
	})
	return 0
}

func chown(c *command, args []string) int {
	set, names, err := grammar{letters: "Rhvf"}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) < 2 {
		return c.fail(1, "missing operand")
	}
	owner, group, _ := strings.Cut(names[0], ":")
	if c.name == "chgrp" {
		owner, group = "", names[0]
	}
	c.changeAll(names[1:], set['R'], func(name string, _ workspace.Info) error {
		return c.Files.Chown(c.at(name), owner, group)
	})
	return 0
}

// changeAll changes files, and what is in folders.
func (c *command) changeAll(names []string, recursive bool, change func(name string, info workspace.Info) error) {
	for _, name := range names {
		if c.stop() {
			return
		}
		info, err := c.stat(name)
		if err != nil {
			c.fail(1, "cannot access '%s': %s", name, shell.ErrorText(err))
			continue
		}
		if err := change(name, info); err != nil {
			c.fail(1, "changing '%s': %s", name, shell.ErrorText(err))
			return
		}
		if !recursive || !info.Mode.IsDir() {
			continue
		}
		list, _ := c.Files.ReadDir(c.at(name)) // it is a folder
		for _, child := range list {
			if c.stop() {
				return
			}
			if child.Mode&fs.ModeSymlink == 0 {
				c.changeAll([]string{joined(name, child.Name)}, true, change)
			}
		}
	}
}
