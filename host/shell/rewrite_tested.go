package shell

import (
	"context"
	"slices"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// What is tested, such as the condition of an if, never ends a shell by set -e. The interpreter
// forgets that in subshells, so that
//
//	if (a; b); then c; fi
//
// becomes
//
//	if ({ a; b; } && :exit); then c; fi
//
// And bash gives set -e to no command substitution, so that
//
//	x=$(a)
//
// becomes
//
//	x=$(:substitution && :check; a)

// tested reports whether set -e means nothing for a node that was left, by where it is.
func (w *rewriter) tested(child syntax.Node) bool {
	if n, ok := child.(*syntax.Stmt); ok && n.Negated {
		return true
	}
	for _, node := range slices.Backward(w.nodes) {
		in, _ := child.(*syntax.Stmt)
		switch n := node.(type) {
		case *syntax.FuncDecl, *syntax.CmdSubst:
			return false
		case *syntax.Stmt:
			if n.Negated {
				return true
			}
		case *syntax.IfClause:
			if slices.Contains(n.Cond, in) {
				return true
			}
		case *syntax.WhileClause:
			if slices.Contains(n.Cond, in) {
				return true
			}
		case *syntax.BinaryCmd:
			if in == n.X && !isPipe(n) {
				return true
			}
		}
		child = node
	}
	return false
}

// untested is a statement that set -e means nothing for.
func untested(x *syntax.Stmt) *syntax.Stmt { return and(x, stmt(call(":exit"))) }

// substitution begins what a command substitution runs.
func (s *session) substitution(ctx context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	if s.name == "bash" && !s.inherit {
		_ = hc.Builtin(ctx, []string{"set", "+e"})
	}
	return hc.LastExitStatus, nil
}
