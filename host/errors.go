package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"
)

// A ScriptError says that a script and the calls made don't fit together. The
// four types of the family are *InvalidStepError, *UnexpectedCallError,
// *MatcherRejectedError and *UnconsumedStepsError (S3.21); errors.As with a
// ScriptError finds any of them.
//
// Their texts are made of method names and numbers only, so that they can be
// logged anywhere; arguments are on the fields (S1.18, S3.17). Fields count
// from zero, texts from one (S1.19).
type ScriptError interface {
	error
	scriptError()
}

func (*InvalidStepError) scriptError()     {}
func (*UnexpectedCallError) scriptError()  {}
func (*MatcherRejectedError) scriptError() {}
func (*UnconsumedStepsError) scriptError() {}

// A StepReason is why a step is invalid (S1.2).
type StepReason string

// The reasons, in the order in which they are looked for.
const (
	ReasonInvalidInput   StepReason = "invalid_input"   // not a mapping, or one with unknown keys
	ReasonUnknownMethod  StepReason = "unknown_method"  // none of the nine
	ReasonInvalidMatcher StepReason = "invalid_matcher" // a matcher that can't be called
	ReasonInvalidOutcome StepReason = "invalid_outcome" // not exactly one usable outcome
	ReasonUnreachable    StepReason = "unreachable"     // a method that the workspace alone answers
)

// An InvalidStepError says which step of a script can't be used, and why.
type InvalidStepError struct {
	Reason StepReason
	Index  int    // zero-based position in the script
	Method string // as given, even if unknown; "" when it isn't a name
	Detail string // a fixed text, free of the script's own
	Err    error  // what a result could not be recorded for, if that's the reason
}

func (e *InvalidStepError) Error() string {
	text := "scripted sandbox step #" + strconv.Itoa(e.Index+1)
	if _, known := ParseMethod(e.Method); known && e.Reason != ReasonInvalidInput {
		text += " for " + e.Method
	}
	return text + " " + e.Detail
}

func (e *InvalidStepError) Unwrap() error { return e.Err }

// An UnexpectedCallError says that a call isn't the one the script has next.
// The step stays at the head of the script (S3.1, S3.2).
type UnexpectedCallError struct {
	Call      Call
	Expected  Method // of the next step; zero when none is left
	Remaining int    // steps not consumed, the next one included
}

func (e *UnexpectedCallError) Error() string {
	text := fmt.Sprintf("unexpected sandbox %s call #%d", e.Call.Method(), e.Call.Index()+1)
	if e.Expected == 0 {
		return text + ": no steps are left in the script"
	}
	return text + "; expected " + e.Expected.String()
}

// A MatcherRejectedError says that the next step is for the method called, but
// its matcher turned the call down. The step stays (S3.6).
type MatcherRejectedError struct {
	Call        Call
	Reason      string       // the matcher's own words; may be empty
	Differences []Difference // field by field; may be empty
}

func (e *MatcherRejectedError) Error() string {
	return fmt.Sprintf("sandbox matcher rejected %s call #%d", e.Call.Method(), e.Call.Index()+1)
}

// An UnconsumedStepsError says that a script has steps that nothing called for
// (S3.19).
type UnconsumedStepsError struct {
	Remaining int
	Pending   []Method // of the steps left, in their order
}

func (e *UnconsumedStepsError) Error() string {
	if e.Remaining == 1 {
		return "scripted sandbox session has 1 unconsumed step"
	}
	return fmt.Sprintf("scripted sandbox session has %d unconsumed steps", e.Remaining)
}

// ErrClosed is what a session answers after Close, and what Start answers then.
var ErrClosed = errors.New("host: the session is closed")

// ErrReentrantMatch is what a session answers a matcher that calls it back: the
// call that is being matched has to be decided first.
var ErrReentrantMatch = errors.New("host: a matcher can't call its own session")

// An UnsupportedError says that a method isn't visible, because no step of the
// script names it and no workspace answers it. Nothing is recorded (S4.6). It matches
// errors.ErrUnsupported.
type UnsupportedError struct {
	Method Method
}

func (e *UnsupportedError) Error() string {
	return "host: the script has no step for " + e.Method.String()
}

// Is reports true for errors.ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool { return target == errors.ErrUnsupported }

// A CallTimeError says that a call took longer than Limits.CallTime by the real clock.
// What is behind it is how the call ended, such as a *GuestError with
// GuestInterrupted. It matches context.DeadlineExceeded. Another machine may answer the
// same call in time.
type CallTimeError struct {
	Limit time.Duration
	Err   error
}

func (e *CallTimeError) Error() string {
	text := "host: the call took longer than " + e.Limit.String()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *CallTimeError) Unwrap() error { return e.Err }

// Is reports true for context.DeadlineExceeded.
func (e *CallTimeError) Is(target error) bool { return target == context.DeadlineExceeded }

// A SnapshotError says that a call's arguments can't be recorded. The call is
// as if it had not been made (S2.11).
type SnapshotError struct {
	Method Method // zero when the request has none
	Field  string // for example "data"; "" for the whole request
	Err    error
}

func (e *SnapshotError) Error() string {
	text := "host: can't record the arguments of " + e.Method.String()
	if e.Field != "" {
		text += ": " + e.Field
	}
	return text
}

func (e *SnapshotError) Unwrap() error { return e.Err }

// A ResultTypeError says that a result isn't what its method returns.
type ResultTypeError struct {
	Method Method
	Type   string // the Go type of the value
}

func (e *ResultTypeError) Error() string {
	return "host: a value of the type " + e.Type + " isn't a result of " + e.Method.String()
}

// A PanicError is a panic in code that the session was given: a matcher, a
// responder, a hook, a closer or a reader. The value may hold anything, so the
// text leaves it out.
type PanicError struct {
	In    string // what panicked, for example "responder"
	Value any    // what recover returned
	Stack []byte
}

func newPanicError(in string, value any) *PanicError {
	return &PanicError{In: in, Value: value, Stack: debug.Stack()}
}

// guarded does something that is the caller's. A panic in it is an error.
func guarded(in string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError(in, p)
		}
	}()
	return do()
}

func (e *PanicError) Error() string { return "host: panic in a " + e.In }

// Unwrap gives the value when it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// isA reports whether an error is of a type, or wraps one that is.
func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
