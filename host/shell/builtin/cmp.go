package builtin

import (
	"bytes"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

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
