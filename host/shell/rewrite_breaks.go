package shell

import (
	"context"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// The interpreter looks at whether a loop goes on between the statements of its body, and not
// between those of an if, a case or a block in it, so that in a loop
//
//	if x; then y && continue; z; fi
//
// becomes
//
//	if x; then y && :break 5 && continue; if :going 5 last; then :kept && :check; z; fi; fi
//
// The number is how deep the list of statements is nested, and in :break that of the
// outermost one that is left. Where z has such a call as well, :hold ends the inner if.

// leaveLoop lets a call that leaves a loop say which lists it leaves as well.
func (w *rewriter) leaveLoop(n *syntax.Stmt, c *syntax.CallExpr) {
	levels := levels(c)
	if levels == 0 || isSubshell(n) {
		return
	}
	var left, within []*syntax.Stmt
	var outermost, reached int
	var child syntax.Node = n
climb:
	for depth := len(w.nodes) - 1; depth >= 0 && levels > 0; depth-- {
		switch node := w.nodes[depth].(type) {
		case *syntax.ForClause, *syntax.WhileClause:
			levels--
			left, outermost, within = append(left, within...), reached, nil
		case *syntax.Block, *syntax.IfClause, *syntax.CaseItem:
			if inner, ok := child.(*syntax.Stmt); ok && isFollowed(node, inner) {
				within, reached = append(within, inner), depth
			}
		case *syntax.FuncDecl:
			break climb
		default:
			if isSubshell(node) {
				break climb
			}
		}
		child = w.nodes[depth]
	}
	if len(left) == 0 {
		return
	}
	if w.left == nil {
		w.left = map[*syntax.Stmt]bool{}
	}
	for _, s := range left {
		w.left[s] = true
	}
	n.Cmd = and(stmt(call(":break", strconv.Itoa(outermost))), stmt(c)).Cmd
}

// listOf is the list of statements of a command, or nil.
func listOf(node syntax.Node) *[]*syntax.Stmt {
	switch n := node.(type) {
	case *syntax.Block:
		return &n.Stmts
	case *syntax.IfClause:
		return &n.Then
	case *syntax.CaseItem:
		return &n.Stmts
	}
	return nil
}

// isFollowed reports whether there is something behind a statement in the list of a command,
// of which its condition is none.
func isFollowed(node syntax.Node, inner *syntax.Stmt) bool {
	list := *listOf(node)
	if len(list) == 0 || list[len(list)-1] == inner {
		return false
	}
	n, ok := node.(*syntax.IfClause)
	return !ok || len(n.Cond) == 0 || n.ThenPos.IsValid() && inner.Pos().After(n.ThenPos)
}

// levels is how many loops a call leaves, as far as that is known.
func levels(n *syntax.CallExpr) int {
	if len(n.Args) == 0 || n.Args[0].Lit() != "break" && n.Args[0].Lit() != "continue" {
		return 0
	}
	if len(n.Args) == 1 {
		return 1
	}
	if number, err := strconv.Atoi(n.Args[1].Lit()); err == nil {
		return max(number, 0)
	}
	return 1
}

// leaveList has what is behind a statement that leaves the list run only if it doesn't.
func (w *rewriter) leaveList(node syntax.Node) {
	list := listOf(node)
	if list == nil || len(w.left) == 0 {
		return
	}
	depth := strconv.Itoa(len(w.nodes))
	var out []*syntax.Stmt
	var last *syntax.CallExpr // that asks whether it goes on
	to := &out
	for i, s := range *list {
		*to = append(*to, s)
		if w.left[s] && i+1 < len(*list) {
			going := call(":going", depth)
			if last != nil { // with set -e the if must not fail
				*to = append(*to, stmt(call(":hold")))
				going.Args = append(going.Args, literal("held"))
			}
			last = going
			goesOn := &syntax.IfClause{
				Cond: []*syntax.Stmt{stmt(last)},
				Then: []*syntax.Stmt{and(stmt(call(":kept")), stmt(call(":check")))},
			}
			out = append(out, stmt(goesOn))
			to = &goesOn.Then
		}
		delete(w.left, s)
	}
	if last != nil {
		last.Args = append(last.Args, literal("last"))
		*list = out
	}
}

// leave notes which lists are left.
func (s *session) leave(_ context.Context, _ interp.HandlerContext, args []string) (int, error) {
	if len(args) > 0 {
		s.run.left, _ = strconv.Atoi(args[0])
	}
	return 0, nil
}

// hold keeps the exit code, and succeeds.
func (s *session) hold(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	s.run.status = hc.LastExitStatus
	return 0, nil
}

// going fails for a list that is left, and else keeps the exit code, unless it is held.
func (s *session) going(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	depth := 0
	if len(args) > 0 {
		depth, _ = strconv.Atoi(args[0])
	}
	if s.run.left == 0 || depth < s.run.left {
		if !slices.Contains(args, "held") {
			s.run.status = hc.LastExitStatus
		}
		return 0, nil
	}
	if depth == s.run.left && slices.Contains(args, "last") {
		s.run.left = 0
	}
	return 1, nil
}
