package host

import "context"

// A scope is the context of a matcher or responder: it tells them, and what
// they call, which session and call they serve.
type scope struct {
	context.Context
	session  *Scripted
	record   *record
	matching bool
}

type scopeKey struct{}

// Value finds the scope itself, or what the context below it holds.
func (s *scope) Value(key any) any {
	if key == (scopeKey{}) {
		return s
	}
	return s.Context.Value(key)
}

// scopeOf is the innermost scope, or nil.
func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(scopeKey{}).(*scope)
	return s
}

// matchesFor reports whether the context is that of a matcher of the session, or
// comes from one by way of other sessions: calling the session would then wait
// for itself.
func matchesFor(ctx context.Context, session *Scripted) bool {
	for s := scopeOf(ctx); s != nil; s = scopeOf(s.Context) {
		if s.session == session && s.matching {
			return true
		}
	}
	return false
}
