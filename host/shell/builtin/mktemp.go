package builtin

import (
	"fmt"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

const (
	temporaryLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

	// maxTemporary is how many names are tried.
	maxTemporary = 1 << 16
)

func mktemp(c *command, args []string) int {
	options, names, err := grammar{letters: "dqutp:\x01:", optional: "p", long: map[string]byte{
		"directory": 'd', "quiet": 'q', "dry-run": 'u', "tmpdir": 'p', "suffix": 1,
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	set, values := map[byte]bool{}, map[byte]string{}
	for _, o := range options {
		set[o.letter], values[o.letter] = true, o.value
	}
	if len(names) > 1 {
		return c.fail(1, "too many templates")
	}
	text := "tmp.XXXXXXXXXX"
	if len(names) == 1 {
		text = names[0]
	}
	t, err := parseTemplate(text, values[1], set[1])
	if err != nil {
		return c.badUsage(1, err)
	}
	switch {
	case set['t'] && strings.Contains(t.prefix, "/"):
		return c.fail(1, "invalid template, '%s', contains directory separator", text)
	case set['p'] && path.IsAbs(text):
		return c.fail(1, "invalid template, '%s'; with --tmpdir, it may not be absolute", text)
	case set['t'] || set['p'] || len(names) == 0:
		folder := c.temporaryFolder(values['p'], set['t'])
		t.prefix = joined(strings.TrimSuffix(folder, "/"), t.prefix)
	}
	return c.temporary(t, set)
}

// A temporaryName is what the names of temporary files are made from.
type temporaryName struct {
	prefix, suffix string
	random         int // characters between them
}

// parseTemplate takes a template apart, whose suffix may be given for itself.
func parseTemplate(template, suffix string, given bool) (t temporaryName, err error) {
	end := strings.LastIndexByte(template, 'X') + 1
	switch {
	case given && (end == 0 || end < len(template)):
		return t, fmt.Errorf("with --suffix, template '%s' must end in X", template)
	case !given:
		suffix = template[end:]
	}
	t = temporaryName{prefix: strings.TrimRight(template[:end], "X"), suffix: suffix}
	t.random = end - len(t.prefix)
	switch {
	case end > 0 && strings.Contains(suffix, "/"):
		return t, fmt.Errorf("invalid suffix '%s', contains directory separator", suffix)
	case t.random < 3:
		return t, fmt.Errorf("too few X's in template '%s'", template)
	}
	return t, nil
}

func (t temporaryName) String() string { return t.prefix + strings.Repeat("X", t.random) + t.suffix }

// temporaryFolder is where temporary files are: TMPDIR and then /tmp, but what -p gives goes
// before both, or with -t between them. A workspace without /tmp has them in its root.
func (c *command) temporaryFolder(given string, fallback bool) string {
	fromEnv := ""
	for _, pair := range c.Env {
		if value, ok := strings.CutPrefix(pair, "TMPDIR="); ok {
			fromEnv = value
		}
	}
	switch {
	case given != "" && (fromEnv == "" || !fallback):
		return given
	case fromEnv != "":
		return fromEnv
	case c.isFolder("/tmp"):
		return "/tmp"
	default:
		return c.Files.Policy().Root()
	}
}

// temporary makes a file or folder with a name that is new, and prints that.
func (c *command) temporary(t temporaryName, set map[byte]bool) int {
	err := error(workspace.EEXIST)
	random := make([]byte, t.random)
	for tries := 0; tries < maxTemporary && shell.Errno(err) == workspace.EEXIST; tries++ {
		for i := range random {
			random[i] = temporaryLetters[c.Random.IntN(len(temporaryLetters))]
		}
		if c.worked(len(random) + len(t.prefix)) {
			return 1
		}
		name := t.prefix + string(random) + t.suffix
		if err = c.makeTemporary(name, set); err == nil {
			c.print(name, "\n")
			return 0
		}
	}
	what := "file"
	if set['d'] {
		what = "directory"
	}
	if !set['q'] {
		c.say("failed to create %s via template '%s': %s", what, t, shell.ErrorText(err))
	}
	return 1
}

// makeTemporary makes what is its user's only, or looks whether there is something.
func (c *command) makeTemporary(name string, set map[byte]bool) error {
	switch {
	case set['u']:
		_, err := c.lstat(name)
		if err == nil {
			return workspace.EEXIST
		}
		if shell.Errno(err) == workspace.ENOENT {
			return nil
		}
		return err
	case set['d']:
		return c.Files.Mkdir(c.at(name), workspace.Exactly(0o700&^c.Umask))
	}
	file, err := c.Files.Open(c.at(name), workspace.OpenOptions{
		Write: true, Create: true, Exclusive: true, Mode: workspace.Exactly(0o600 &^ c.Umask),
	})
	if err != nil {
		return err
	}
	return file.Close()
}
