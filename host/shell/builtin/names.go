package builtin

import (
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/paths"
)

func basename(c *command, args []string) int {
	options, names, err := grammar{letters: "as:z", ordered: true}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing operand")
	}
	suffix, many, end := "", false, "\n"
	for _, o := range options {
		switch o.letter {
		case 's':
			suffix, many = o.value, true
		case 'a':
			many = true
		case 'z':
			end = "\x00"
		}
	}
	if !many && len(names) > 2 {
		return c.fail(1, "extra operand '%s'", names[2])
	}
	if !many && len(names) == 2 {
		suffix, names = names[1], names[:1]
	}
	for _, name := range names {
		last := path.Base(name)
		if name == "" {
			last = ""
		}
		if last != suffix {
			last = strings.TrimSuffix(last, suffix)
		}
		c.print(last, end)
	}
	return 0
}

func dirname(c *command, args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.fail(1, "missing operand")
	}
	for _, name := range args {
		c.print(parent(name), "\n")
	}
	return 0
}

// parent is the folder of a name, which isn't made any shorter than that.
func parent(name string) string {
	if name == "" {
		return "."
	}
	if name = strings.TrimRight(name, "/"); name == "" {
		return "/"
	}
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return "."
	}
	if folder := strings.TrimRight(name[:i], "/"); folder != "" {
		return folder
	}
	return "/"
}

func readlink(c *command, args []string) int {
	set, names, err := grammar{letters: "fnem"}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing operand")
	}
	for _, name := range names {
		target, err := c.Files.Readlink(c.at(name))
		if set['f'] || set['e'] || set['m'] {
			target, err = c.real(name, set['e'])
		}
		if err != nil {
			c.code = 1
			continue
		}
		c.print(target)
		if !set['n'] {
			c.print("\n")
		}
	}
	return 0
}

// real is a path without symlinks. Its last name needn't be there.
func (c *command) real(name string, all bool) (string, error) {
	if name == "" {
		return "", errNoName
	}
	if all {
		if _, err := c.stat(name); err != nil {
			return "", err
		}
	}
	return paths.Real(c.Files, c.at(name))
}

func realpath(c *command, args []string) int {
	set, names, err := grammar{letters: "emsz"}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		return c.fail(1, "missing operand")
	}
	for _, name := range names {
		found, err := c.real(name, set['e'])
		if set['m'] && err != nil || set['s'] {
			found, err = path.Clean(c.at(name)), nil
		}
		if err != nil {
			c.fail(1, "%s: %s", name, shell.ErrorText(err))
			continue
		}
		c.print(found)
		if set['z'] {
			c.print("\x00")
		} else {
			c.print("\n")
		}
	}
	return 0
}

func which(c *command, args []string) int {
	set, names, err := grammar{letters: "as"}.flags(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	for _, name := range names {
		found, ok := c.Look(name)
		if !ok {
			c.code = 1
			continue
		}
		if !set['s'] {
			c.print(found, "\n")
		}
	}
	return 0
}

func hostname(c *command, _ []string) int {
	c.print(hostName, "\n")
	return 0
}

// What the machine says of itself.
const (
	hostName = "sandbox"
	release  = "6.1.0"
	machine  = "wasm32"
)

func uname(c *command, args []string) int {
	set, _, err := grammar{letters: "asnrvmpio"}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(set) == 0 {
		set['s'] = true
	}
	var words []string
	for _, field := range []struct {
		letter byte
		text   string
	}{{'s', "Linux"}, {'n', hostName}, {'r', release}, {'v', "#1"}, {'m', machine}, {'o', "GNU/Linux"}} {
		if set[field.letter] || set['a'] {
			words = append(words, field.text)
		}
	}
	c.print(strings.Join(words, " "), "\n")
	return 0
}

func nproc(c *command, _ []string) int {
	c.print("1\n")
	return 0
}

func printenv(c *command, args []string) int {
	if len(args) == 0 {
		for _, pair := range c.Env {
			c.print(pair, "\n")
		}
		return 0
	}
	for _, name := range args {
		found := false
		for _, pair := range c.Env {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				c.print(value, "\n")
				found = true
			}
		}
		if !found {
			c.code = 1
		}
	}
	return 0
}
