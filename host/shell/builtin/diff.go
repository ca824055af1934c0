package builtin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	udiff "github.com/rogpeppe/go-internal/diff"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Comparing lines takes many times the memory that they have, and can't be ended.
const (
	maxDiff      = 32 << 20 // the bytes of both files together
	maxDiffLines = 1 << 20
)

// A differ is one diff.
type differ struct {
	c       *command
	set     map[byte]bool
	options string
}

func diff(c *command, args []string) int {
	set, names, err := grammar{letters: "uqrNsaU:", long: map[string]byte{
		"unified": 'u', "brief": 'q', "recursive": 'r', "new-file": 'N', "text": 'a',
	}}.flags(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	if len(names) != 2 {
		return c.fail(2, "missing operand")
	}
	d := differ{c: c, set: set}
	set['u'] = set['u'] || set['U']
	for _, letter := range "ruN" {
		if set[byte(letter)] {
			d.options += " -" + string(letter)
		}
	}
	return max(d.compare(names[0], names[1], true), c.code)
}

// compare compares two files or folders. It gives 1 if they differ.
func (d *differ) compare(a, b string, top bool) int {
	aDir, bDir := d.c.isFolder(a), d.c.isFolder(b)
	switch {
	case aDir && bDir:
		return d.folders(a, b, top)
	case aDir && top:
		return d.compare(joined(a, baseOf(b)), b, false)
	case bDir && top:
		return d.compare(a, joined(b, baseOf(a)), false)
	case aDir != bDir:
		d.c.print(fmt.Sprintf("File %s is a %s while file %s is a %s\n", a, kindOf(aDir), b, kindOf(bDir)))
		return 1
	}
	return d.files(a, b, !top)
}

func baseOf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func kindOf(dir bool) string {
	if dir {
		return "directory"
	}
	return "regular file"
}

func (d *differ) folders(a, b string, top bool) int {
	if !top && !d.set['r'] {
		d.c.print("Common subdirectories: ", a, " and ", b, "\n")
		return 0
	}
	x, err1 := d.c.Files.ReadDir(d.c.at(a))
	y, err2 := d.c.Files.ReadDir(d.c.at(b))
	if err1 != nil || err2 != nil {
		return d.c.fail(2, "%s: %s", a, "cannot be read")
	}
	var names []string
	for _, info := range slices.Concat(x, y) {
		names = append(names, info.Name)
	}
	slices.Sort(names)
	code := 0
	for _, name := range slices.Compact(names) {
		if d.c.stop() {
			break
		}
		inA, inB := has(x, name), has(y, name)
		switch {
		case inA && inB, d.set['N']:
			code = max(code, d.compare(joined(a, name), joined(b, name), false))
		case inA:
			d.c.print("Only in ", a, ": ", name, "\n")
			code = max(code, 1)
		default:
			d.c.print("Only in ", b, ": ", name, "\n")
			code = max(code, 1)
		}
	}
	return code
}

func has(list []workspace.Info, name string) bool {
	return slices.ContainsFunc(list, func(i workspace.Info) bool { return i.Name == name })
}

func (d *differ) files(a, b string, title bool) int {
	x, err1 := d.read(a)
	y, err2 := d.read(b)
	if err1 != nil || err2 != nil {
		return 2
	}
	switch {
	case bytes.Equal(x, y):
		if d.set['s'] {
			d.c.print("Files ", a, " and ", b, " are identical\n")
		}
		return 0
	case d.set['q']:
		d.c.print("Files ", a, " and ", b, " differ\n")
		return 1
	case !d.set['a'] && (bytes.IndexByte(x, 0) >= 0 || bytes.IndexByte(y, 0) >= 0):
		d.c.print("Binary files ", a, " and ", b, " differ\n")
		return 1
	}
	if title && d.set['r'] {
		d.c.print("diff", d.options, " ", a, " ", b, "\n")
	}
	if len(x)+len(y) > maxDiff || bytes.Count(x, []byte("\n"))+bytes.Count(y, []byte("\n")) > maxDiffLines {
		return d.c.fail(2, "%v", errLines)
	}
	_, unified, _ := bytes.Cut(udiff.Diff(a, x, b, y), []byte("\n"))
	if d.set['u'] {
		d.c.write(unified)
	} else {
		d.c.normal(unified)
	}
	return 1
}

func (d *differ) read(name string) ([]byte, error) {
	content, err := d.c.read(name)
	if err != nil && d.set['N'] && shell.Errno(err) == workspace.ENOENT {
		return nil, nil
	}
	if err != nil {
		d.c.fail(2, "%s: %s", name, shell.ErrorText(err))
	}
	return content, err
}
