package builtin

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	udiff "github.com/rogpeppe/go-internal/diff"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
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
	_, unified, _ := bytes.Cut(udiff.Diff(a, x, b, y), []byte("\n"))
	if d.set['u'] {
		d.c.write(unified)
	} else {
		d.c.print(normal(string(unified)))
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

// A change is lines that are replaced by others.
type change struct {
	oldAt, newAt int // the first lines, from 1
	old, new     []string
}

// normal turns a unified diff into one without lines around the changes.
func normal(unified string) string {
	var out strings.Builder
	var ch change
	oldLine, newLine := 0, 0
	flush := func() {
		out.WriteString(ch.text())
		ch = change{}
	}
	target := &ch.old
	for _, line := range strings.Split(strings.TrimSuffix(unified, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "--- ") && oldLine == 0, strings.HasPrefix(line, "+++ ") && oldLine == 0:
		case strings.HasPrefix(line, "@@ "):
			flush()
			var oldCount, newCount int
			_, _ = fmt.Sscanf(strings.NewReplacer(",", " ").Replace(line), "@@ -%d %d +%d %d", &oldLine, &oldCount, &newLine, &newCount)
			oldLine, newLine = max(oldLine, 1), max(newLine, 1)
		case strings.HasPrefix(line, "-"):
			if len(ch.old) == 0 && len(ch.new) == 0 {
				ch.oldAt, ch.newAt = oldLine, newLine
			}
			ch.old, target = append(ch.old, "< "+line[1:]), &ch.old
			oldLine++
		case strings.HasPrefix(line, "+"):
			if len(ch.old) == 0 && len(ch.new) == 0 {
				ch.oldAt, ch.newAt = oldLine, newLine
			}
			ch.new, target = append(ch.new, "> "+line[1:]), &ch.new
			newLine++
		case strings.HasPrefix(line, `\`):
			*target = append(*target, line)
		default:
			flush()
			oldLine++
			newLine++
		}
	}
	flush()
	return out.String()
}

func (ch change) text() string {
	old, added := lineCount(ch.old), lineCount(ch.new)
	switch {
	case old == 0 && added == 0:
		return ""
	case old == 0:
		return fmt.Sprintf("%da%s\n%s\n", ch.oldAt-1, numbers(ch.newAt, added), strings.Join(ch.new, "\n"))
	case added == 0:
		return fmt.Sprintf("%sd%d\n%s\n", numbers(ch.oldAt, old), ch.newAt-1, strings.Join(ch.old, "\n"))
	default:
		return fmt.Sprintf("%sc%s\n%s\n---\n%s\n", numbers(ch.oldAt, old), numbers(ch.newAt, added),
			strings.Join(ch.old, "\n"), strings.Join(ch.new, "\n"))
	}
}

// lineCount counts what isn't a remark.
func lineCount(lines []string) (n int) {
	for _, line := range lines {
		if !strings.HasPrefix(line, `\`) {
			n++
		}
	}
	return n
}

func numbers(first, count int) string {
	if count == 1 {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d,%d", first, first+count-1)
}

func compareBytes(c *command, args []string) int {
	set, names, err := grammar{letters: "sl"}.flags(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	if len(names) != 2 {
		return c.fail(2, "missing operand")
	}
	a, err := c.read(names[0])
	if err != nil {
		return c.fail(2, "%s: %s", names[0], shell.ErrorText(err))
	}
	b, err := c.read(names[1])
	if err != nil {
		return c.fail(2, "%s: %s", names[1], shell.ErrorText(err))
	}
	if bytes.Equal(a, b) {
		return 0
	}
	if set['s'] {
		return 1
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := bytes.Count(a[:i], []byte("\n")) + 1
	if i == len(a) || i == len(b) {
		short := names[0]
		if i == len(b) {
			short = names[1]
		}
		c.say("EOF on %s after byte %d, line %d", short, i, line)
		return 1
	}
	c.print(fmt.Sprintf("%s %s differ: char %d, line %d\n", names[0], names[1], i+1, line))
	return 1
}
