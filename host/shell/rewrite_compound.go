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
// whose exit code is that of x, but 0 with set -e. And it ends a loop that counts when its
// body has another exit code than 0, so that
//
//	for ((x; y; z)); do body; done
//
// becomes
//
//	{ for ((x; y; z)); do :loop; body; :loop end; done; :looped; }

// exempt changes what comes last in a body.
func exempt(body []*syntax.Stmt) {
	if len(body) == 0 {
		return
	}
	last := body[len(body)-1]
	list, ok := last.Cmd.(*syntax.BinaryCmd)
	if !ok || list.Op != syntax.AndStmt || last.Negated || last.Background || last.Disown || len(last.Redirs) > 0 {
		return
	}
	otherwise := &syntax.IfClause{Then: []*syntax.Stmt{stmt(call(":exempt"))}}
	last.Cmd = &syntax.IfClause{Cond: []*syntax.Stmt{list.X}, Then: []*syntax.Stmt{list.Y}, Else: otherwise}
}

// enterBody does that in all bodies of a compound command that was entered. Functions are
// none: a call of one is a command, and ends the shell.
func (w *rewriter) enterBody(node syntax.Node) {
	switch n := node.(type) {
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
func (s *session) exempt(ctx context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	return exempted(ctx, hc, hc.LastExitStatus), nil
}

// exempted is an exit code that mustn't end a shell.
func exempted(ctx context.Context, hc interp.HandlerContext, code int) int {
	if hc.Builtin(ctx, []string{"test", "-o", "errexit"}) == nil {
		return 0
	}
	return code
}

// loop is the beginning of the body of a loop, or its end.
func (s *session) loop(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	s.run.looped = 0 // break and continue leave it so
	if len(args) > 0 {
		s.run.looped = hc.LastExitStatus
	}
	return 0, nil
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
