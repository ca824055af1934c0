package builtin

import (
	"io"
	"io/fs"
	"path"
	"slices"
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
	parents, tells, mode := false, false, 0o777&^c.Umask
	above := mode | 0o300 // as the rest has to be made in it
	for _, o := range options {
		switch o.letter {
		case 'p':
			parents = true
		case 'v':
			tells = true
		case 'm':
			if mode, err = parseMode(o.value, 0o777, true, c.Umask); err != nil {
				return c.badUsage(1, err)
			}
		}
	}
	for _, name := range names {
		if name == "" || name[0] != '/' && !c.isFolder(".") { // or the working folder was removed
			c.failed(1, "cannot create directory", name, workspace.ENOENT)
			continue
		}
		if parents && c.isFolder(name) {
			continue
		}
		made := []string{name}
		if parents && tells {
			made = append(made, c.missingAbove(name)...)
		}
		if parents {
			err = c.Files.MkdirAll(parent(c.at(name)), workspace.Exactly(above))
		}
		if err == nil || !parents {
			err = c.Files.Mkdir(c.at(name), workspace.Exactly(mode))
		}
		if err != nil {
			c.failed(1, "cannot create directory", name, err)
			continue
		}
		for _, folder := range slices.Backward(made) {
			if tells {
				c.print("mkdir: created directory '", folder, "'\n")
			}
		}
	}
	return 0
}

// missingAbove lists the folders that a path goes through and that aren't there, the last one
// first.
func (c *command) missingAbove(name string) (missing []string) {
	for folder := parent(name); folder != "/" && !c.isFolder(folder); folder = parent(folder) {
		missing = append(missing, folder)
	}
	return missing
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
			if set['v'] {
				c.print("rmdir: removing directory, '", name, "'\n")
			}
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

func touch(c *command, args []string) int {
	options, names, err := grammar{letters: "acmd:t:r:", long: map[string]byte{"no-create": 'c', "date": 'd', "reference": 'r'}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing file operand")
	}
	create, now := true, c.Files.Now()
	var accessed, modified *int64
	for _, o := range options {
		switch o.letter {
		case 'a':
			accessed = &now
		case 'm':
			modified = &now
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
	if accessed == nil && modified == nil {
		accessed, modified = &now, &now
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
			err = c.Files.SetTimes(found, accessed, modified)
		}
		if err != nil {
			c.fail(1, "cannot touch '%s': %s", name, shell.ErrorText(err))
		}
	}
	return 0
}

func ln(c *command, args []string) int {
	set, names, err := grammar{letters: "sfnvT", long: map[string]byte{"symbolic": 's', "force": 'f', "no-dereference": 'n', "verbose": 'v'}}.flags(args)
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
		kind, arrow := "hard", "=>"
		if set['s'] {
			kind, arrow, err = "symbolic", "->", c.Files.Symlink(target, c.at(name))
		} else {
			err = c.Files.Link(c.at(target), c.at(name))
		}
		if err != nil {
			c.fail(1, "failed to create %s link '%s': %s", kind, name, shell.ErrorText(err))
		} else if set['v'] {
			c.print("'", name, "' ", arrow, " '", target, "'\n")
		}
	}
	return 0
}

func (c *command) isFolder(name string) bool {
	info, err := c.stat(name)
	return err == nil && info.Mode.IsDir()
}

// changeGrammar is that of chmod, chown and chgrp.
var changeGrammar = grammar{letters: "Rf", long: map[string]byte{"recursive": 'R', "silent": 'f', "quiet": 'f'}}

func chmod(c *command, args []string) int {
	options, operands := withoutModes(args)
	set, _, err := changeGrammar.flags(options)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(operands) < 2 {
		return c.fail(1, "missing operand")
	}
	if _, err := parseMode(operands[0], 0, false, c.Umask); err != nil {
		return c.badUsage(1, err)
	}
	if set['f'] {
		c.Stderr = io.Discard
	}
	c.changeAll(operands[1:], set['R'], func(name string, info workspace.Info) error {
		mode, err := parseMode(operands[0], info.Mode, info.Mode.IsDir(), c.Umask)
		if err != nil {
			return err
		}
		return c.Files.Chmod(c.at(name), mode)
	})
	return 0
}

// withoutModes tells options from operands. A mode such as -x is one of the latter.
func withoutModes(args []string) (options, operands []string) {
	for i, arg := range args {
		switch {
		case arg == "--":
			return options, append(operands, args[i+1:]...)
		case len(arg) > 1 && arg[0] == '-' && !strings.ContainsRune("rwxXst", rune(arg[1])):
			options = append(options, arg)
		default:
			operands = append(operands, arg)
		}
	}
	return options, operands
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
