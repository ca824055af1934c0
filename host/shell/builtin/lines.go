package builtin

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func tac(c *command, args []string) int {
	c.each(1, args, func(_ string, content []byte) {
		for end := len(content); end > 0; {
			start := bytes.LastIndexByte(content[:end-1], '\n') + 1
			if c.worked(end - start) {
				return
			}
			c.write(content[start:end])
			end = start
		}
	})
	return 0
}

func rev(c *command, args []string) int {
	c.each(1, args, func(_ string, content []byte) {
		for line := range bytes.Lines(content) {
			text, ended := bytes.CutSuffix(line, []byte("\n"))
			for end := len(text); end > 0; {
				_, size := utf8.DecodeLastRune(text[:end])
				if c.worked(size) {
					return
				}
				c.write(text[end-size : end])
				end -= size
			}
			if ended {
				c.print("\n")
			}
			if c.worked(1) {
				return
			}
		}
	})
	return 0
}

func nl(c *command, args []string) int {
	options, names, err := grammar{letters: "b:w:s:", long: map[string]byte{
		"body-numbering": 'b', "number-width": 'w', "number-separator": 's',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	style, width, separator, number := "t", 6, "\t", 0
	for _, o := range options {
		switch o.letter {
		case 'b':
			if style = o.value; !slices.Contains([]string{"a", "t", "n"}, style) {
				return c.fail(1, "invalid body numbering style: '%s'", style)
			}
		case 'w':
			if width, err = strconv.Atoi(o.value); err != nil || width < 1 || width > maxWidth {
				return c.fail(1, "invalid line number field width: '%s'", o.value)
			}
		case 's':
			separator = o.value
		}
	}
	none := strings.Repeat(" ", width+len(separator))
	c.each(1, names, func(_ string, content []byte) {
		for line := range c.lines(content) {
			if style == "n" || style == "t" && len(line) == 0 {
				c.print(none)
			} else {
				number++
				c.print(fmt.Sprintf("%*d", width, number), separator)
			}
			c.write(line)
			c.print("\n")
		}
	})
	return 0
}
