package pattern

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

func compileGlob(field string, operand any, _ int) (rule, error) {
	text, ok := operand.(string)
	switch {
	case !ok:
		return nil, &Error{Field: field, Problem: "must be text"}
	case !doublestar.ValidatePattern(text):
		return nil, &Error{Field: field, Problem: "isn't a valid glob: " + globProblem(text)}
	}
	return glob{text}, nil
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
