package builtin

import (
	"io"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// user finds a user that exists, by name.
func (c *command) user(name string) (shell.User, bool) {
	if name == c.User.Name {
		return c.User, true
	}
	return c.Accounts.User(name)
}

// groupID finds the number of a group that exists, by name.
func (c *command) groupID(name string) (int, bool) {
	if name == c.User.Name {
		return c.User.GID, true
	}
	return c.Accounts.GroupID(name)
}

func whoami(c *command, _ []string) int {
	c.print(c.User.Name, "\n")
	return 0
}

func id(c *command, args []string) int {
	set, names, err := grammar{letters: "ugnrG", long: map[string]byte{
		"user": 'u', "group": 'g', "groups": 'G', "name": 'n', "real": 'r',
	}}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	which := 0
	for _, letter := range "ugG" {
		if set[byte(letter)] {
			which++
		}
	}
	if which > 1 {
		return c.fail(1, `cannot print "only" of more than one choice`)
	}
	if which == 0 && (set['n'] || set['r']) {
		return c.fail(1, "cannot print only names or real IDs in default format")
	}
	if len(names) == 0 {
		c.printUser(c.User, set)
	}
	for _, name := range names {
		user, found := c.user(name)
		if !found {
			c.fail(1, "'%s': no such user", name)
			continue
		}
		c.printUser(user, set)
	}
	return 0
}

// printUser prints a user, or what of it was asked for.
func (c *command) printUser(user shell.User, set map[byte]bool) {
	var ids, full []string
	groups := c.Accounts.GroupsOf(user.Name)
	for i, name := range groups {
		gid := user.GID
		if i > 0 {
			gid, _ = c.groupID(name) // it is one of those that exist
		}
		ids = append(ids, strconv.Itoa(gid))
		full = append(full, ids[i]+"("+name+")")
	}
	switch uid := strconv.Itoa(user.UID); {
	case set['n'] && set['G']:
		c.print(strings.Join(groups, " "), "\n")
	case set['n']:
		c.print(user.Name, "\n")
	case set['u']:
		c.print(uid, "\n")
	case set['g']:
		c.print(ids[0], "\n")
	case set['G']:
		c.print(strings.Join(ids, " "), "\n")
	default:
		c.print("uid=", uid, "(", user.Name, ") gid=", full[0], " groups=", strings.Join(full, ","), "\n")
	}
}

func chown(c *command, args []string) int {
	set, names, err := changeGrammar.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing operand")
	}
	if len(names) == 1 {
		return c.fail(1, "missing operand after '%s'", names[0])
	}
	owner, group, grouped := strings.Cut(names[0], ":")
	if c.name == "chgrp" {
		owner, group, grouped = "", names[0], true
	}
	owner, known := named(owner, c.ownerNames(), func(name string) bool { _, found := c.user(name); return found })
	if !known {
		return c.fail(1, "invalid user: '%s'", names[0])
	}
	if grouped && group == "" {
		group = owner // the one it logs in with
	}
	group, known = named(group, c.groupNames(), func(name string) bool { _, found := c.groupID(name); return found })
	if !known {
		return c.fail(1, "invalid group: '%s'", names[0])
	}
	if set['f'] {
		c.Stderr = io.Discard
	}
	c.changeAll(names[1:], set['R'], func(name string, _ workspace.Info) error {
		return c.Files.Chown(c.at(name), owner, group)
	})
	return 0
}

// named makes a name of a number that has one. What is neither isn't known.
func named(text string, names map[string]string, exists func(name string) bool) (name string, known bool) {
	if text == "" || exists(text) {
		return text, true
	}
	if _, err := strconv.ParseUint(text, 10, 32); err != nil {
		return "", false
	}
	if name, found := names[text]; found {
		return name, true
	}
	return text, true
}

// ownerNames are the names of users by their numbers.
func (c *command) ownerNames() map[string]string {
	names := map[string]string{"0": "root"}
	for _, name := range c.Accounts.Users {
		user, _ := c.user(name) // it is one of those that exist
		names[strconv.Itoa(user.UID)] = name
	}
	names[strconv.Itoa(c.User.UID)] = c.User.Name
	return names
}

// groupNames are the names of groups by their numbers.
func (c *command) groupNames() map[string]string {
	names := c.ownerNames()
	for _, group := range c.Accounts.Groups {
		gid, _ := c.groupID(group.Name) // it is one of those that exist
		if number := strconv.Itoa(gid); names[number] == "" {
			names[number] = group.Name
		}
	}
	return names
}

// uidText is the number of a user. One that doesn't exist is shown by name.
func (c *command) uidText(name string) string {
	if user, found := c.user(name); found {
		return strconv.Itoa(user.UID)
	}
	return name
}

// gidText is uidText for a group.
func (c *command) gidText(name string) string {
	if gid, found := c.groupID(name); found {
		return strconv.Itoa(gid)
	}
	return name
}
