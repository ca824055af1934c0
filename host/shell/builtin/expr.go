package builtin

import (
	"errors"
	"fmt"
	"slices"
)

const (
	// maxExpression is how deep an expression may be nested.
	maxExpression = 10_000

	errExpression = complaint("the expression is nested too deep")
)

// exprOperators are the operators between two operands; the larger the number, the more
// they bind.
var exprOperators = map[string]int{
	"|": 1, "&": 2, "<": 3, "<=": 3, "=": 3, "==": 3, "!=": 3, ">=": 3, ">": 3, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5, ":": 6,
}

// exprFunctions are the operators before their operands, and how many these are.
var exprFunctions = map[string]int{"length": 1, "match": 2, "index": 2, "substr": 3}

// An expression is what one expr computes. Its values are texts, integers as well.
type expression struct {
	c     *command
	args  []string
	at    int // the next argument
	depth int
}

func expr(c *command, args []string) int {
	if len(args) == 1 && (args[0] == "--help" || args[0] == "--version") {
		return c.fail(2, "unrecognized option '%s'", args[0])
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.fail(2, "missing operand")
	}
	e := &expression{c: c, args: args}
	value, err := e.binary(1, true)
	switch {
	case c.stop():
		return 3
	case slices.ContainsFunc([]error{errDigits, errExpression, errMatch}, func(most error) bool { return errors.Is(err, most) }):
		return c.badUsage(3, err)
	case err != nil:
		return c.badUsage(2, err)
	case e.at < len(args):
		return c.fail(2, "syntax error: unexpected argument '%s'", args[e.at])
	}
	c.print(value, "\n")
	if isNull(value) {
		return 1
	}
	return 0
}

// accept takes the next argument, if it is this one.
func (e *expression) accept(word string) bool {
	if e.at < len(e.args) && e.args[e.at] == word {
		e.at++
		return true
	}
	return false
}

// take takes the next argument, whatever it is.
func (e *expression) take() (string, error) {
	if e.at == len(e.args) {
		return "", fmt.Errorf("syntax error: missing argument after '%s'", e.args[e.at-1])
	}
	e.at++
	return e.args[e.at-1], nil
}

// binary reads operands and the operators between them that bind no less than least. Those
// that don't matter, as what is behind 1 |, are not computed.
func (e *expression) binary(least int, matters bool) (string, error) {
	left, err := e.operand(matters)
	for err == nil && e.at < len(e.args) && !e.c.stop() {
		operator := e.args[e.at]
		binds := exprOperators[operator]
		if binds < least || binds == 0 {
			break
		}
		e.at++
		rightMatters := matters && (operator != "|" || isNull(left)) && (operator != "&" || !isNull(left))
		var right string
		if right, err = e.binary(binds+1, rightMatters); err == nil && matters {
			left, err = e.apply(operator, left, right)
		}
	}
	return left, err
}

// operand reads what is no operator between operands.
func (e *expression) operand(matters bool) (string, error) {
	if e.depth++; e.depth > maxExpression {
		return "", errExpression
	}
	defer func() { e.depth-- }()
	word, err := e.take()
	if err != nil {
		return "", err
	}
	switch word {
	case "+":
		return e.take()
	case "(":
		return e.group(matters)
	case ")":
		return "", errors.New("syntax error: unexpected ')'")
	}
	count := exprFunctions[word]
	if count == 0 {
		return word, nil
	}
	operands := make([]string, count)
	for i := range operands {
		if operands[i], err = e.operand(matters); err != nil {
			return "", err
		}
	}
	if !matters {
		return "", nil
	}
	return e.call(word, operands)
}

// group reads what is between parentheses.
func (e *expression) group(matters bool) (string, error) {
	value, err := e.binary(1, matters)
	switch {
	case err != nil:
		return "", err
	case e.at == len(e.args):
		return "", fmt.Errorf("syntax error: expecting ')' after '%s'", e.args[e.at-1])
	case !e.accept(")"):
		return "", fmt.Errorf("syntax error: expecting ')' instead of '%s'", e.args[e.at])
	}
	return value, nil
}
