package builtin

import (
	"fmt"
)

func tac(c *command, args []string) int {
	c.each(1, args, func(_ string, content []byte) {
		all := lines(content)
		for i := len(all) - 1; i >= 0; i-- {
			c.write(all[i])
			c.print("\n")
		}
	})
	return 0
}

func rev(c *command, args []string) int {
	c.each(1, args, func(_ string, content []byte) {
		for _, line := range lines(content) {
			runes := []rune(string(line))
			for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
				runes[i], runes[j] = runes[j], runes[i]
			}
			c.print(string(runes), "\n")
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
		for _, line := range lines(content) {
			if len(line) == 0 {
				c.print("       \n")
				continue
			}
			number++
			c.print(fmt.Sprintf("%6d\t%s\n", number, line))
		}
	})
	return 0
}
