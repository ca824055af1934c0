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
		all := lines(content)
		for i := 0; i < len(all); {
			j := i + 1
			for j < len(all) && bytes.Equal(uniqueKey(all[i], set), uniqueKey(all[j], set)) {
				j++
			}
			if n := j - i; (set['d'] == 0 || n > 1) && (set['u'] == 0 || n == 1) {
				if set['c'] > 0 {
					c.print(fmt.Sprintf("%7d ", n))
				}
				c.write(all[i])
				c.print("\n")
			}
			i = j
		}
	})
	return 0
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
