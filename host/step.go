package host

import (
	"fmt"
	"reflect"
)

// A Step is one expected call and its answer.
type Step struct {
	// Method is the method that consumes the step.
	Method Method

	// Match looks at the call before the step is consumed. Nil accepts.
	Match Matcher

	// Outcome is the answer: made by Return, Respond or Fail.
	Outcome Outcome

	// Source tells a person where the step was written, for example
	// "script.yaml:12". It appears in reports, never in errors' texts.
	Source string
}

// An Outcome is how a step answers: with a result, a responder or an error. The
// zero Outcome is none, which makes a step invalid.
type Outcome struct {
	kind      OutcomeKind
	result    any
	responder Responder
	err       error
}

// An OutcomeKind tells how a call is answered.
type OutcomeKind uint8

const (
	OutcomeNone OutcomeKind = iota
	OutcomeResult
	OutcomeResponder
	OutcomeError
	OutcomeWorkspace // of a call that no step answered
)

// String is "none", "result", "responder", "error" or "workspace".
func (k OutcomeKind) String() string {
	switch k {
	case OutcomeResult:
		return "result"
	case OutcomeResponder:
		return "responder"
	case OutcomeError:
		return "error"
	case OutcomeWorkspace:
		return "workspace"
	default:
		return "none"
	}
}

// Return answers with a fixed result, recorded when the session is made (S2.24).
// What the value has to be depends on the step's method:
//
//	exec                              ExecResult
//	read                              Stream, string, []byte or io.Reader
//	ls                                []FileEntry
//	apply_patch                       string
//	pty_exec_start, pty_write_stdin   PTYUpdate
//	write, rm, mkdir                  nil
func Return(result any) Outcome { return Outcome{kind: OutcomeResult, result: result} }

// Respond answers with what the responder makes of the call.
func Respond(responder Responder) Outcome {
	return Outcome{kind: OutcomeResponder, responder: responder}
}

// Fail answers with an error: the session returns this very value (S2.26).
func Fail(err error) Outcome { return Outcome{kind: OutcomeError, err: err} }

// step is a validated Step. It is never changed (S1.10).
type step struct {
	Step
	index int
}

// newStep validates in the order of S1.2; the first defect wins. What S1.2 says
// of unknown keys and of values that aren't mappings concerns script files.
func newStep(opts snapshotOptions, index int, spec Step) (step, error) {
	invalid := func(reason StepReason, detail string, cause error) (step, error) {
		name := ""
		if spec.Method.Valid() {
			name = spec.Method.String()
		}
		return step{}, &InvalidStepError{Reason: reason, Index: index, Method: name, Detail: detail, Err: cause}
	}
	switch {
	case !spec.Method.Valid():
		return invalid(ReasonUnknownMethod, "has an unknown method", nil)
	case isNilValue(spec.Match):
		return invalid(ReasonInvalidMatcher, "has a matcher that can't be called", nil)
	case !serves(spec.Match, spec.Method):
		return invalid(ReasonInvalidMatcher, "has a guest's matcher that doesn't serve the method", ModuleHandlerMismatch)
	}
	switch spec.Outcome.kind {
	case OutcomeNone:
		return invalid(ReasonInvalidOutcome, "needs exactly one of a result, a responder and an error", nil)
	case OutcomeResponder:
		if spec.Outcome.responder == nil || isNilValue(spec.Outcome.responder) {
			return invalid(ReasonInvalidOutcome, "has a responder that can't be called", nil)
		}
		if !serves(spec.Outcome.responder, spec.Method) {
			return invalid(ReasonInvalidOutcome, "has a guest's responder that doesn't serve the method", ModuleHandlerMismatch)
		}
	case OutcomeError:
		if spec.Outcome.err == nil || isNilValue(spec.Outcome.err) {
			return invalid(ReasonInvalidOutcome, "has an error that isn't one", nil)
		}
	case OutcomeResult:
		result, err := snapshotResult(opts, spec.Method, spec.Outcome.result)
		if err != nil {
			return invalid(ReasonInvalidOutcome, "has a result that can't be recorded", err)
		}
		spec.Outcome.result = result
	default:
		panic(fmt.Sprintf("host: outcome kind %d", spec.Outcome.kind))
	}
	return step{Step: spec, index: index}, nil
}

// serves reports false for a guest's handler that isn't for the method.
func serves(handler any, method Method) bool {
	switch h := handler.(type) {
	case *GuestMatcher:
		return h.Serves(method)
	case *GuestResponder:
		return h.Serves(method)
	case *ProgramResponder:
		return h.Serves(method)
	default:
		return true
	}
}

// isNilValue reports whether an interface that isn't nil holds a nil pointer,
// func or map, which would fail only once it is called.
func isNilValue(v any) bool {
	if v == nil {
		return false
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Chan, reflect.Slice:
		return r.IsNil()
	default:
		return false
	}
}
