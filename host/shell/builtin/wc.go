package builtin

import (
	"strconv"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// counts are what wc counts, in the order it prints them.
type counts [5]int // lines, words, characters, bytes, the longest line

const countLetters = "lwmcL"

// widthUnknown is how wide numbers are at least where it isn't known before how much there is.
const widthUnknown = 7

func wc(c *command, args []string) int {
	set, names, err := grammar{letters: countLetters, long: map[string]byte{
		"lines": 'l', "words": 'w', "chars": 'm', "bytes": 'c', "max-line-length": 'L',
	}}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	if len(set) == 0 {
		set = map[byte]bool{'l': true, 'w': true, 'c': true}
	}
	given := names
	if len(names) == 0 {
		given = []string{"-"}
	}
	var all []counts
	var total counts
	var titles []string
	least := 1
	for _, name := range given {
		if name == "-" && !shell.IsFile(c.Stdin) {
			least = widthUnknown
		}
		content, err := c.read(name)
		if c.stop() {
			return 1
		}
		if err != nil {
			c.fail(1, "%s: %s", name, shell.ErrorText(err))
			if shell.Errno(err) != workspace.EISDIR {
				continue
			}
			least = widthUnknown
		}
		n := c.count(content)
		all, titles = append(all, n), append(titles, name)
		for i := range total {
			total[i] += n[i]
		}
		total[4] = max(total[4]-n[4], n[4])
	}
	if len(given) > 1 {
		all, titles = append(all, total), append(titles, "total")
	}
	width := max(least, len(strconv.Itoa(total[3])))
	if len(set) == 1 && len(given) == 1 {
		width = 1
	}
	for i, n := range all {
		c.print(n.line(set, width))
		if len(names) > 0 {
			c.print(" ", titles[i])
		}
		c.print("\n")
	}
	return 0
}

func (n counts) line(set map[byte]bool, width int) string {
	line := ""
	for i, value := range n {
		if !set[countLetters[i]] {
			continue
		}
		if line != "" {
			line += " "
		}
		text := strconv.Itoa(value)
		for range width - len(text) {
			line += " "
		}
		line += text
	}
	return line
}

func (c *command) count(content []byte) (n counts) {
	width, word := 0, false
	for at := 0; at < len(content); {
		b, size := content[at], 1
		if b >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(content[at:])
		}
		if c.worked(size) {
			break
		}
		at += size
		n[2]++
		blank := b == ' ' || b >= '\t' && b <= '\r'
		if !blank && !word {
			n[1]++
		}
		word = !blank
		switch b {
		case '\n':
			n[0]++
			width = 0
		case '\t':
			width += 8 - width%8
		default:
			width++
		}
		n[4] = max(n[4], width)
	}
	n[3] = len(content)
	return n
}
