package verify

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// Run makes the calls of a script in a fresh session, which has the script's options and
// then these. The error says why there can't be a session, or is one of [Session].
func Run(ctx context.Context, script *scripts.Script, opts ...host.Option) (*Transcript, error) {
	session, err := script.NewSession(opts...)
	if err != nil {
		return nil, err
	}
	return Session(ctx, session, slices.Values(script.Calls))
}

// Session starts a session if it has a workspace, makes calls, and closes it. The error
// is the context's, that of starting it, or a *host.CallTimeError: a call that took too
// long by the real clock tells nothing.
func Session(ctx context.Context, session *host.Scripted, calls iter.Seq[scripts.Call]) (*Transcript, error) {
	w := &writer{facts: facts{call: AtStart}, session: session}
	w.settings(session.Settings())
	defer func() { _ = w.close(ctx) }() // again, unless there was an error
	if files := session.Workspace(); files != nil {
		if err := session.Start(ctx); err != nil {
			return nil, err
		}
		w.quote("files.digest", filesDigest(files))
	}
	driver := scripts.NewDriver(session)
	w.call = 0
	for call := range calls {
		if ctx.Err() != nil {
			break
		}
		result := driver.Do(ctx, call)
		if late, ok := errors.AsType[*host.CallTimeError](result.Err); ok {
			return nil, late
		}
		w.result(result)
		w.call++
	}
	if ctx.Err() != nil { // what came last may be due to that
		return nil, context.Cause(ctx)
	}
	w.call = AtEnd
	report := driver.Report()
	w.end(report)
	if err := w.close(ctx); err != nil {
		w.failure("close", err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return &Transcript{Verdict: report.Verdict().String(), Facts: w.list}, nil
}

// writer writes down what a session shows.
type writer struct {
	facts
	session *host.Scripted
}

func (w *writer) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return w.session.Close(ctx)
}

// settings writes down what the session goes by.
func (w *writer) settings(s host.Settings) {
	w.say("seed", strconv.FormatUint(s.Seed, 10))
	w.say("start_time", s.StartTime.UTC().Format(time.RFC3339Nano))
	limits := LimitsByName(s.Limits)
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		w.number("limits."+name, limits[name])
	}
}

// result writes down a call and what came of it.
func (w *writer) result(r *scripts.Result) {
	w.say("method", r.Call.Method.String())
	args, kwargs := r.Call.Args, r.Call.Kwargs
	if r.Record != nil {
		args, kwargs = r.Record.Call.Args(), r.Record.Call.Kwargs()
	}
	w.plain("args", args)
	w.plain("kwargs", kwargs)
	if r.Record != nil {
		w.number("step", int64(r.Record.Step))
		w.quote("answered_by", r.Record.Outcome.String())
	}
	if r.Err == nil {
		w.plain("result", host.PlainResult(r.Value))
	} else {
		w.failure("error", r.Err)
	}
	w.differences("differences", r.Differences)
	if r.Record == nil {
		return
	}
	for i, entry := range r.Record.Logs {
		w.log("logs["+strconv.Itoa(i)+"]", &entry)
	}
	w.number("fuel", r.Record.Fuel)
}

func (w *writer) log(field string, entry *host.LogEntry) {
	w.quote(field+".module", entry.Module)
	w.say(field+".source", entry.Source.String())
	if entry.Source == host.SourceLog {
		w.say(field+".level", entry.Level.String())
	}
	w.quote(field+".text", entry.Text)
	w.number(field+".dropped", int64(entry.Dropped))
}

func (w *writer) differences(field string, list []host.Difference) {
	for i, d := range list {
		item := field + "[" + strconv.Itoa(i) + "]"
		w.quote(item+".field", d.Field)
		w.quote(item+".expected", d.Expected)
		w.quote(item+".actual", d.Actual)
	}
}

// failure writes down an error by its kind.
func (w *writer) failure(field string, err error) {
	if e, ok := errors.AsType[*host.GuestError](err); ok {
		w.guestError(field, e)
		return
	}
	if e, ok := errors.AsType[*host.SandboxError](err); ok {
		w.quote(field+".code", string(e.Code))
		w.quote(field+".op", string(e.Op))
		w.plain(field+".context", e.PlainContext())
		w.number(field+".retryable", int64(e.Retryable))
	}
	if e, ok := errors.AsType[*host.MatcherRejectedError](err); ok {
		w.quote(field+".reason", e.Reason)
		w.differences(field+".differences", e.Differences)
	}
	w.say(field+".type", fmt.Sprintf("%T", err))
	w.quote(field+".message", err.Error())
}

func (w *writer) guestError(field string, e *host.GuestError) {
	w.say(field+".type", fmt.Sprintf("%T", e))
	w.quote(field+".kind", string(e.Kind))
	w.quote(field+".module", e.Module)
	w.quote(field+".handler", e.Handler)
	w.number(field+".call", int64(e.Call))
	w.quote(field+".export", e.Export)
	w.quote(field+".file", e.File)
	w.number(field+".line", int64(e.Line))
	w.number(field+".exit_code", int64(e.ExitCode))
	w.quote(field+".stderr", e.Stderr)
	if e.Breach != nil {
		w.quote(field+".limit", string(e.Breach.Limit))
		w.number(field+".reached", e.Breach.Reached)
		w.number(field+".allowed", e.Breach.Allowed)
	}
	if e.Kind == host.GuestTrap {
		w.quoteWords(field+".message", e.Message)
	} else {
		w.quote(field+".message", e.Message)
	}
	w.quoteWords(field+".stack", e.Stack)
}

// end writes down what is there after the calls.
func (w *writer) end(report *scripts.Report) {
	w.quote("verdict", report.Verdict().String())
	for i, step := range report.Pending {
		w.say("pending["+strconv.Itoa(i)+"]", step.Method.String())
	}
	refused := w.session.Refused()
	for _, method := range slices.Sorted(maps.Keys(refused)) {
		w.number("refused."+method.String(), int64(refused[method]))
	}
	digests := w.session.GuestDigests()
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		sum := digests[name]
		w.say(member("guests", name)+".state", hex.EncodeToString(sum[:]))
	}
	if files := w.session.Workspace(); files != nil {
		for _, entry := range files.Snapshot() {
			w.file(&entry)
		}
	}
}

func (w *writer) file(e *workspace.Entry) {
	field := "files[" + strconv.Quote(e.Path) + "]"
	w.say(field+".mode", e.Mode.String())
	w.quote(field+".owner", e.Owner)
	w.quote(field+".group", e.Group)
	w.number(field+".links", int64(e.Links))
	if e.Target != "" {
		w.quote(field+".target", e.Target)
	}
	if e.Mode.IsRegular() {
		w.content(field+".content", e.Content)
	}
	w.say(field+".modified", timeText(e.Modified))
	w.say(field+".accessed", timeText(e.Accessed))
}

func timeText(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

// filesDigest is what a workspace is like, in one word.
func filesDigest(files *workspace.Tree) string {
	w := &writer{}
	for _, entry := range files.Snapshot() {
		w.file(&entry)
	}
	t := Transcript{Facts: w.list}
	sum := t.Digest()
	return hex.EncodeToString(sum[:])
}
