package builtin

import (
	"bytes"
	"io/fs"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func tee(c *command, args []string) int {
	set, names, err := grammar{letters: "aip", long: map[string]byte{"append": 'a'}}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	content, err := c.read("-")
	if err != nil {
		return c.fail(1, "-: %s", shell.ErrorText(err))
	}
	c.write(content)
	for _, name := range names {
		if name == "/dev/null" {
			continue
		}
		if name == "/dev/stderr" {
			_, _ = c.Stderr.Write(content)
			continue
		}
		if err := c.writeFile(name, content, set['a']); err != nil {
			c.fail(1, "%s: %s", name, shell.ErrorText(err))
		}
	}
	return 0
}

// newMode is that of files which are made.
func (c *command) newMode() fs.FileMode { return workspace.Exactly(0o666 &^ c.Umask) }

// writeFile makes the content of a file, or adds to it.
func (c *command) writeFile(name string, content []byte, add bool) error {
	h, err := c.Files.Open(c.at(name), workspace.OpenOptions{Write: true, Create: true, Append: add, Truncate: !add, Mode: c.newMode()})
	if err != nil {
		return err
	}
	defer h.Close()
	_, err = h.WriteAt(content, 0)
	return err
}

// replaceFile makes the content of a file, or leaves it as it was. The content
// belongs to the file then.
func (c *command) replaceFile(name string, content []byte) error {
	if cap(content)-len(content) > len(content)/4 {
		content = bytes.Clone(content) // the room would be kept, and isn't counted
	}
	return c.Files.WriteFile(c.at(name), content, c.newMode())
}
