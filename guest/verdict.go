package guest

import (
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Verdict is a matcher's answer. Its zero value is no answer, which accepts.
type Verdict struct {
	message abi.Verdict
	err     error
}

// Accept says that the call is the one that the step waits for.
func Accept() Verdict { return Verdict{message: abi.Verdict{Answer: abi.AnswerAccept}} }

// Reject says that the call isn't the one that the step waits for. The session's
// caller gets the reason, and the step stays.
func Reject(reason string) Verdict {
	return Verdict{message: abi.Verdict{Answer: abi.AnswerReject, Reason: reason}}
}

// Failed says that the matcher could not find out. The step stays.
func Failed(err error) Verdict { return Verdict{err: err} }

// Differ adds a field that isn't as it should be, for example args[0] or
// kwargs.timeout, and returns the new verdict.
func (v Verdict) Differ(field, expected, actual string) Verdict {
	d := abi.Difference{Field: field, Expected: expected, Actual: actual}
	v.message.Differences = append(slices.Clip(v.message.Differences), d)
	return v
}

// String is the verdict in words, for tests.
func (v Verdict) String() string {
	switch {
	case v.err != nil:
		return "failed, " + v.err.Error()
	case v.message.Answer != abi.AnswerReject:
		return "accept"
	}
	text := "reject, " + v.message.Reason
	for _, d := range v.message.Differences {
		text += "; " + d.Field + ": want " + d.Expected + ", have " + d.Actual
	}
	return text
}
