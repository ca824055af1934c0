package builtin

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func compareBytes(c *command, args []string) int {
	set, names, err := grammar{letters: "sl"}.flags(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	if set['s'] && set['l'] {
		return c.fail(2, "options -l and -s are incompatible")
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
	if set['l'] {
		c.eachDifference(a, b, names)
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
		switch {
		case i == 0:
			c.say("EOF on %s which is empty", short)
		case a[i-1] == '\n': // the line ended
			c.say("EOF on %s after byte %d, line %d", short, i, line-1)
		default:
			c.say("EOF on %s after byte %d, in line %d", short, i, line)
		}
		return 1
	}
	c.print(fmt.Sprintf("%s %s differ: char %d, line %d\n", names[0], names[1], i+1, line))
	return 1
}

// eachDifference prints where bytes differ, and what they are.
func (c *command) eachDifference(a, b []byte, names []string) {
	common, short := min(len(a), len(b)), names[0]
	if len(b) < len(a) {
		short = names[1]
	}
	width := len(strconv.Itoa(common))
	for i := 0; i < common && !c.worked(1); i++ {
		if a[i] != b[i] {
			c.print(fmt.Sprintf("%*d %3o %3o\n", width, i+1, a[i], b[i]))
		}
	}
	switch {
	case len(a) == len(b):
	case common == 0:
		c.say("EOF on %s which is empty", short)
	default:
		c.say("EOF on %s after byte %d", short, common)
	}
}
