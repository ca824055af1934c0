package host

import (
	"context"
	"errors"
)

// An endedError is that of a call whose context has ended for a reason of the caller's,
// which it matches as well.
type endedError struct{ err, cause error }

func (e *endedError) Error() string   { return e.err.Error() }
func (e *endedError) Unwrap() []error { return []error{e.err, e.cause} }

// causedBy completes an error that is due to the end of the context by what
// [context.Cause] says.
func causedBy(ctx context.Context, err error) error {
	ended := ctx.Err()
	if ended == nil || !errors.Is(err, ended) {
		return err
	}
	if cause := context.Cause(ctx); !errors.Is(err, cause) {
		return &endedError{err, cause}
	}
	return err
}
