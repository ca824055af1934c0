package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An expansion that fails isn't a failure for the interpreter, which goes on with the next
// statement after dividing by zero. So operands that must not be wrong are looked at first:
//
//	x / y
//
// becomes
//
//	x / ((__SH_OPERAND = y) != 0 ? __SH_OPERAND : ${arithmetic[2147483647]?division by zero})
//
// which ends the shell, or the subshell. The name of what isn't set begins the message.

const (
	operandName = "__SH_OPERAND" // has an operand; commands don't get it
	noElement   = "2147483647"   // the index of one that arrays don't have
)

// arithmetic renames what the operands of an expression name, and has them looked at.
func (w *rewriter) arithmetic(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.BinaryArithm:
		rename(n.X)
		rename(n.Y)
		if assigns(n) {
			w.enterTarget(n.X)
		}
		w.enterOperation(n)
	case *syntax.UnaryArithm:
		rename(n.X)
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			w.enterTarget(n.X)
		}
	case *syntax.ParenArithm:
		rename(n.X)
	case *syntax.ArithmExp:
		rename(n.X)
	case *syntax.ArithmCmd:
		rename(n.X)
	}
}

// enterTarget refuses what the interpreter can't assign to.
func (w *rewriter) enterTarget(x syntax.ArithmExpr) {
	if word, ok := x.(*syntax.Word); !ok || word.Lit() == "" {
		w.refuse("an assignment to anything but a variable within an expression", x.Pos())
	}
}

// rename gives an operand another name, if it is one that is taken from the host.
func rename(x syntax.ArithmExpr) {
	if word, ok := x.(*syntax.Word); ok && len(word.Parts) == 1 {
		if lit, ok := word.Parts[0].(*syntax.Lit); ok && renamed[lit.Value] != "" {
			lit.Value = renamed[lit.Value]
		}
	}
}

func (w *rewriter) enterOperation(n *syntax.BinaryArithm) {
	digits := ""
	if word, ok := n.Y.(*syntax.Word); ok && strings.Trim(word.Lit(), "0123456789") == "" {
		digits = word.Lit()
	}
	switch n.Op {
	case syntax.Quo, syntax.Rem, syntax.QuoAssgn, syntax.RemAssgn:
		if (digits == "" || digits[0] == '0') && !w.isArithmeticCommand() {
			n.Y = operand(n.Y, syntax.Neq, "division by zero")
		}
	case syntax.Pow:
		if digits == "" && !w.isArithmeticCommand() {
			n.Y = operand(n.Y, syntax.Geq, "exponent less than 0")
		}
	}
}

// isArithmeticCommand reports whether the expression that was entered is one of a command
// that fails by itself, and doesn't end the shell: ((x)) or let.
func (w *rewriter) isArithmeticCommand() bool {
	for i := len(w.nodes) - 2; i >= 0; i-- {
		switch w.nodes[i].(type) {
		case *syntax.ArithmCmd, *syntax.LetClause:
			return true
		case *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm:
		default:
			return false
		}
	}
	return false
}

// operand is an operand that compares with 0 as it has to, or else a failure.
func operand(x syntax.ArithmExpr, compares syntax.BinAritOperator, failure string) syntax.ArithmExpr {
	assigned := &syntax.ParenArithm{X: &syntax.BinaryArithm{Op: syntax.Assgn, X: literal(operandName), Y: x}}
	fails := &syntax.ParamExp{
		Param: &syntax.Lit{Value: "arithmetic"}, Index: literal(noElement),
		Exp: &syntax.Expansion{Op: syntax.ErrorUnset, Word: literal(failure)},
	}
	return &syntax.ParenArithm{X: &syntax.BinaryArithm{
		Op: syntax.TernQuest,
		X:  &syntax.BinaryArithm{Op: compares, X: assigned, Y: literal("0")},
		Y: &syntax.BinaryArithm{
			Op: syntax.TernColon, X: literal(operandName), Y: &syntax.Word{Parts: []syntax.WordPart{fails}},
		},
	}}
}
