package host_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// S3.1, S3.15, S3.18: nothing is left.
func TestACallBeyondTheScriptIsUnexpected(t *testing.T) {
	s := newSession(t, answering(host.MethodExec))
	execute(t, s)
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"second"}})
	e := errorAs[*host.UnexpectedCallError](t, err)
	if e.Expected != 0 || e.Remaining != 0 || !e.Call.Equal(s.Calls()[1]) {
		t.Errorf("expected %v, remaining %d", e.Expected, e.Remaining)
	}
	if e.Error() != "unexpected sandbox exec call #2: no steps are left in the script" {
		t.Errorf("text %q", e)
	}
}

// S3.2, S3.3, S3.13, S3.14, S3.15: only the head counts, and it stays.
func TestACallOfAnotherMethodKeepsTheStep(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodRead, host.MethodLs))
	_, err := s.Read(t.Context(), host.ReadRequest{Path: "x"}) // the second step would fit
	e := errorAs[*host.UnexpectedCallError](t, err)
	if e.Expected != host.MethodExec || e.Remaining != 3 || e.Call.Method() != host.MethodRead || e.Call.Index() != 0 {
		t.Errorf("expected %v, remaining %d, call %v #%d", e.Expected, e.Remaining, e.Call.Method(), e.Call.Index())
	}
	if e.Error() != "unexpected sandbox read call #1; expected exec" {
		t.Errorf("text %q", e)
	}
	wantRemaining(t, s, 3)
	execute(t, s)
	wantRemaining(t, s, 2)
}

// S3.4: the matcher of a step for another method isn't asked.
func TestTheMatcherRunsOnlyIfTheMethodFits(t *testing.T) {
	asked := 0
	asks := host.MatchFunc(func(host.Call) bool { asked++; return true })
	s := newSession(t, append([]host.Step{matching(asks)}, answering(host.MethodRead)...))
	_, err := s.Read(t.Context(), host.ReadRequest{})
	wantError[*host.UnexpectedCallError](t, err)
	if asked != 0 {
		t.Error("the matcher was asked")
	}
	execute(t, s)
	if asked != 1 {
		t.Errorf("the matcher was asked %d times", asked)
	}
}

// S3.5, S10.4: only an explicit rejection rejects.
func TestAVerdictSaysWhetherTheStepIsTaken(t *testing.T) {
	for name, test := range map[string]struct {
		verdict host.Verdict
		rejects bool
	}{
		"no answer":                  {host.Verdict{}, false},
		"accept":                     {host.Accept(), false},
		"reject":                     {host.Reject(""), true},
		"reject with a reason":       {rejection, true},
		"a reason without an answer": {host.Verdict{Reason: "odd"}, false},
		"an answer of the future":    {host.Verdict{Answer: 99}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, []host.Step{matching(verdict(test.verdict))})
			_, err := s.Exec(t.Context(), host.ExecRequest{})
			if _, rejected := errors.AsType[*host.MatcherRejectedError](err); rejected != test.rejects || !rejected && err != nil {
				t.Errorf("ends with %v", err)
			}
		})
	}
}

// S3.6, S3.13, S3.15: a rejected call keeps the step, and says why on its fields.
func TestARejectedCallKeepsTheStep(t *testing.T) {
	difference := host.Difference{Field: "args[0]", Expected: "pwd", Actual: "ls"}
	m := host.MatcherFunc(func(_ context.Context, c host.Call) (host.Verdict, error) {
		if c.Args()[0] != "pwd" {
			return host.Reject("wrong command", difference), nil
		}
		return host.Accept(), nil
	})
	s := newSession(t, []host.Step{matching(m)})
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"ls"}})
	e := errorAs[*host.MatcherRejectedError](t, err)
	if e.Reason != "wrong command" || !reflect.DeepEqual(e.Differences, []host.Difference{difference}) || !e.Call.Equal(s.Calls()[0]) {
		t.Errorf("reason %q, differences %v", e.Reason, e.Differences)
	}
	if e.Error() != "sandbox matcher rejected exec call #1" {
		t.Errorf("text %q", e)
	}
	wantRemaining(t, s, 1)
	execute(t, s, "pwd")
	wantComplete(t, s)
}

// S3.7: what a matcher fails with comes back as it is, and the step stays.
func TestAFailingMatcherKeepsTheStep(t *testing.T) {
	s := newSession(t, []host.Step{matching(host.MatcherFunc(func(context.Context, host.Call) (host.Verdict, error) {
		return host.Accept(), errBoom
	}))})
	for range 2 { // it is asked again
		if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != errBoom {
			t.Errorf("ends with %v", err)
		}
	}
	wantRemaining(t, s, 1)
	wantCalls(t, s, host.MethodExec, host.MethodExec)
}

// S2.26, S3.9: a configured error is returned itself, by each step that has it.
func TestAConfiguredErrorKeepsItsIdentity(t *testing.T) {
	failure := host.NewSandboxError(host.CodeExecTimeout, nil, errBoom)
	step := host.Step{Method: host.MethodExec, Outcome: host.Fail(failure)}
	s := newSession(t, []host.Step{step, step, {Method: host.MethodExec, Outcome: host.Fail(io.EOF)}})
	for range 2 {
		if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != error(failure) {
			t.Errorf("ends with %v", err)
		}
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != io.EOF {
		t.Errorf("ends with %v", err)
	}
	wantComplete(t, s)
}

// S3.8, S3.10, S3.11: the step is consumed before its responder runs, whatever
// becomes of that.
func TestTheStepIsConsumedBeforeItsResponderRuns(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var s *host.Scripted
	remaining := func() { wantRemaining(t, s, 2-len(s.Calls())+1) }
	s = newSession(t, []host.Step{
		respond(func(context.Context, host.Call) (any, error) { remaining(); return nil, errBoom }),
		respond(func(ctx context.Context, _ host.Call) (any, error) { remaining(); cancel(); return nil, ctx.Err() }),
		respond(func(_ context.Context, c host.Call) (any, error) {
			remaining()
			return host.ExecResult{Stdout: []byte(c.Args()[0].(string))}, nil
		}),
	})
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != errBoom {
		t.Errorf("the failing responder's call ends with %v", err)
	}
	if _, err := s.Exec(ctx, host.ExecRequest{}); err != context.Canceled {
		t.Errorf("the cancelled responder's call ends with %v", err)
	}
	if r := execute(t, s, "echo"); string(r.Stdout) != "echo" {
		t.Errorf("stdout %q", r.Stdout)
	}
	wantComplete(t, s)
}

// S2.25, S2.27: a responder's result has the type of its method, and isn't
// copied; the void methods drop it.
func TestResultsOfResponders(t *testing.T) {
	own := []byte("own")
	outcome := func(result any) host.Outcome {
		return host.Respond(host.ResponderFunc(func(context.Context, host.Call) (any, error) { return result, nil }))
	}
	t.Run("a result isn't copied", func(t *testing.T) {
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: outcome(&host.ExecResult{Stdout: own})}})
		if r := execute(t, s); &r.Stdout[0] != &own[0] {
			t.Error("it is a copy")
		}
	})
	for _, method := range []host.Method{host.MethodWrite, host.MethodRm, host.MethodMkdir} {
		t.Run(method.String()+" drops it", func(t *testing.T) {
			s := newSession(t, []host.Step{{Method: method, Outcome: outcome("dropped")}})
			if result, err := s.Do(t.Context(), request(method)); result != nil || err != nil {
				t.Errorf("%v, %v", result, err)
			}
		})
	}
	for _, method := range []host.Method{host.MethodExec, host.MethodLs, host.MethodRead, host.MethodApplyPatch, host.MethodPTYWriteStdin} {
		t.Run(method.String()+" refuses a type that isn't its own", func(t *testing.T) {
			for _, result := range []any{nil, 7, errBoom, []string{"x"}} {
				s := newSession(t, []host.Step{{Method: method, Outcome: outcome(result)}})
				_, err := s.Do(t.Context(), request(method))
				if e := errorAs[*host.ResultTypeError](t, err); e.Method != method {
					t.Errorf("method %v", e.Method)
				}
				wantComplete(t, s)
			}
		})
	}
	t.Run("a reader is read, and closed", func(t *testing.T) {
		file := &closable{Reader: onlyReader("content")}
		s := newSession(t, []host.Step{{Method: host.MethodRead, Outcome: outcome(file)}})
		r, err := s.Read(t.Context(), host.ReadRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, r); got != "content" || !file.closed {
			t.Errorf("read %q, closed %v", got, file.closed)
		}
	})
}

type closable struct {
	io.Reader
	closed bool
}

func (c *closable) Close() error {
	c.closed = true
	panic("what closing does can't harm")
}

// S2.24, S3.12: a result is copied when the session is made, once for each step.
func TestFixedResultsAreCopiedOnce(t *testing.T) {
	out, diagnostics := []byte("before"), []byte("before")
	outcome := host.Return(&host.ExecResult{Stdout: out, Stderr: diagnostics})
	entries := []host.FileEntry{{Path: "before"}}
	pty := host.PTYUpdate{ProcessID: new(1), Output: []byte("before"), ExitCode: new(2), OriginalTokenCount: new(3)}
	s := newSession(t, []host.Step{
		{Method: host.MethodExec, Outcome: outcome}, {Method: host.MethodExec, Outcome: outcome},
		{Method: host.MethodLs, Outcome: host.Return(entries)}, {Method: host.MethodPTYExecStart, Outcome: host.Return(pty)},
	})
	copy(out, "after!")
	copy(diagnostics, "after!")
	entries[0].Path = "after"
	*pty.ProcessID, *pty.ExitCode, *pty.OriginalTokenCount, pty.Output[0] = 9, 9, 9, 'X'

	first := execute(t, s)
	first.Stdout[0], first.Stderr[0] = 'X', 'X' // the caller may change what it got
	second := execute(t, s)
	for _, got := range [][2][]byte{{first.Stdout, second.Stdout}, {first.Stderr, second.Stderr}} {
		if string(got[0]) != "Xefore" || string(got[1]) != "before" {
			t.Errorf("the results have %q and %q", got[0], got[1])
		}
	}
	if list, err := s.Ls(t.Context(), host.LsRequest{}); err != nil || list[0].Path != "before" {
		t.Errorf("%v, %v", list, err)
	}
	update, err := s.PTYExecStart(t.Context(), host.PTYExecStartRequest{})
	if err != nil || *update.ProcessID != 1 || *update.ExitCode != 2 || *update.OriginalTokenCount != 3 || string(update.Output) != "before" {
		t.Errorf("%+v, %v", update, err)
	}
}

// S2.22, S2.23: matcher, responder, errors and history can't disturb each other.
func TestAMatcherCantChangeTheCall(t *testing.T) {
	command := []string{"pwd"}
	change := func(c host.Call) {
		r, _ := c.Exec()
		r.Command[0] = "changed"
		c.Args()[0] = "changed"
		c.Kwargs()["shell"] = "changed"
	}
	s := newSession(t, []host.Step{{
		Method: host.MethodExec,
		Match:  host.MatchFunc(func(c host.Call) bool { change(c); return true }),
		Outcome: host.Respond(host.ResponderFunc(func(_ context.Context, c host.Call) (any, error) {
			defer change(c)
			return host.ExecResult{Stdout: []byte(c.Args()[0].(string))}, nil
		})),
	}})
	if r := execute(t, s, command...); string(r.Stdout) != "pwd" || command[0] != "pwd" {
		t.Errorf("the responder saw %q, the caller has %q", r.Stdout, command)
	}
	change(s.Calls()[0])
	if got := s.Calls()[0].Args()[0]; got != "pwd" {
		t.Errorf("the history has %q", got)
	}
}

// S3.14, S3.19, S3.22: what is left, asked as often as one likes.
func TestAScriptIsCompleteWhenNoStepIsLeft(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodRead, host.MethodWrite))
	execute(t, s)
	for range 2 {
		e := errorAs[*host.UnconsumedStepsError](t, s.AssertComplete())
		if want := []host.Method{host.MethodRead, host.MethodWrite}; e.Remaining != 2 || !reflect.DeepEqual(e.Pending, want) {
			t.Errorf("remaining %d, pending %v", e.Remaining, e.Pending)
		}
		if e.Error() != "scripted sandbox session has 2 unconsumed steps" {
			t.Errorf("text %q", e)
		}
	}
	if pending := s.PendingSteps(); len(pending) != 2 || pending[0].Method != host.MethodRead {
		t.Errorf("pending %v", pending)
	}
	_, _ = s.Read(t.Context(), host.ReadRequest{})
	if e := errorAs[*host.UnconsumedStepsError](t, s.AssertComplete()); e.Error() != "scripted sandbox session has 1 unconsumed step" {
		t.Errorf("text %q", e)
	}
	_ = s.Write(t.Context(), host.WriteRequest{})
	wantComplete(t, s)
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err == nil { // S3.20
		t.Error("a call beyond the script works")
	}
	wantComplete(t, s)
}

// S3.21: the script errors are a family, and none of the sandbox.
func TestScriptErrorsAreOneFamily(t *testing.T) {
	for _, err := range []error{
		&host.InvalidStepError{}, &host.UnexpectedCallError{}, &host.MatcherRejectedError{}, &host.UnconsumedStepsError{},
	} {
		wrapped := errors.Join(errBoom, err)
		if found, ok := errors.AsType[host.ScriptError](wrapped); !ok || found != err {
			t.Errorf("%T isn't found as a script error", err)
		}
		if _, ok := errors.AsType[*host.SandboxError](wrapped); ok {
			t.Errorf("%T is a sandbox error", err)
		}
		if strings.HasSuffix(err.Error(), ".") {
			t.Errorf("the text %q ends with a full stop", err)
		}
	}
	for _, err := range []error{
		host.NewSandboxError(host.CodeExecTimeout, nil, nil), &host.GuestError{}, &host.ModuleError{}, &host.UnsupportedError{},
		&host.SnapshotError{}, &host.ResultTypeError{}, &host.PanicError{}, host.ErrClosed, host.ErrBusy, host.ErrReentrantMatch,
	} {
		if _, ok := errors.AsType[host.ScriptError](err); ok {
			t.Errorf("%T is a script error", err)
		}
	}
}

func TestTheHistoryTellsWhatBecameOfEachCall(t *testing.T) {
	steps := append(answering(host.MethodExec), matching(verdict(rejection)))
	steps[0].Source, steps[1].Source = "script.yaml:3", "script.yaml:7"
	s := newSession(t, steps)
	execute(t, s, "a")
	_, rejected := s.Exec(t.Context(), host.ExecRequest{})
	want := []host.Record{
		{Call: s.Calls()[0], Step: 0, Expected: host.MethodExec, Source: "script.yaml:3", Outcome: host.OutcomeResult, Done: true},
		{Call: s.Calls()[1], Step: -1, Expected: host.MethodExec, Source: "script.yaml:7", Done: true, Err: rejected},
	}
	if got := s.History(); !reflect.DeepEqual(got, want) {
		t.Errorf("history %+v", got)
	}
	s.History()[0] = host.Record{} // S2.20: it is the asker's own
	if s.History()[0].Step != 0 || s.History()[0].Source == "" {
		t.Error("the history was changed")
	}
	s.Calls()[0] = host.Call{}
	if s.Calls()[0].Method() != host.MethodExec {
		t.Error("the calls were changed")
	}
	names := map[host.OutcomeKind]string{
		host.OutcomeNone: "none", host.OutcomeResult: "result", host.OutcomeResponder: "responder", host.OutcomeError: "error",
	}
	for kind, name := range names {
		if kind.String() != name {
			t.Errorf("%d is %q", kind, kind)
		}
	}
}
