package builtin

import (
	"bytes"
	"fmt"
	"strconv"
)

func uniq(c *command, args []string) int {
	options, names, err := grammar{letters: "cduif:s:w:", long: map[string]byte{
		"count": 'c', "repeated": 'd', "unique": 'u', "ignore-case": 'i',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	set := map[byte]int{}
	for _, o := range options {
		set[o.letter] = 1
		if o.value != "" {
			if set[o.letter], err = strconv.Atoi(o.value); err != nil || set[o.letter] < 0 {
				return c.fail(1, "%s: invalid number of fields to skip", o.value)
			}
		}
	}
	var input []string
	if len(names) > 0 {
		input = names[:1]
	}
	c.each(1, input, func(_ string, content []byte) {
		var first, key []byte
		count := 0 // of lines that are like the first one
		for line := range c.lines(content) {
			lineKey := uniqueKey(line, set)
			if count > 0 && bytes.Equal(key, lineKey) {
				count++
				continue
			}
			c.unique(first, count, set)
			first, key, count = line, lineKey, 1
		}
		c.unique(first, count, set)
	})
	return 0
}

// unique prints the first of so many lines that are the same.
func (c *command) unique(line []byte, count int, set map[byte]int) {
	if count == 0 || set['d'] > 0 && count == 1 || set['u'] > 0 && count > 1 {
		return
	}
	if set['c'] > 0 {
		c.print(fmt.Sprintf("%7d ", count))
	}
	c.write(line)
	c.print("\n")
}

// uniqueKey is the part of a line that is compared.
func uniqueKey(line []byte, set map[byte]int) []byte {
	for fields := set['f']; fields > 0 && len(line) > 0; fields-- {
		line = bytes.TrimLeft(line, " \t")
		end := bytes.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		line = line[end:]
	}
	line = line[min(set['s'], len(line)):]
	if w, ok := set['w']; ok {
		line = line[:min(w, len(line))]
	}
	if set['i'] > 0 {
		line = bytes.ToUpper(line)
	}
	return line
}
