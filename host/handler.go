package host

import (
	"context"
	"errors"
	"slices"
)

// handler is a matcher or responder of a guest.
type handler struct {
	module  *Module
	id      uint32
	name    string
	methods []Method // empty: all
}

// Serves reports whether the handler takes calls of a method. A handler that
// doesn't come from a module serves none.
func (h handler) Serves(method Method) bool {
	return h.module != nil && (len(h.methods) == 0 || slices.Contains(h.methods, method))
}

// errNoSession is what a guest handler answers outside of a session.
var errNoSession = errors.New("host: a guest's handler runs with the context that its session gives it")

// A GuestMatcher is a [Matcher] inside a guest.
type GuestMatcher struct{ handler }

// Match asks the session's instance of the guest. The context has to come from
// the session. A guest that can't answer is a *GuestError.
func (m *GuestMatcher) Match(ctx context.Context, call Call) (Verdict, error) {
	scope := scopeOf(ctx)
	if scope == nil || m.module == nil {
		return Verdict{}, errNoSession
	}
	g, err := scope.session.guests.get(m.module)
	if err != nil {
		return Verdict{}, err
	}
	return g.matchCall(ctx, &m.handler, scope.record, call)
}

// A GuestResponder is a [Responder] inside a guest.
type GuestResponder struct{ handler }

// Respond asks the session's instance of the guest, and waits while that works
// for another call. The context has to come from the session. A guest that
// can't answer is a *GuestError; a sandbox error that it raises is a
// *SandboxError.
func (r *GuestResponder) Respond(ctx context.Context, call Call) (any, error) {
	scope := scopeOf(ctx)
	if scope == nil || r.module == nil {
		return nil, errNoSession
	}
	g, err := scope.session.guests.get(r.module)
	if err != nil {
		return nil, err
	}
	var result callResult
	if err := g.respondCall(ctx, &r.handler, scope.record, call, &result); err != nil {
		return nil, err
	}
	return result.value(call.Method()), nil
}
