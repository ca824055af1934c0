package shell

import (
	"context"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// With set -e the interpreter ends a shell at a loop or the like whose exit code isn't 0,
// even if the command that it comes from must not end one. So what comes last in one,
//
//	x && y
//
// becomes
//
//	if x; then y; else :exempt; fi
//
// whose exit code is that of x, but 0 with set -e; as is ! x with :exit in place of y.

// exempt changes what comes last in a body, and reports whether it did.
func exempt(body []*syntax.Stmt, args ...string) bool {
	if len(body) == 0 {
		return false
	}
	last := body[len(body)-1]
	if last.Background || last.Disown {
		return false
	}
	otherwise := &syntax.IfClause{Then: []*syntax.Stmt{stmt(call(append([]string{":exempt"}, args...)...))}}
	if last.Negated {
		negated := *last
		last.Cmd = &syntax.IfClause{Cond: []*syntax.Stmt{&negated}, Then: []*syntax.Stmt{stmt(call(":exit"))}, Else: otherwise}
		last.Negated, last.Redirs = false, nil
		return true
	}
	list, ok := last.Cmd.(*syntax.BinaryCmd)
	if !ok || list.Op != syntax.AndStmt || len(last.Redirs) > 0 {
		return false
	}
	last.Cmd = &syntax.IfClause{Cond: []*syntax.Stmt{list.X}, Then: []*syntax.Stmt{list.Y}, Else: otherwise}
	return true
}

// ending appends
//
//	:pending && :status
//
// to what is run as one command, such as a function, if it ends with a compound command that
// is exempt: the whole isn't.
func ending(body []*syntax.Stmt) []*syntax.Stmt {
	if !exemptEnd(body) {
		return body
	}
	return append(body, and(stmt(call(":pending")), stmt(call(":status"))))
}

// ended is a stage of a pipeline, which is run as one command.
func ended(x *syntax.Stmt) *syntax.Stmt {
	if body := ending([]*syntax.Stmt{x}); len(body) > 1 {
		return stmt(&syntax.Subshell{Stmts: body})
	}
	return x
}

// exemptEnd does what exempt does in the compound command that comes last. Each turn of a loop
// forgets the one before it.
func exemptEnd(body []*syntax.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	last := body[len(body)-1]
	if last.Negated || last.Background || last.Disown {
		return false
	}
	var branches [][]*syntax.Stmt
	switch c := last.Cmd.(type) {
	case *syntax.Block:
		branches = append(branches, c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			branches = append(branches, c.Then)
		}
	case *syntax.ForClause:
		return exemptTurn(&c.Do)
	case *syntax.WhileClause:
		return exemptTurn(&c.Do)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			if item.Op == syntax.Break {
				branches = append(branches, item.Stmts)
			}
		}
	}
	found := false
	for _, branch := range branches {
		if exempt(branch, "keep") || exemptEnd(branch) {
			found = true
		}
	}
	return found
}

func exemptTurn(body *[]*syntax.Stmt) bool {
	if !exempt(*body, "keep") && !exemptEnd(*body) {
		return false
	}
	*body = append([]*syntax.Stmt{and(stmt(call(":afresh")), stmt(call(":check")))}, *body...)
	return true
}

// enterBody does that in all bodies of a compound command that was entered, unless it is
// tested: then it ends no shell, and its exit code counts. Functions are none: a call of one
// is a command, and ends the shell.
func (w *rewriter) enterBody(node syntax.Node) {
	var change func()
	switch n := node.(type) {
	case *syntax.File:
		change = func() { n.Stmts = ending(n.Stmts) }
	case *syntax.Subshell:
		change = func() { n.Stmts = ending(n.Stmts) }
	case *syntax.CmdSubst:
		change = func() { n.Stmts = ending(n.Stmts) }
	case *syntax.BinaryCmd:
		if isPipe(n) {
			change = func() { n.X, n.Y = ended(n.X), ended(n.Y) }
		}
	case *syntax.FuncDecl:
		if body, ok := n.Body.Cmd.(*syntax.Block); ok {
			change = func() { body.Stmts = ending(body.Stmts) }
		}
	case *syntax.ForClause:
		if _, counts := n.Loop.(*syntax.CStyleLoop); !counts { // :looped is exempt
			change = func() { exempt(n.Do) }
		}
	case *syntax.WhileClause:
		change = func() { exempt(n.Do) }
	case *syntax.IfClause:
		change = func() { exempt(n.Then) }
	case *syntax.CaseItem:
		change = func() { exempt(n.Stmts) }
	case *syntax.Block:
		if !w.isFunctionBody() {
			change = func() { exempt(n.Stmts) }
		}
	}
	if change != nil && !w.tested(node) {
		change()
	}
}

// isFunctionBody reports whether what was entered is the body of a function.
func (w *rewriter) isFunctionBody() bool {
	if len(w.nodes) < 3 {
		return false
	}
	_, is := w.nodes[len(w.nodes)-3].(*syntax.FuncDecl)
	return is
}

// exempt is the exit code of what was to decide whether something else is run.
func (s *session) exempt(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	code := exempted(ctx, hc, hc.LastExitStatus)
	if len(args) > 0 {
		s.run.exempted = hc.LastExitStatus - code
	}
	return code, nil
}

// pending succeeds before status has an exit code to give.
func (s *session) pending(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	if s.run.exempted != 0 {
		return 0, nil
	}
	return hc.LastExitStatus, nil
}

// afresh forgets the exit code that was exempt.
func (s *session) afresh(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	s.run.exempted = 0
	return hc.LastExitStatus, nil
}

// endStatus is the exit code that was exempt in what ends here.
func (s *session) endStatus(context.Context, interp.HandlerContext, []string) (int, error) {
	code := s.run.exempted
	s.run.exempted = 0
	return code, nil
}

// errexit succeeds if set -e is in force.
func (s *session) errexit(ctx context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	return exempted(ctx, hc, 1), nil
}

// exempted is an exit code that mustn't end a shell.
func exempted(ctx context.Context, hc interp.HandlerContext, code int) int {
	if hc.Builtin(ctx, []string{"test", "-o", "errexit"}) == nil {
		return 0
	}
	return code
}
