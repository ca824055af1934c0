package shell

import (
	"context"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// The interpreter looks at its context in loops with while, but not in those that count, so
// that
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
// the guard has kept $?; if it is tested, set -e means nothing for it.
func counting(loop *syntax.CStyleLoop, body []*syntax.Stmt, guarded, tested bool) *syntax.Block {
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
	looped := call(":looped")
	if tested {
		looped = call(":looped", "tested")
	}
	out.Stmts = append(out.Stmts, stmt(call(":first")), stmt(while), stmt(looped))
	return out
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
func (s *session) looped(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	code := s.run.looped
	s.run.looped = 0 // for the one around it
	if hc.LastExitStatus != 0 {
		return hc.LastExitStatus, nil
	}
	if len(args) > 0 { // it is tested
		return code, nil
	}
	return exempted(ctx, hc, code), nil
}
