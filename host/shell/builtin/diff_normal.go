package builtin

import (
	"bytes"
	"fmt"
	"strconv"
)

// A change is lines that are replaced by others.
type change struct {
	oldAt, newAt int // the first lines, from 1; 0: not known yet
	old, new     int // how many lines there are
}

// normal prints a unified diff as one without lines around the changes.
func (c *command) normal(unified []byte) {
	var ch change
	begin, at := 0, 0 // of the lines of the change, and of the next line
	for line := range c.lines(unified) {
		start := at
		at += len(line) + 1
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			c.change(ch, unified[begin:start])
			ch = hunkAt(line)
		case ch.oldAt == 0: // the names of the files
		case bytes.HasPrefix(line, []byte("-")):
			ch.old++
		case bytes.HasPrefix(line, []byte("+")):
			ch.new++
		case bytes.HasPrefix(line, []byte(`\`)):
		default:
			c.change(ch, unified[begin:start])
			ch = change{oldAt: ch.oldAt + ch.old + 1, newAt: ch.newAt + ch.new + 1}
		}
		if ch.old+ch.new == 0 {
			begin = at
		}
	}
	c.change(ch, unified[begin:])
}

// hunkAt is where a hunk begins.
func hunkAt(line []byte) (ch change) {
	var ignored int
	text := bytes.ReplaceAll(line, []byte(","), []byte(" "))
	_, _ = fmt.Sscanf(string(text), "@@ -%d %d +%d %d", &ch.oldAt, &ignored, &ch.newAt, &ignored)
	return change{oldAt: max(ch.oldAt, 1), newAt: max(ch.newAt, 1)}
}

// change prints a change, whose lines are as in a unified diff.
func (c *command) change(ch change, lines []byte) {
	switch {
	case ch.old == 0 && ch.new == 0:
		return
	case ch.old == 0:
		c.print(strconv.Itoa(ch.oldAt-1), "a", numbers(ch.newAt, ch.new), "\n")
	case ch.new == 0:
		c.print(numbers(ch.oldAt, ch.old), "d", strconv.Itoa(ch.newAt-1), "\n")
	default:
		c.print(numbers(ch.oldAt, ch.old), "c", numbers(ch.newAt, ch.new), "\n")
	}
	c.side(lines, '-', "< ")
	if ch.old > 0 && ch.new > 0 {
		c.print("---\n")
	}
	c.side(lines, '+', "> ")
}

// side prints the lines of one side, with the remarks about them.
func (c *command) side(lines []byte, sign byte, mark string) {
	shown := false
	for line := range c.lines(lines) {
		if line[0] != '\\' {
			shown = line[0] == sign
		}
		switch {
		case shown && line[0] == sign:
			c.print(mark)
			c.write(line[1:])
			c.print("\n")
		case shown:
			c.write(line)
			c.print("\n")
		}
	}
}

func numbers(first, count int) string {
	if count == 1 {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d,%d", first, first+count-1)
}
