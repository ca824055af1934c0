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
// whose exit code is that of x, but 0 with set -e. And it looks at its context in loops with
// while, but not in those that count, so that
//
//	for ((x; y; z)); do body; done
//
// becomes
//
//	{ :keep && :check; ((x, 1)); :first
//	while if :again; then :kept; ((z)); fi; :kept; ((y))
//	do :turn && :check; body; done
//	:looped; }
//
// where :keep, :kept and :turn are there for $?, which expressions leave as it is.

// counting is a loop that counts, with a body that is changed already. If it is guarded,
// the guard has kept $?.
func counting(loop *syntax.CStyleLoop, body []*syntax.Stmt, guarded bool) *syntax.Block {
	again := &syntax.IfClause{Cond: []*syntax.Stmt{stmt(call(":again"))}, Then: []*syntax.Stmt{stmt(call(":kept"))}}
	if loop.Post != nil {
		again.Then = append(again.Then, stmt(&syntax.ArithmCmd{X: loop.Post}))
	}
	condition := stmt(&syntax.ArithmCmd{X: literal("1")})
	if loop.Cond != nil {
		condition = stmt(&syntax.ArithmCmd{X: loop.Cond})
	}
	while := &syntax.WhileClause{
		Cond: []*syntax.Stmt{stmt(again), stmt(call(":kept")), condition},
		Do:   append([]*syntax.Stmt{and(stmt(call(":turn")), stmt(call(":check")))}, body...),
	}
	out := &syntax.Block{}
	if !guarded {
		out.Stmts = append(out.Stmts, and(stmt(call(":keep")), stmt(call(":check"))))
	}
	if loop.Init != nil {
		init := &syntax.BinaryArithm{Op: syntax.Comma, X: loop.Init, Y: literal("1")}
		out.Stmts = append(out.Stmts, stmt(&syntax.ArithmCmd{X: init}))
	}
	out.Stmts = append(out.Stmts, stmt(call(":first")), stmt(while), stmt(call(":looped")))
	return out
}

// exempt changes what comes last in a body, and reports whether it did.
func exempt(body []*syntax.Stmt, args ...string) bool {
	if len(body) == 0 {
		return false
	}
	last := body[len(body)-1]
	list, ok := last.Cmd.(*syntax.BinaryCmd)
	if !ok || list.Op != syntax.AndStmt || last.Negated || last.Background || last.Disown || len(last.Redirs) > 0 {
		return false
	}
	otherwise := &syntax.IfClause{Then: []*syntax.Stmt{stmt(call(append([]string{":exempt"}, args...)...))}}
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

// exemptEnd does what exempt does in the compound command that comes last. Loops are left as
// they are, since it may not be their last turn that is exempt.
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

// enterBody does that in all bodies of a compound command that was entered. Functions are
// none: a call of one is a command, and ends the shell.
func (w *rewriter) enterBody(node syntax.Node) {
	switch n := node.(type) {
	case *syntax.File:
		n.Stmts = ending(n.Stmts)
	case *syntax.Subshell:
		n.Stmts = ending(n.Stmts)
	case *syntax.CmdSubst:
		n.Stmts = ending(n.Stmts)
	case *syntax.FuncDecl:
		if body, ok := n.Body.Cmd.(*syntax.Block); ok {
			body.Stmts = ending(body.Stmts)
		}
	case *syntax.ForClause:
		exempt(n.Do)
	case *syntax.WhileClause:
		exempt(n.Do)
	case *syntax.IfClause:
		exempt(n.Then)
	case *syntax.CaseItem:
		exempt(n.Stmts)
	case *syntax.Block:
		if len(w.nodes) > 2 {
			if _, function := w.nodes[len(w.nodes)-3].(*syntax.FuncDecl); function {
				return
			}
		}
		exempt(n.Stmts)
	}
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

// endStatus is the exit code that was exempt in what ends here.
func (s *session) endStatus(context.Context, interp.HandlerContext, []string) (int, error) {
	code := s.run.exempted
	s.run.exempted = 0
	return code, nil
}

// exempted is an exit code that mustn't end a shell.
func exempted(ctx context.Context, hc interp.HandlerContext, code int) int {
	if hc.Builtin(ctx, []string{"test", "-o", "errexit"}) == nil {
		return 0
	}
	return code
}

// keep keeps the exit code before a loop.
func (s *session) keep(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	s.run.status = hc.LastExitStatus
	return s.run.status, nil
}

// kept is the exit code that was kept.
func (s *session) kept(context.Context, interp.HandlerContext, []string) (int, error) {
	return s.run.status, nil
}

// first comes before the first turn of a loop.
func (s *session) first(context.Context, interp.HandlerContext, []string) (int, error) {
	s.run.first = true
	return 0, nil
}

// again fails before the first turn of a loop, and keeps the exit code of each other one.
func (s *session) again(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	if s.run.first {
		s.run.first, s.run.looped = false, 0
		return 1, nil
	}
	s.run.status, s.run.looped = hc.LastExitStatus, hc.LastExitStatus
	return 0, nil
}

// turn is the beginning of the body of a loop.
func (s *session) turn(context.Context, interp.HandlerContext, []string) (int, error) {
	s.run.looped = 0 // break leaves it so
	return s.run.status, nil
}

// looped is the exit code of a loop.
func (s *session) looped(ctx context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	code := s.run.looped
	s.run.looped = 0 // for the one around it
	if hc.LastExitStatus != 0 {
		return hc.LastExitStatus, nil
	}
	return exempted(ctx, hc, code), nil
}
