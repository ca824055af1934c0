package builtin

import (
	"bytes"
	"fmt"
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
	_, names, err := grammar{letters: "b:w:s:"}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	number := 0
	c.each(1, names, func(_ string, content []byte) {
		for line := range c.lines(content) {
			if len(line) == 0 {
				c.print("       \n")
				continue
			}
			number++
			c.print(fmt.Sprintf("%6d\t", number))
			c.write(line)
			c.print("\n")
		}
	})
	return 0
}
