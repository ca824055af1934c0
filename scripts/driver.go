package scripts

import (
	"context"
	"errors"
	"iter"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A Driver makes calls, one after the other, and compares what comes back with
// what is expected. It is not safe for concurrent use, and nobody else should
// call the session meanwhile, but for its own responders.
type Driver struct {
	session  *host.Scripted
	recorded int // calls that the session had recorded before the next one
	report   Report
}

// A Verdict is what a run comes to.
type Verdict uint8

const (
	Held         Verdict = iota // all calls fitted, all steps were consumed
	NotHeld                     // some call or step is amiss
	GuestFailed                 // a guest could not answer
	Inconclusive                // time ran out, by the real clock, before anything was amiss
)

// String is "held", "not held", "guest failed" or "inconclusive".
func (v Verdict) String() string {
	switch v {
	case Held:
		return "held"
	case NotHeld:
		return "not held"
	case GuestFailed:
		return "guest failed"
	case Inconclusive:
		return "inconclusive"
	default:
		return "unknown"
	}
}

// A Result is one call and what became of it.
type Result struct {
	Call    Call
	Request host.Request // nil: the call has arguments that can't be

	// Value is what the method returned, of the type that [host.Scripted.Do]
	// gives; host.PlainResult shows it.
	Value any

	// Err is what the method failed with. That alone isn't a failure: see Failed.
	Err error

	// Record is what the session noted of the call: which step it consumed, and
	// what guests logged. Nil: it wasn't recorded.
	Record *host.Record

	// Differences are the expectations that weren't met.
	Differences []host.Difference

	// Failed says that the call isn't as it should be: it was unexpected or
	// rejected, a guest failed, or an expectation wasn't met. An error that the
	// script itself or its workspace answers with is as it should be, unless a result
	// is expected.
	Failed bool
}

// GuestFailed reports whether a guest could not answer the call. One that had no time
// hasn't failed.
func (r *Result) GuestFailed() bool {
	_, ok := errors.AsType[*host.GuestError](r.Err)
	return ok && !r.Inconclusive()
}

// Inconclusive reports whether the call was ended by the real clock, or its caller,
// before it had an answer: another machine might have got one.
func (r *Result) Inconclusive() bool {
	return (errors.Is(r.Err, context.DeadlineExceeded) || errors.Is(r.Err, context.Canceled)) && !r.answered()
}

// A Report is what came of a run.
type Report struct {
	Results   []Result
	Remaining int         // steps not consumed
	Pending   []host.Step // these steps
	Err       error       // the context's, if it ended before the calls did
}

// Complete reports whether all steps were consumed.
func (r *Report) Complete() bool { return r.Remaining == 0 }

// Failures counts the calls that failed.
func (r *Report) Failures() int {
	n := 0
	for i := range r.Results {
		if r.Results[i].Failed {
			n++
		}
	}
	return n
}

// Verdict is GuestFailed if any guest failed, else Held if nothing is amiss. Nothing
// counts that came after the first call which is inconclusive, such as a step that is
// left: if nothing was amiss by then, the verdict is Inconclusive.
func (r *Report) Verdict() Verdict {
	failed, cut := false, r.Err != nil
	for i := range r.Results {
		result := &r.Results[i]
		if cut = cut || result.Inconclusive(); result.Inconclusive() {
			break
		}
		if result.GuestFailed() {
			return GuestFailed
		}
		failed = failed || result.Failed
	}
	switch {
	case failed:
		return NotHeld
	case cut:
		return Inconclusive
	case !r.Complete():
		return NotHeld
	default:
		return Held
	}
}

// Run makes calls in their order, and goes on after one that failed. The end of
// the context stops it. The session stays open. It isn't started: what the manifest
// says of its workspace is there only if the caller has done that.
func Run(ctx context.Context, session *host.Scripted, calls iter.Seq[Call]) *Report {
	d := NewDriver(session)
	for call := range calls {
		if ctx.Err() != nil {
			d.report.Err = ctx.Err()
			break
		}
		d.Do(ctx, call)
	}
	return d.Report()
}

// NewDriver makes a driver of a session.
func NewDriver(session *host.Scripted) *Driver {
	return &Driver{session: session, recorded: len(session.Calls())}
}

// Do makes a call. When the context ends meanwhile, the report says so.
func (d *Driver) Do(ctx context.Context, call Call) *Result {
	result := Result{Call: call}
	if result.Request, result.Err = call.Request(); result.Err == nil {
		result.Value, result.Err = d.session.Do(ctx, result.Request)
		records := d.session.HistoryFrom(d.recorded)
		d.recorded += len(records)
		if len(records) > 0 {
			result.Record = &records[0]
		}
	}
	result.judge()
	d.report.Results = append(d.report.Results, result)
	if ctx.Err() != nil && errors.Is(result.Err, ctx.Err()) {
		d.report.Err = ctx.Err()
	}
	return &d.report.Results[len(d.report.Results)-1]
}

// Report is what came of the calls so far.
func (d *Driver) Report() *Report {
	report := d.report
	report.Pending = d.session.PendingSteps()
	report.Remaining = len(report.Pending)
	return &report
}

// judge compares the result with what is expected of it.
func (r *Result) judge() {
	switch {
	case r.Err != nil && !r.answered():
		r.Failed = true
		return
	case r.Call.ExpectError != nil && r.Err == nil:
		r.Differences = []host.Difference{{Field: "error", Expected: r.Call.ExpectError.String(), Actual: "a result"}}
	case r.Call.ExpectError != nil:
		r.Differences = r.Call.ExpectError.Compare(plainError(r.Err))
	case r.Call.Expect != nil && r.Err != nil:
		r.Differences = []host.Difference{{Field: "result", Expected: r.Call.Expect.String(), Actual: errorText(r.Err)}}
	case r.Call.Expect != nil:
		r.Differences = r.Call.Expect.Compare(host.PlainResult(r.Value))
	}
	r.Failed = len(r.Differences) > 0
}

// answered reports whether an error is what the script or the workspace answers
// with, and not one about the call.
func (r *Result) answered() bool {
	if r.Record == nil || r.Record.Step < 0 && r.Record.Outcome != host.OutcomeWorkspace {
		return false
	}
	_, sandbox := errors.AsType[*host.SandboxError](r.Err)
	return sandbox || r.Record.Outcome == host.OutcomeError
}

// errorText is an error with its code, if it has one.
func errorText(err error) string {
	if e, ok := errors.AsType[*host.SandboxError](err); ok {
		return "error " + string(e.Code) + ": " + e.Error()
	}
	return "error: " + err.Error()
}

// plainError shows an error as the plain value that ExpectError is for.
func plainError(err error) any {
	e, ok := errors.AsType[*host.SandboxError](err)
	if !ok {
		return map[string]any{"message": err.Error()}
	}
	m := map[string]any{
		"code": string(e.Code), "op": string(e.Op), "message": e.Error(), "context": e.PlainContext(), "retryable": nil,
	}
	switch e.Retryable {
	case host.RetryableYes:
		m["retryable"] = true
	case host.RetryableNo:
		m["retryable"] = false
	}
	return m
}
