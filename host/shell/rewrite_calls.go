package shell

import (
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// Three builtins don't do in the interpreter what they do where they are in the script: break
// and continue reach loops that aren't around them, and return doesn't end what a subshell of
// a function does.

func (w *rewriter) enterCall(n *syntax.CallExpr) {
	if len(n.Args) == 0 {
		n.Assigns = w.apart(n.Assigns)
		return
	}
	switch n.Args[0].Lit() {
	case "break", "continue":
		w.enterBreak(n)
	case "return":
		if _, in := w.around(); in == inSubshell && w.isInFunction() {
			n.Args[0] = literal("exit")
		}
	}
}

// A surrounding is what a loop is left with, at the latest.
type surrounding int

const (
	inScript surrounding = iota
	inFunction
	inSubshell
)

// around is how many loops there are around the call that was entered, and what they are in.
func (w *rewriter) around() (loops int, in surrounding) {
	for _, node := range slices.Backward(w.nodes) {
		switch node.(type) {
		case *syntax.ForClause, *syntax.WhileClause:
			loops++
		case *syntax.FuncDecl:
			return loops, inFunction
		default:
			if isSubshell(node) {
				return loops, inSubshell
			}
		}
	}
	return loops, inScript
}

// isSubshell reports whether what is in a node is run by a shell of its own.
func isSubshell(node syntax.Node) bool {
	switch n := node.(type) {
	case *syntax.Subshell, *syntax.CmdSubst:
		return true
	case *syntax.BinaryCmd:
		return isPipe(n)
	case *syntax.Stmt:
		return n.Background || n.Disown
	}
	return false
}

func (w *rewriter) isInFunction() bool {
	return slices.ContainsFunc(w.nodes, func(node syntax.Node) bool {
		_, function := node.(*syntax.FuncDecl)
		return function
	})
}

func isPipe(c *syntax.BinaryCmd) bool { return c.Op == syntax.Pipe || c.Op == syntax.PipeAll }

// enterBreak lets break and continue reach no more loops than there are. What is evaluated
// may be in a loop that can't be seen.
func (w *rewriter) enterBreak(n *syntax.CallExpr) {
	loops, in := w.around()
	if in == inScript && w.printed {
		return
	}
	if in == inFunction && loops == 0 {
		alone := literal(":alone")
		if !w.printed {
			alone.Parts[0].(*syntax.Lit).ValuePos = n.Pos() // for messages
		}
		n.Args = append([]*syntax.Word{alone}, n.Args[0])
		return
	}
	if len(n.Args) == 2 && loops > 0 {
		if levels, err := strconv.Atoi(n.Args[1].Lit()); err == nil && levels > loops {
			n.Args[1] = literal(strconv.Itoa(loops))
		}
	}
}
