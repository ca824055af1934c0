// Package regexpsize bounds what matching a regular expression takes.
package regexpsize

import "regexp/syntax"

// Of is how many steps a regular expression consists of: matching takes time by it and
// the length of the text, and looks at no context. What is none has no size.
func Of(expression string) int {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(program.Inst)
}
