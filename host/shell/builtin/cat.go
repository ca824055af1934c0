package builtin

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// badUsage tells of arguments that can't be used.
func (c *command) badUsage(code int, err error) int { return c.fail(code, "%v", err) }

func cat(c *command, args []string) int {
	set, names, err := grammar{letters: "nbsETuAvet"}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		names = []string{"-"}
	}
	p := catPrinter{c: c, numbers: set['n'] || set['b'], nonblank: set['b'], squeeze: set['s'],
		ends: set['E'] || set['A'] || set['e'], tabs: set['T'] || set['A'] || set['t']}
	for _, name := range names {
		from, err := c.open(name)
		if err != nil {
			c.fail(1, "%s: %s", name, shell.ErrorText(err))
			continue
		}
		if len(set) == 0 || len(set) == 1 && set['u'] {
			err = c.copy(from)
		} else {
			err = p.print(from)
		}
		if c.unread(err, "%s", name) {
			break
		}
	}
	return 0
}

// unread tells of a file that can't be read to its end, and reports whether to give up.
func (c *command) unread(err error, format string, a ...any) bool {
	if tooLarge, ok := errors.AsType[complaint](err); ok {
		c.fail(1, format+": %v", append(a, tooLarge)...)
	} else if err != nil && c.fatal == nil {
		c.fatal = err
	}
	return c.stop()
}

// copy prints all that a reader has.
func (c *command) copy(from io.Reader) error {
	return c.eachBlock(from, func(block []byte) error {
		_, err := c.out.Write(block)
		return err
	})
}

// A catPrinter prints lines in the ways that cat knows.
type catPrinter struct {
	c                                      *command
	numbers, nonblank, squeeze, ends, tabs bool
	number                                 int
	blank                                  bool // the last line
}

func (p *catPrinter) print(from io.Reader) error {
	content, err := p.c.readAll(from)
	for line := range bytes.Lines(content) {
		if p.c.worked(len(line)) {
			break
		}
		blank := string(line) == "\n"
		if blank && p.blank && p.squeeze {
			continue
		}
		p.blank = blank
		if p.numbers && (!p.nonblank || !blank) {
			p.number++
			p.c.print(fmt.Sprintf("%6d\t", p.number))
		}
		if p.tabs && bytes.IndexByte(line, '\t') >= 0 {
			line = bytes.ReplaceAll(line, []byte("\t"), []byte("^I"))
		}
		if text, ok := bytes.CutSuffix(line, []byte("\n")); ok && p.ends {
			p.c.write(text)
			p.c.print("$\n")
			continue
		}
		p.c.write(line)
	}
	return err
}
