package main

import (
	"errors"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// A callReport is what came of one call.
type callReport struct {
	Index       int              `json:"index"` // in the run, from zero
	Method      string           `json:"method"`
	Args        []any            `json:"args"`
	Kwargs      map[string]any   `json:"kwargs"`
	Source      string           `json:"source"` // where the call is written
	OK          bool             `json:"ok"`
	AnsweredBy  string           `json:"answered_by"` // step, workspace or nothing
	Step        *stepInfo        `json:"step"`        // null: none was left, or none was asked
	Outcome     outcomeInfo      `json:"outcome"`
	Differences []differenceInfo `json:"differences"`
	Logs        []logInfo        `json:"logs"`
	Fuel        int64            `json:"fuel"` // that guests used

	call     host.Call
	recorded bool // by the session, as call.Index
	failed   *host.GuestError

	inconclusive bool                // it had no time
	late         *host.CallTimeError // or no more than this
	deadFrom     int                 // of a dead guest: the call, from one, that it died in; 0: unknown
}

// A stepInfo is the step that was next when a call came.
type stepInfo struct {
	Index    int    `json:"index"` // in the script, from zero
	Method   string `json:"method"`
	Source   string `json:"source"`
	Consumed bool   `json:"consumed"`          // false: the step stays
	Answers  string `json:"answers,omitempty"` // with a result, responder or error, if consumed
}

// An outcomeInfo is what the caller got.
type outcomeInfo struct {
	Type   string     `json:"type"` // one of the constants below
	Result any        `json:"result"`
	Error  *errorInfo `json:"error"`
}

const (
	gotResult      = "result"
	gotSandbox     = "sandbox_error"   // as the script or guest says
	gotUnexpected  = "unexpected_call" // the next step is for another method, or none is left
	gotRejected    = "rejected"        // by the step's matcher
	gotUnsupported = "unsupported"     // no step names the method
	gotGuestError  = "guest_error"     // a guest could not answer
	gotInvalid     = "invalid_call"    // the arguments aren't the method's
	gotError       = "error"           // anything else, such as the end of the run
)

// Who answered a call.
const (
	byNothing   = "nothing"
	byStep      = "step"
	byWorkspace = "workspace"
)

type errorInfo struct {
	Message   string         `json:"message"`
	Code      string         `json:"code,omitempty"` // these four of a sandbox error
	Op        string         `json:"op,omitempty"`
	Context   map[string]any `json:"context,omitempty"`
	Retryable *bool          `json:"retryable,omitempty"`
	Reason    string         `json:"reason,omitempty"` // of a rejection
	Guest     *guestFailure  `json:"guest,omitempty"`
}

type guestFailure struct {
	Kind     string `json:"kind"`
	Module   string `json:"module"`
	Handler  string `json:"handler"`
	Export   string `json:"export"`
	Message  string `json:"message"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Stack    string `json:"stack,omitempty"`
	ExitCode *int   `json:"exit_code,omitempty"`
	Stderr   string `json:"stderr,omitempty"`

	Limit *limitInfo `json:"limit,omitempty"` // that it went over
}

type limitInfo struct {
	Name    string `json:"name"` // as scripts call it
	Reached int64  `json:"reached"`
	Allowed int64  `json:"allowed,omitempty"`
}

type differenceInfo struct {
	Field    string `json:"field"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
}

type logInfo struct {
	Module  string `json:"module"`
	Source  string `json:"source"` // log, stdout or stderr
	Level   string `json:"level,omitempty"`
	Text    string `json:"text"`
	Dropped int    `json:"dropped,omitempty"` // bytes over the limit
}

// newCallReport reports a call that came when so many steps were consumed.
func newCallReport(index, consumed int, r *scripts.Result) *callReport {
	c := &callReport{
		Index: index, Method: r.Call.Method.String(), Source: r.Call.Source, OK: !r.Failed,
		Args: r.Call.Args, Kwargs: r.Call.Kwargs, AnsweredBy: byNothing, Differences: []differenceInfo{}, Logs: []logInfo{},
		inconclusive: r.Inconclusive(),
	}
	if r.Record != nil {
		c.call, c.recorded = r.Record.Call, true
		c.record(r.Record, consumed)
	} else if r.Request != nil {
		c.call, _ = host.NewCall(index, r.Request) // else it is shown as it was written
	}
	if c.call.Method() != 0 {
		c.Args, c.Kwargs = c.call.Args(), c.call.Kwargs()
	}
	if r.Err == nil {
		c.Outcome = outcomeInfo{Type: gotResult, Result: host.PlainResult(r.Value)}
	} else {
		c.failure(r)
	}
	c.differ(r.Differences)
	return c
}

// record notes what the session did. Steps are consumed in their order, so that
// the number of them is the index of the one that is next.
func (c *callReport) record(r *host.Record, consumed int) {
	if r.Expected != 0 {
		c.Step = &stepInfo{Index: consumed, Method: r.Expected.String(), Source: r.Source, Consumed: r.Step >= 0}
	}
	if r.Step >= 0 {
		c.Step.Index, c.Step.Answers = r.Step, r.Outcome.String()
		c.AnsweredBy = byStep
	}
	if r.Outcome == host.OutcomeWorkspace {
		c.AnsweredBy = byWorkspace
	}
	c.Fuel = r.Fuel
	for _, l := range r.Logs {
		info := logInfo{Module: l.Module, Source: l.Source.String(), Text: l.Text, Dropped: l.Dropped}
		if l.Source == host.SourceLog {
			info.Level = l.Level.String()
		}
		c.Logs = append(c.Logs, info)
	}
}

func (c *callReport) differ(list []host.Difference) {
	for _, d := range list {
		c.Differences = append(c.Differences, differenceInfo(d))
	}
}

// failure tells the errors of a call apart.
func (c *callReport) failure(r *scripts.Result) {
	info := &errorInfo{Message: r.Err.Error()}
	c.Outcome = outcomeInfo{Type: gotError, Error: info}
	c.late, _ = errors.AsType[*host.CallTimeError](r.Err)
	if e, ok := errors.AsType[*host.GuestError](r.Err); ok {
		c.failed = e
		c.Outcome.Type, info.Guest = gotGuestError, newGuestFailure(e)
		return
	}
	if e, ok := errors.AsType[*host.SandboxError](r.Err); ok {
		c.Outcome.Type = gotSandbox
		info.Code, info.Op, info.Context = string(e.Code), string(e.Op), e.PlainContext()
		if e.Retryable != host.RetryableUnknown {
			info.Retryable = new(e.Retryable == host.RetryableYes)
		}
		return
	}
	if e, ok := errors.AsType[*host.MatcherRejectedError](r.Err); ok {
		c.Outcome.Type, info.Reason = gotRejected, e.Reason
		c.differ(e.Differences)
		return
	}
	switch {
	case errors.As(r.Err, new(*host.UnexpectedCallError)):
		c.Outcome.Type = gotUnexpected
	case errors.As(r.Err, new(*host.UnsupportedError)):
		c.Outcome.Type = gotUnsupported
	case r.Request == nil:
		c.Outcome.Type = gotInvalid
	}
}

func newGuestFailure(e *host.GuestError) *guestFailure {
	f := &guestFailure{
		Kind: string(e.Kind), Module: e.Module, Handler: e.Handler, Export: e.Export, Message: e.Message,
		File: e.File, Line: e.Line, Stack: e.Stack, Stderr: e.Stderr,
	}
	if e.Kind == host.GuestExit {
		f.ExitCode = new(e.ExitCode)
	}
	if b := e.Breach; b != nil {
		f.Limit = &limitInfo{string(b.Limit), b.Reached, b.Allowed}
	}
	return f
}
