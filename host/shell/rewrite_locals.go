package shell

import (
	"context"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// A local variable without a value has that of the variable outside, for the interpreter as for
// dash. In bash it has none, so that in a function
//
//	local x y=z
//
// becomes
//
//	:outside x && :check; local x; :fresh x && :check; local x y=z
//
// Of a variable that is local already it isn't known whether it is that of a caller; it is
// left as it is.

// leaveDeclaration changes a declaration in a function.
func (w *rewriter) leaveDeclaration(n *syntax.Stmt, c *syntax.DeclClause) {
	if c.Variant.Value != "local" && c.Variant.Value != "declare" || !w.isInFunction() {
		return
	}
	names := &syntax.DeclClause{Variant: c.Variant}
	outside, fresh := call(":outside"), call(":fresh")
	for _, arg := range c.Args {
		switch {
		case arg.Name != nil && arg.Naked && arg.Index == nil:
			names.Args = append(names.Args, &syntax.Assign{Naked: true, Name: arg.Name})
			outside.Args = append(outside.Args, literal(arg.Name.Value))
			fresh.Args = append(fresh.Args, literal(arg.Name.Value))
		case arg.Name == nil && arg.Naked && arg.Value != nil && (arg.Value.Lit() == "-a" || arg.Value.Lit() == "-A"):
			names.Args = append(names.Args, &syntax.Assign{Naked: true, Value: arg.Value})
		case arg.Name == nil: // another option, or names that aren't known before
			return
		}
	}
	if len(fresh.Args) == 1 { // no variable has no value
		return
	}
	n.Cmd = block(and(stmt(outside), stmt(call(":check"))), stmt(names), and(stmt(fresh), stmt(call(":check"))), stmt(c))
}

// outside notes which variables are those of outside of all functions.
func (s *session) outside(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	s.global = map[string]bool{}
	s.run.status = hc.LastExitStatus
	for _, name := range args {
		v := hc.Env.Get(name)
		s.global[name] = v.IsSet() && !v.Local && v.Kind != expand.NameRef
	}
	return hc.LastExitStatus, nil
}

// fresh takes from variables the value that they have from outside, and keeps the exit code.
func (s *session) fresh(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	for _, name := range args {
		if s.name == "bash" && s.global[name] {
			_ = hc.Builtin(ctx, []string{"unset", "-v", name})
		}
	}
	return s.run.status, nil
}
