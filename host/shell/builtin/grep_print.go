package builtin

import (
	"bytes"
	"strconv"
)

// A grepText is the text that is searched, and how far it was printed.
type grepText struct {
	title   string
	content []byte
	printed int // what is before this byte was printed, or is never going to be
	after   int // so many lines after a match are still to be printed
}

// search looks for the lines of a file that match, and prints what is asked for.
func (g *grepper) search(title string, content []byte, binary bool) {
	t := &grepText{title: title, content: content}
	quiet := g.set['q'] || g.set['l'] || g.set['L'] || g.set['c']
	count, i, next := 0, -1, 0
	for line := range g.c.split(content, g.end()) {
		at := next
		i, next = i+1, next+len(line)+1
		full := g.most >= 0 && count >= g.most
		if full && t.after == 0 {
			break
		}
		if full || g.matcher.in(g.c, line) == g.set['v'] {
			g.trail(t, line, i, next)
			continue
		}
		count++
		if g.set['q'] || g.set['l'] || g.set['L'] {
			break
		}
		if quiet {
			continue
		}
		if binary {
			_ = g.c.out.Flush()
			g.c.print(g.c.name, ": ", title, ": binary file matches\n")
			break
		}
		if g.set['o'] {
			g.matches(title, line, i)
			continue
		}
		g.lead(t, i, at)
		g.line(title, line, i, ":")
		t.printed, t.after, g.begun = next, g.after, true
	}
	g.summary(title, count)
}

// lead prints the lines before the i-th, which begins at a byte.
func (g *grepper) lead(t *grepText, i, at int) {
	from, first := at, i
	for first > i-g.before && from > t.printed {
		from, first = bytes.LastIndex(t.content[:from-1], g.end())+1, first-1
	}
	if g.context && g.begun && (from > t.printed || t.printed == 0) {
		g.c.print("--\n")
	}
	for line := range g.c.split(t.content[from:at], g.end()) {
		g.line(t.title, line, first, "-")
		first++
	}
}

// trail prints a line that doesn't match, if it is one of those after a match.
func (g *grepper) trail(t *grepText, line []byte, i, next int) {
	if t.after > 0 {
		t.after--
		g.line(t.title, line, i, "-")
		t.printed = next
	}
}

func (g *grepper) line(title string, line []byte, i int, separator string) {
	g.prefix(title, i, separator)
	g.c.write(line)
	g.c.write(g.end())
}

func (g *grepper) prefix(title string, i int, separator string) {
	if g.named {
		g.c.print(title, g.behind(separator))
	}
	if g.set['n'] {
		g.c.print(strconv.Itoa(i+1), separator)
	}
}

// behind is what comes behind a file's name.
func (g *grepper) behind(separator string) string {
	if g.set['Z'] {
		return "\x00"
	}
	return separator
}

func (g *grepper) matches(title string, line []byte, i int) {
	if g.set['v'] {
		return
	}
	err := g.matcher.each(g.c, line, func(at []int) bool {
		match := line[at[0]:at[1]]
		if len(match) > 0 {
			g.line(title, match, i, ":")
		}
		return !g.c.worked(len(match) + len(title))
	})
	if err != nil {
		g.c.fail(2, "%v", err)
	}
}

func (g *grepper) summary(title string, count int) {
	matched := count > 0
	g.found = g.found || matched
	switch {
	case g.set['q']:
	case g.set['l'], g.set['L']:
		if matched != g.set['L'] {
			g.c.print(title, g.behind("\n"))
		}
	case g.set['c']:
		if g.named {
			g.c.print(title, g.behind(":"))
		}
		g.c.print(strconv.Itoa(count), "\n")
	}
}
