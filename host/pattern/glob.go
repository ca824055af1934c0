package pattern

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func compileGlob(field string, operand any, _ int) (rule, error) {
	text, ok := operand.(string)
	switch {
	case !ok:
		return nil, &Error{Field: field, Problem: "must be text, not " + host.DescribePlain(operand)}
	case !doublestar.ValidatePattern(text):
		return nil, &Error{Field: field, Problem: "isn't a valid glob: " + globProblem(text)}
	}
	alternatives, ok := expand(text)
	if !ok {
		return nil, &Error{Field: field, Problem: fmt.Sprintf(
			"has more than %d alternatives, or more than %d KiB of them", maxAlternatives, maxExpanded>>10)}
	}
	return glob{text, alternatives}, nil
}

// What a glob may come to when its braces are written out. That is done once,
// since trying alternatives within each other takes exponential time; a glob
// without braces takes time in proportion to the lengths of glob and text.
const (
	maxAlternatives = 1000
	maxExpanded     = 64 << 10 // bytes of all alternatives
)

// expand writes out the braces of a valid glob.
func expand(text string) (alternatives []string, ok bool) {
	pending := []string{text}
	size := len(text) // of all that is pending or done
	for len(pending) > 0 {
		if size > maxExpanded || len(pending)+len(alternatives) > maxAlternatives {
			return nil, false
		}
		last := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		open := indexOutside(last, '{')
		if open < 0 {
			alternatives = append(alternatives, last)
			continue
		}
		before, rest := last[:open], last[open+1:]
		end := indexOutside(rest, '}')
		inner, after := rest[:end], rest[end+1:]
		size -= len(last)
		for more := true; more && size <= maxExpanded; {
			choice := inner
			comma := indexOutside(inner, ',')
			if more = comma >= 0; more {
				choice, inner = inner[:comma], inner[comma+1:]
			}
			pending = append(pending, before+choice+after)
			size += len(before) + len(choice) + len(after)
		}
	}
	return alternatives, true
}

// indexOutside is where a character is that is neither escaped nor in a class
// nor in braces; -1: nowhere.
func indexOutside(text string, wanted byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		if text[i] == wanted && depth == 0 {
			return i
		}
		switch text[i] {
		case '\\':
			i++
		case '[':
			if end, problem := classEnd(text, i); problem == "" {
				i = end
			}
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	return -1
}

// globProblem says why a glob isn't valid. The library only says that it isn't.
func globProblem(text string) string {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i == len(text) {
				return `it ends with a \ that nothing follows`
			}
		case '[':
			end, problem := classEnd(text, i)
			if problem != "" {
				return problem
			}
			i = end
		case '{':
			open++
		case '}':
			if open--; open < 0 {
				return "a } has no { before it"
			}
		}
	}
	return "a { has no } after it"
}

// classEnd is where the class ends that starts at an index.
func classEnd(text string, start int) (end int, problem string) {
	first := start + 1
	if first < len(text) && (text[first] == '^' || text[first] == '!') {
		first++
	}
	if strings.HasPrefix(text[first:], "]") {
		return 0, "a class has nothing between [ and ]"
	}
	for i := first; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ']':
			return i, ""
		}
	}
	return 0, "a [ has no ] after it"
}
