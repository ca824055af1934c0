package scripts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// An Error is all that is wrong with a script, in the order of the file.
//
// errors.As finds each [*Problem], and what it was caused by: for a step a
// *host.InvalidStepError, for a module a *host.ModuleError or an error of package
// sourcebuild, for a file that can't be read an *fs.PathError.
type Error struct {
	Problems []*Problem // at least one
}

// A Problem is one thing that is wrong with a script.
type Problem struct {
	File   string          // as it was given
	Line   int             // from one; 0: of no line in particular
	Column int             // from one, in characters
	Field  string          // such as "steps[2].match.args[0]"; "" for the whole
	Step   int             // zero-based; -1: of no step
	Reason host.StepReason // why the step is invalid; "" when it isn't a step's

	Message string // what is wrong, to be read after the field's name
	Err     error  // the cause; may be nil

	whole string // what has no field's name, such as "script"; "": the message says it
}

// Error has a line for each problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the problems.
func (e *Error) Unwrap() []error {
	errs := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		errs[i] = p
	}
	return errs
}

// Error is "file:line:column: field message".
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": ")
	if subject := p.Subject(); subject != "" {
		b.WriteString(subject)
		b.WriteByte(' ')
	}
	b.WriteString(p.Message)
	return b.String()
}

// Subject is what the message is to be read after: the field, or what has none, such as
// "the script". It is empty if the message is a sentence of its own.
func (p *Problem) Subject() string {
	if p.Field == "" && p.whole != "" {
		return "the " + p.whole
	}
	return p.Field
}

// Unwrap gives the cause.
func (p *Problem) Unwrap() error { return p.Err }

// problems collects what is wrong with one file.
type problems struct {
	file string
	list []*Problem
}

// add notes a problem of no step.
func (c *problems) add(where position, field, message string, cause error) {
	c.put(where, Problem{Field: field, Step: -1, Message: message, Err: cause})
}

// put notes a problem that has all but its place.
func (c *problems) put(where position, p Problem) {
	p.File, p.Line, p.Column = c.file, where.line, where.column
	c.list = append(c.list, &p)
}

// err is all problems in the order of the file, or nil.
func (c *problems) err() error {
	if len(c.list) == 0 {
		return nil
	}
	inOrder(c.list)
	return &Error{c.list}
}

// inOrder puts problems in the order of the file.
func inOrder(list []*Problem) {
	slices.SortStableFunc(list, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
