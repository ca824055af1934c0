package host

import "context"

// A Responder answers a call. Its step has been consumed before it runs, so it
// may call the session, and calls may overlap (S3.8, S3.16).
//
// The result must be of a type that Return takes for the call's method; for the
// void methods it is dropped (S2.27). It isn't copied (S2.25); an io.Reader is
// read to its end, and closed if it is an io.Closer. An error is what
// the session's caller gets, unwrapped (S3.11).
type Responder interface {
	Respond(ctx context.Context, call Call) (any, error)
}

// A ResponderFunc is a func as a Responder.
type ResponderFunc func(ctx context.Context, call Call) (any, error)

// Respond calls f.
func (f ResponderFunc) Respond(ctx context.Context, call Call) (any, error) { return f(ctx, call) }
