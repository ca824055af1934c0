package builtin

import (
	"bytes"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A paster is one paste.
type paster struct {
	c          *command
	delimiters []string // used in turn
	end        []byte   // of lines
}

func paste(c *command, args []string) int {
	options, names, err := grammar{letters: "d:sz", long: map[string]byte{
		"delimiters": 'd', "serial": 's', "zero-terminated": 'z',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	p, list, serial := paster{c: c, end: lineEnd}, "\t", false
	for _, o := range options {
		switch o.letter {
		case 'd':
			list = o.value
		case 's':
			serial = true
		case 'z':
			p.end = zeroEnd
		}
	}
	if p.delimiters, err = pasteDelimiters(list); err != nil {
		return c.badUsage(1, err)
	}
	if len(names) == 0 {
		names = []string{"-"}
	}
	if serial {
		p.serial(names)
	} else {
		p.parallel(names)
	}
	return 0
}

// pasteDelimiters takes a list apart; \0 is none.
func pasteDelimiters(list string) (delimiters []string, err error) {
	for i := 0; i < len(list); i++ {
		delimiter := list[i : i+1]
		if delimiter == `\` {
			if i++; i == len(list) {
				return nil, complaint("delimiter list ends with an unescaped backslash: " + list)
			}
			delimiter = list[i : i+1]
			if at := strings.Index("0bfnrtv", delimiter); at >= 0 {
				delimiter = []string{"", "\b", "\f", "\n", "\r", "\t", "\v"}[at]
			}
		}
		delimiters = append(delimiters, delimiter)
	}
	if list == "" {
		delimiters = []string{""}
	}
	return delimiters, nil
}

// delimiter is what comes behind a column.
func (p *paster) delimiter(column int) string { return p.delimiters[column%len(p.delimiters)] }

// read reads a file. A folder is as one without lines, and is told of.
func (p *paster) read(name string) (content []byte, ok bool) {
	content, err := p.c.read(name)
	if p.c.stop() {
		return nil, false
	}
	if err != nil {
		p.c.fail(1, "%s: %s", name, shell.ErrorText(err))
	}
	return content, err == nil || shell.Errno(err) == workspace.EISDIR
}

// serial makes one line of each file.
func (p *paster) serial(names []string) {
	for _, name := range names {
		content, ok := p.read(name)
		if !ok {
			continue
		}
		number := 0
		for line := range p.c.split(content, p.end) {
			if number > 0 {
				p.c.print(p.delimiter(number - 1))
			}
			p.c.write(line)
			number++
		}
		p.c.write(p.end)
	}
}

// parallel makes lines of those at the same place of all files.
func (p *paster) parallel(names []string) {
	var stdin []byte // which all that read it share
	columns := make([]*[]byte, len(names))
	read := false
	for i, name := range names {
		if columns[i] = &stdin; name == "-" && read {
			continue
		}
		content, ok := p.read(name)
		if !ok {
			return
		}
		if name == "-" {
			stdin, read = content, true
		} else {
			columns[i] = &content
		}
	}
	for slices.ContainsFunc(columns, func(rest *[]byte) bool { return len(*rest) > 0 }) {
		for i, rest := range columns {
			line, after, _ := bytes.Cut(*rest, p.end)
			*rest = after
			if p.c.worked(len(line) + 1) {
				return
			}
			p.c.write(line)
			if i+1 < len(columns) {
				p.c.print(p.delimiter(i))
			}
		}
		p.c.write(p.end)
	}
}
