package expression

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
)

// An Error says why an expression can't be compiled.
type Error struct {
	Source   string
	Problems []Problem // at least one, by their positions
}

// A Problem is one defect of an expression. Lines and columns start at one;
// columns count characters.
type Problem struct {
	Line, Column int
	Message      string
}

// Error has a line for each problem, such as "1:6: undeclared reference to 'x'".
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Message)
	}
	return strings.Join(lines, "\n")
}

func compileError(source string, issues *cel.Issues) *Error {
	e := &Error{Source: source}
	for _, issue := range issues.Errors() {
		e.Problems = append(e.Problems, Problem{
			Line:    max(issue.Location.Line(), 1),
			Column:  max(issue.Location.Column()+1, 1),
			Message: strings.TrimSuffix(issue.Message, " (in container '')"),
		})
	}
	slices.SortStableFunc(e.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return e
}

// An EvalError says why an expression has no value for a call, for example
// because the call has fewer arguments than it looks at. A session's caller gets
// it from the call; the step stays.
type EvalError struct {
	Source string
	Err    error // the context's own, when that has ended
}

func (e *EvalError) Error() string {
	return "the expression can't be evaluated: " + e.Err.Error() + ": " + e.Source
}

// Unwrap gives the cause.
func (e *EvalError) Unwrap() error { return e.Err }
