package builtin

import (
	"strconv"
)

// search looks for the lines of a file that match, and prints what is asked for.
func (g *grepper) search(title string, all [][]byte, binary bool) {
	quiet := g.set['q'] || g.set['l'] || g.set['L'] || g.set['c']
	count, printed := 0, -1 // the last line that was printed
	for i, line := range all {
		if g.most >= 0 && count >= g.most || g.c.stop() {
			break
		}
		if g.matcher.in(g.c, line) == g.set['v'] {
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
		printed = g.show(title, all, i, printed)
	}
	g.summary(title, count)
}

// show prints a line with those around it, and gives the last one.
func (g *grepper) show(title string, all [][]byte, i, printed int) int {
	if g.set['o'] {
		g.matches(title, all[i], i)
		return i
	}
	from := max(i-g.before, printed+1)
	if (g.before > 0 || g.after > 0) && from > printed+1 && printed >= 0 {
		g.c.print("--\n")
	}
	for j := from; j < i; j++ {
		g.line(title, all[j], j, "-")
	}
	if i > printed {
		g.line(title, all[i], i, ":")
	}
	last := i
	for j := i + 1; j <= i+g.after && j < len(all); j++ {
		if g.matcher.in(g.c, all[j]) != g.set['v'] && !g.full(all, i, j) {
			break // it shows itself
		}
		g.line(title, all[j], j, "-")
		last = j
	}
	return max(last, printed)
}

// full reports whether -m lets no line after the i-th match any more.
func (g *grepper) full(all [][]byte, i, _ int) bool {
	if g.most < 0 {
		return false
	}
	count := 0
	for _, line := range all[:i+1] {
		if g.matcher.in(g.c, line) != g.set['v'] {
			count++
		}
	}
	return count >= g.most
}

func (g *grepper) line(title string, line []byte, i int, separator string) {
	g.prefix(title, i, separator)
	g.c.write(line)
	g.c.print("\n")
}

func (g *grepper) prefix(title string, i int, separator string) {
	if g.named {
		g.c.print(title, separator)
	}
	if g.set['n'] {
		g.c.print(strconv.Itoa(i+1), separator)
	}
}

func (g *grepper) matches(title string, line []byte, i int) {
	if g.set['v'] {
		return
	}
	if err := g.matcher.check(line); err != nil {
		g.c.fail(2, "%v", err)
		return
	}
	for _, at := range g.matcher.FindAllIndex(line, -1) {
		if at[0] < at[1] {
			g.line(title, line[at[0]:at[1]], i, ":")
		}
	}
}

func (g *grepper) summary(title string, count int) {
	matched := count > 0
	if g.set['L'] {
		matched = !matched
	}
	g.found = g.found || matched
	switch {
	case g.set['q']:
	case g.set['l'], g.set['L']:
		if matched {
			g.c.print(title, "\n")
		}
	case g.set['c']:
		if g.named {
			g.c.print(title, ":")
		}
		g.c.print(strconv.Itoa(count), "\n")
	}
}
