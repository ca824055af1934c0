package host

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Matcher decides whether a call fits a step. An error leaves the step where
// it is, and is what the session's caller gets, unwrapped (S3.7).
//
// A matcher runs while other calls of the session wait. It must not call the
// session; with the context it got, that fails with ErrReentrantMatch.
type Matcher interface {
	Match(ctx context.Context, call Call) (Verdict, error)
}

// A MatcherFunc is a func as a Matcher.
type MatcherFunc func(ctx context.Context, call Call) (Verdict, error)

// Match calls f.
func (f MatcherFunc) Match(ctx context.Context, call Call) (Verdict, error) { return f(ctx, call) }

// A Verdict is a matcher's answer. Everything but an explicit rejection accepts
// (S3.5): the zero Verdict, too.
type Verdict = abi.Verdict

// A Difference is one field of a call that isn't what a matcher wants.
type Difference = abi.Difference

// Accept takes the call.
func Accept() Verdict { return Verdict{Answer: abi.AnswerAccept} }

// Reject turns the call down, and says why and what differs. Both may be empty.
func Reject(reason string, differences ...Difference) Verdict {
	return Verdict{Answer: abi.AnswerReject, Reason: reason, Differences: differences}
}

// MatchFunc makes a Matcher of a predicate.
func MatchFunc(fits func(call Call) bool) Matcher {
	if fits == nil {
		return MatcherFunc(nil)
	}
	return MatcherFunc(func(_ context.Context, call Call) (Verdict, error) {
		if !fits(call) {
			return Reject("the predicate is false"), nil
		}
		return Accept(), nil
	})
}
