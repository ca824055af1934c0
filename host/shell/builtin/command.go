package builtin

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/devices"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A command is one run of a utility.
type command struct {
	context.Context
	shell.Process
	name  string
	out   *bufio.Writer
	code  int
	fatal error // no exit code
	work  int   // bytes since the last look at the context
}

// utility makes a tool of a function that gives an exit code.
func utility(run func(c *command, args []string) int) shell.Tool {
	return func(ctx context.Context, p shell.Process) (int, error) {
		c := &command{Context: ctx, Process: p, name: path.Base(p.Args[0]), out: bufio.NewWriterSize(p.Stdout, 1<<15)}
		code := run(c, p.Args[1:])
		if err := c.out.Flush(); err != nil && c.fatal == nil {
			c.fatal = err
		}
		return max(code, c.code), c.fatal
	}
}

// stop gives up, since the context ended or nothing can be written any more.
func (c *command) stop() bool {
	if c.fatal == nil {
		c.fatal = c.Err()
	}
	return c.fatal != nil
}

// perLook is how many bytes are worked on between two looks at the context.
const perLook = 1 << 16

// worked counts bytes that were worked on, and reports whether to give up. It looks
// at the context from time to time only.
func (c *command) worked(bytes int) bool {
	if c.work += bytes; c.work < perLook {
		return c.fatal != nil
	}
	c.work = 0
	return c.stop()
}

// say tells of an error.
func (c *command) say(format string, a ...any) {
	_ = c.out.Flush()
	fmt.Fprintf(c.Stderr, "%s: %s\n", c.name, fmt.Sprintf(format, a...))
}

// fail tells of an error, which makes the exit code.
func (c *command) fail(code int, format string, a ...any) int {
	c.say(format, a...)
	c.code = max(c.code, code)
	return code
}

// failed tells that something can't be done with a file.
func (c *command) failed(code int, what, name string, err error) int {
	return c.fail(code, "%s '%s': %s", what, name, shell.ErrorText(err))
}

// print does nothing once the command has given up, as write.
func (c *command) print(a ...string) {
	for _, s := range a {
		if c.fatal != nil {
			return
		}
		if _, err := c.out.WriteString(s); err != nil {
			c.fatal = err
		}
	}
}

func (c *command) write(p []byte) {
	if c.fatal != nil {
		return
	}
	if _, err := c.out.Write(p); err != nil {
		c.fatal = err
	}
}

// at is the absolute path of a name. Slashes at its end are kept.
func (c *command) at(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return c.Dir + "/" + name
}

func (c *command) stat(name string) (workspace.Info, error) {
	if name == "" {
		return workspace.Info{}, workspace.ENOENT
	}
	info, err := c.Files.Stat(c.at(name))
	if err == nil && strings.HasSuffix(name, "/") && !info.Mode.IsDir() {
		return info, workspace.ENOTDIR
	}
	return info, err
}

func (c *command) lstat(name string) (workspace.Info, error) {
	if strings.HasSuffix(name, "/") {
		return c.stat(name)
	}
	if name == "" {
		return workspace.Info{}, workspace.ENOENT
	}
	return c.Files.Lstat(c.at(name))
}

// open opens a file, or the standard input for "-".
func (c *command) open(name string) (io.Reader, error) {
	if name == "-" || name == "/dev/stdin" {
		if c.Stdin == nil {
			return bytes.NewReader(nil), nil
		}
		if c.Terminal {
			return answered{c}, nil
		}
		return c.Stdin, nil
	}
	if device := devices.Reader(name); device != nil {
		return device, nil
	}
	if _, err := c.stat(name); err != nil {
		return nil, err
	}
	content, err := c.Files.ReadFile(c.at(name))
	if err != nil {
		return nil, err
	}
	return &wholeFile{content, bytes.NewReader(content)}, nil
}

// A complaint is an error as it is printed.
type complaint string

func (c complaint) Error() string { return string(c) }
