package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A RestoredError stands for an error of another package that was in the history of a
// session when its checkpoint was written to a file. It has the same text, and stands for
// the wrapped errors in the same way.
type RestoredError struct {
	Type string // the Go type of the one that it stands for
	Text string
	Errs []error // may be empty
}

func (e *RestoredError) Error() string { return e.Text }

// Unwrap gives what the error wrapped.
func (e *RestoredError) Unwrap() []error { return e.Errs }

// An errorForm is an error in a checkpoint's file. The kind says which fields count.
type errorForm struct {
	Kind string `json:"kind"`

	Text  string       `json:"text,omitempty"` // of errorKindStandard: its name
	Type  string       `json:"type,omitempty"`
	Wraps []*errorForm `json:"wraps,omitempty"`

	Call        int          `json:"call,omitempty"` // whose the error is
	Expected    Method       `json:"expected,omitempty"`
	Remaining   int          `json:"remaining,omitempty"`
	Reason      string       `json:"reason,omitempty"`
	Differences []Difference `json:"differences,omitempty"`
	LimitNS     int64        `json:"limit_ns,omitempty"`

	Sandbox *sandboxErrorForm `json:"sandbox,omitempty"`
	Guest   *guestErrorForm   `json:"guest,omitempty"`
}

// The kinds of an errorForm.
const (
	errorKindScripted   = "scripted"   // the very error of the step
	errorKindStandard   = "standard"   // one of standardErrors
	errorKindUnexpected = "unexpected" // *UnexpectedCallError
	errorKindRejected   = "rejected"   // *MatcherRejectedError
	errorKindSandbox    = "sandbox"    // *SandboxError
	errorKindGuest      = "guest"      // *GuestError
	errorKindCallTime   = "call_time"  // *CallTimeError
	errorKindOther      = "other"
)

// mostNestedErrors is how deep an error may wrap others: those below are left out.
const mostNestedErrors = 50

// A sandboxErrorForm is a SandboxError but for its cause.
type sandboxErrorForm struct {
	Code      Code                       `json:"code"`
	Op        Op                         `json:"op"`
	Message   string                     `json:"message,omitempty"`
	Retryable Retryable                  `json:"retryable"`
	Context   map[string]json.RawMessage `json:"context,omitempty"` // plain values
}

// A guestErrorForm is a GuestError but for its cause.
type guestErrorForm struct {
	Kind     GuestErrorKind `json:"kind"`
	Module   string         `json:"module"`
	Handler  string         `json:"handler,omitempty"`
	Call     int            `json:"call"`
	Export   string         `json:"export,omitempty"`
	Message  string         `json:"message,omitempty"`
	File     string         `json:"file,omitempty"`
	Line     int            `json:"line,omitempty"`
	Stack    string         `json:"stack,omitempty"`
	ExitCode int            `json:"exit_code,omitempty"`
	Breach   *Breach        `json:"breach,omitempty"`
	Stderr   string         `json:"stderr,omitempty"`
}

// standardErrors are those that programs compare with, by the names that files have
// for them.
var standardErrors = map[string]error{
	"canceled": context.Canceled, "deadline": context.DeadlineExceeded,
	"closed": ErrClosed, "busy": ErrBusy, "reentrant": ErrReentrantMatch, "runtime_closed": ErrRuntimeClosed,
	"unmetered": ErrUnmetered, "no_workspace": ErrNoWorkspace, "instance_closed": engine.ErrClosed,
	"unsupported": errors.ErrUnsupported, "exist": fs.ErrExist, "not_exist": fs.ErrNotExist,
	"permission": fs.ErrPermission, "invalid": fs.ErrInvalid, "eof": io.EOF, "unexpected_eof": io.ErrUnexpectedEOF,
}

// sameError reports whether both are the same value.
func sameError(a, b error) bool {
	return a != nil && b != nil && reflect.ValueOf(a).Comparable() && a == b
}

func newErrorForm(c *Checkpoint, err error) *errorForm { return errorFormAt(c, err, 0) }

func errorFormAt(c *Checkpoint, err error, depth int) *errorForm {
	for name, standard := range standardErrors {
		if sameError(err, standard) {
			return &errorForm{Kind: errorKindStandard, Text: name}
		}
	}
	form := ownErrorForm(c, err)
	wrapped := wrappedBy(err)
	if form == nil {
		form = otherErrorForm(err)
		if len(wrapped) == 0 {
			wrapped = meantBy(err)
		}
	}
	if depth == mostNestedErrors {
		return form
	}
	for _, inner := range wrapped {
		form.Wraps = append(form.Wraps, errorFormAt(c, inner, depth+1))
	}
	return form
}

// ownErrorForm is the form of an error of this package, or nil.
func ownErrorForm(c *Checkpoint, err error) *errorForm {
	switch e := err.(type) { //nolint:errorlint // what it wraps has a form of its own
	case *UnexpectedCallError:
		if c.has(e.Call) {
			return &errorForm{Kind: errorKindUnexpected, Call: e.Call.index, Expected: e.Expected, Remaining: e.Remaining}
		}
	case *MatcherRejectedError:
		if c.has(e.Call) {
			return &errorForm{Kind: errorKindRejected, Call: e.Call.index, Reason: e.Reason, Differences: e.Differences}
		}
	case *SandboxError:
		return &errorForm{Kind: errorKindSandbox, Sandbox: newSandboxErrorForm(e)}
	case *GuestError:
		return &errorForm{Kind: errorKindGuest, Guest: newGuestErrorForm(e)}
	case *CallTimeError:
		return &errorForm{Kind: errorKindCallTime, LimitNS: int64(e.Limit)}
	}
	return nil
}

// otherErrorForm is the form of an error that has none of its own.
func otherErrorForm(err error) *errorForm {
	form := &errorForm{Kind: errorKindOther, Text: err.Error(), Type: fmt.Sprintf("%T", err)}
	if restored, ok := err.(*RestoredError); ok { //nolint:errorlint // it stands for another one
		form.Type = restored.Type
	}
	return form
}

// meantBy are the standard errors that an error stands for, ordered by name.
func meantBy(err error) (meant []error) {
	for _, name := range slices.Sorted(maps.Keys(standardErrors)) {
		if errors.Is(err, standardErrors[name]) {
			meant = append(meant, standardErrors[name])
		}
	}
	return meant
}

// wrappedBy are the errors behind an error.
func wrappedBy(err error) (wrapped []error) {
	switch e := err.(type) { //nolint:errorlint // one after the other
	case interface{ Unwrap() error }:
		wrapped = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = slices.Clone(e.Unwrap())
	}
	return slices.DeleteFunc(wrapped, func(err error) bool { return err == nil })
}

// has reports whether a call is one of the history.
func (c *Checkpoint) has(call Call) bool {
	return call.index >= 0 && call.index < len(c.records) && c.records[call.index].request == call.request
}

func newSandboxErrorForm(e *SandboxError) *sandboxErrorForm {
	form := &sandboxErrorForm{Code: e.Code, Op: e.Op, Message: e.Message, Retryable: e.Retryable}
	values := e.PlainContext()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if form.Context == nil {
			form.Context = map[string]json.RawMessage{}
		}
		form.Context[toUTF8(key)] = plainForm(values[key])
	}
	return form
}

// plainForm is a value as it comes back, in JSON. What wouldn't, such as a number of more
// than 64 bits of a responder in Go, is its text.
func plainForm(value any) json.RawMessage {
	data, err := json.Marshal(value)
	if err == nil {
		var plain any
		if plain, err = parsePlainJSON(data); err == nil {
			data, err = json.Marshal(plain)
		}
	}
	if err != nil {
		data, _ = json.Marshal(toUTF8(fmt.Sprint(value))) // a string is never refused
	}
	return data
}

func newGuestErrorForm(e *GuestError) *guestErrorForm {
	return &guestErrorForm{
		Kind: e.Kind, Module: e.Module, Handler: e.Handler, Call: e.Call, Export: e.Export, Message: e.Message,
		File: e.File, Line: e.Line, Stack: e.Stack, ExitCode: e.ExitCode, Breach: e.Breach, Stderr: e.Stderr,
	}
}

// restore makes the error, or nil if there can't be one of this form.
func (f *errorForm) restore(c *Checkpoint) error { return f.restoreAt(c, 0) }

func (f *errorForm) restoreAt(c *Checkpoint, depth int) error {
	var wrapped []error
	for _, form := range f.Wraps {
		if form == nil || depth == mostNestedErrors {
			return nil
		}
		err := form.restoreAt(c, depth+1)
		if err == nil {
			return nil
		}
		wrapped = append(wrapped, err)
	}
	if f.Kind == errorKindOther {
		return &RestoredError{Type: f.Type, Text: f.Text, Errs: wrapped}
	}
	if len(wrapped) > 1 {
		return nil
	}
	return f.own(c, append(wrapped, nil)[0])
}

// own makes an error of this package, or a standard one.
func (f *errorForm) own(c *Checkpoint, cause error) error {
	switch f.Kind {
	case errorKindStandard:
		return standardErrors[f.Text]
	case errorKindUnexpected, errorKindRejected:
		return f.callError(c)
	case errorKindCallTime:
		return &CallTimeError{Limit: time.Duration(f.LimitNS), Err: cause}
	case errorKindGuest:
		if g := f.Guest; g != nil {
			return &GuestError{
				Kind: g.Kind, Module: g.Module, Handler: g.Handler, Call: g.Call, Export: g.Export, Message: g.Message,
				File: g.File, Line: g.Line, Stack: g.Stack, ExitCode: g.ExitCode, Breach: g.Breach, Stderr: g.Stderr, Err: cause,
			}
		}
	case errorKindSandbox:
		if f.Sandbox != nil {
			return f.Sandbox.restore(cause)
		}
	}
	return nil
}

// callError makes an error that tells of a call.
func (f *errorForm) callError(c *Checkpoint) error {
	if f.Call < 0 || f.Call >= len(c.records) || f.Expected != 0 && !f.Expected.Valid() {
		return nil
	}
	call := c.records[f.Call].call()
	if f.Kind == errorKindRejected {
		return &MatcherRejectedError{Call: call, Reason: f.Reason, Differences: f.Differences}
	}
	return &UnexpectedCallError{Call: call, Expected: f.Expected, Remaining: f.Remaining}
}

func (f *sandboxErrorForm) restore(cause error) error {
	e := &SandboxError{Code: f.Code, Op: f.Op, Message: f.Message, Cause: cause, Retryable: f.Retryable}
	for key, data := range f.Context {
		value, err := parsePlainJSON(data)
		if err != nil {
			return nil
		}
		if e.Context == nil {
			e.Context = make(map[string]any, len(f.Context))
		}
		e.Context[key] = value
	}
	return e
}
