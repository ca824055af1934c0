package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *rewriter) enterUnaryTest(n *syntax.UnaryTest) {
	switch n.Op {
	case syntax.TsUsrOwn, syntax.TsGrpOwn:
		n.Op = syntax.TsExists // all files are the user's
	case syntax.TsModif:
		w.refuse("-N", n.Pos())
	case syntax.TsVarSet:
		if element := named(n.X); element != nil {
			element.Exp = &syntax.Expansion{Op: syntax.AlternateUnset, Word: literal("set")}
			n.Op, n.X = syntax.TsNempStr, quoted(element)
		}
	case syntax.TsFdTerm:
		n.Op, n.X = syntax.TsNempStr, quoted(&syntax.ParamExp{Param: &syntax.Lit{Value: terminalName}})
	}
}

func (w *rewriter) enterBinaryTest(n *syntax.BinaryTest) {
	switch n.Op {
	case syntax.TsDevIno:
		w.refuse("-ef", n.Pos())
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
		if word, ok := n.Y.(*syntax.Word); ok {
			subject, _ := n.X.(*syntax.Word)
			w.enterPattern(word, subject)
		}
	case syntax.TsReMatch:
		w.enterRegexp(n)
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		n.X, n.Y = w.evaluated(n.X), w.evaluated(n.Y)
	}
}

// evaluated has an operand evaluated that is an expression, such as x in [[ x -gt 5 ]]: for the
// interpreter, what isn't a number is 0.
func (w *rewriter) evaluated(x syntax.TestExpr) syntax.TestExpr {
	word, ok := x.(*syntax.Word)
	if !ok || word.Lit() == "" || strings.Contains(word.Lit(), ".") { // no expression has one
		return x
	}
	expr, err := w.run.arithmetic(word.Lit())
	if err != nil || expr == nil { // such as that of ]
		return x
	}
	return quoted(&syntax.ArithmExp{X: expr})
}

// terminalName is not empty if the shell is at a terminal.
const terminalName = "__SH_TERMINAL"
