package host_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

var errBoom = errors.New("boom")

type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("no reading here") }

type pointerMatcher struct{}

func (*pointerMatcher) Match(context.Context, host.Call) (host.Verdict, error) {
	return host.Verdict{}, nil
}

// S1.2, S1.12, S1.16: each row is one check of the validator, in the order of its checks.
func TestStepValidation(t *testing.T) {
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	read := func(outcome host.Outcome) host.Step { return host.Step{Method: host.MethodRead, Outcome: outcome} }

	tests := []struct {
		name   string
		step   host.Step
		reason host.StepReason
		method string
		detail string
	}{
		{"no method", host.Step{Outcome: stdout("")}, host.ReasonUnknownMethod, "", "unknown method"},
		{"a method that isn't one of the nine", host.Step{Method: 99, Outcome: stdout("")}, host.ReasonUnknownMethod, "", "unknown method"},
		{"a matcher that is a nil func", host.Step{Method: host.MethodExec, Match: host.MatcherFunc(nil), Outcome: stdout("")},
			host.ReasonInvalidMatcher, "exec", "matcher"},
		{"a matcher that is a nil predicate", host.Step{Method: host.MethodExec, Match: host.MatchFunc(nil), Outcome: stdout("")},
			host.ReasonInvalidMatcher, "exec", "matcher"},
		{"a matcher that is a nil pointer", host.Step{Method: host.MethodExec, Match: (*pointerMatcher)(nil), Outcome: stdout("")},
			host.ReasonInvalidMatcher, "exec", "matcher"},
		{"no outcome", host.Step{Method: host.MethodExec}, host.ReasonInvalidOutcome, "exec", "exactly one"},
		{"a nil responder", host.Step{Method: host.MethodExec, Outcome: host.Respond(nil)}, host.ReasonInvalidOutcome, "exec", "responder"},
		{"a responder that is a nil func", host.Step{Method: host.MethodExec, Outcome: host.Respond(host.ResponderFunc(nil))},
			host.ReasonInvalidOutcome, "exec", "responder"},
		{"a nil error", host.Step{Method: host.MethodExec, Outcome: host.Fail(nil)}, host.ReasonInvalidOutcome, "exec", "error"},
		{"an error that is a nil pointer", host.Step{Method: host.MethodExec, Outcome: host.Fail((*host.SandboxError)(nil))},
			host.ReasonInvalidOutcome, "exec", "error"},
		{"a result of another method", host.Step{Method: host.MethodExec, Outcome: host.Return("text")}, host.ReasonInvalidOutcome, "exec", "result"},
		{"nil for a method that returns something", host.Step{Method: host.MethodExec, Outcome: host.Return(nil)},
			host.ReasonInvalidOutcome, "exec", "result"},
		{"something for a void method", host.Step{Method: host.MethodRm, Outcome: host.Return(true)}, host.ReasonInvalidOutcome, "rm", "result"},
		{"a nil pointer to a result", host.Step{Method: host.MethodExec, Outcome: host.Return((*host.ExecResult)(nil))},
			host.ReasonInvalidOutcome, "exec", "result"},
		{"a func as a result", read(host.Return(func() {})), host.ReasonInvalidOutcome, "read", "result"},
		{"a closed file as a result", read(host.Return(closed)), host.ReasonInvalidOutcome, "read", "result"},
		{"a reader that fails as a result", read(host.Return(&failingReader{err: errBoom})), host.ReasonInvalidOutcome, "read", "result"},
		{"a reader that panics as a result", read(host.Return(panickingReader{})), host.ReasonInvalidOutcome, "read", "result"},
		{"a nil reader as a result", read(host.Return((*bytes.Buffer)(nil))), host.ReasonInvalidOutcome, "read", "result"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := invalid(t, test.step)
			if e.Reason != test.reason || e.Method != test.method || e.Index != 0 {
				t.Errorf("reason %q, method %q, index %d", e.Reason, e.Method, e.Index)
			}
			want := "scripted sandbox step #1 has"
			if test.method != "" {
				want = "scripted sandbox step #1 for " + test.method + " "
			}
			if !strings.HasPrefix(e.Error(), want) || !strings.Contains(e.Detail, test.detail) {
				t.Errorf("text %q, want it to begin with %q and have %q", e, want, test.detail)
			}
		})
	}
}

func TestStepValidationPrecedence(t *testing.T) {
	badMatcher, badResult := host.MatcherFunc(nil), host.Return(7)
	tests := []struct {
		name   string
		step   host.Step
		reason host.StepReason
	}{
		{"an unknown method beats a bad matcher", host.Step{Method: 99, Match: badMatcher}, host.ReasonUnknownMethod},
		{"an unknown method beats a bad result", host.Step{Method: 99, Outcome: badResult}, host.ReasonUnknownMethod},
		{"a bad matcher beats a missing outcome", host.Step{Method: host.MethodExec, Match: badMatcher}, host.ReasonInvalidMatcher},
		{"a bad matcher beats a bad result", host.Step{Method: host.MethodExec, Match: badMatcher, Outcome: badResult}, host.ReasonInvalidMatcher},
	}
	for _, test := range tests { // S1.11
		t.Run(test.name, func(t *testing.T) {
			if e := invalid(t, test.step); e.Reason != test.reason {
				t.Errorf("reason %q, want %q", e.Reason, test.reason)
			}
		})
	}
}

// S1.2, S10.3: a guest's handler that doesn't serve the method is found early.
func TestStepValidationOfGuestHandlers(t *testing.T) {
	module, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := module.Matcher("reads")
	r, _ := module.Responder("reads")

	e := invalid(t, host.Step{Method: host.MethodExec, Match: m, Outcome: stdout("")})
	if e.Reason != host.ReasonInvalidMatcher || !errors.Is(e, host.ModuleHandlerMismatch) {
		t.Errorf("the matcher: %q, %v", e.Reason, e.Err)
	}
	e = invalid(t, host.Step{Method: host.MethodExec, Outcome: host.Respond(r)})
	if e.Reason != host.ReasonInvalidOutcome || !errors.Is(e, host.ModuleHandlerMismatch) {
		t.Errorf("the responder: %q, %v", e.Reason, e.Err)
	}
	newSession(t, []host.Step{{Method: host.MethodRead, Match: m, Outcome: host.Respond(r)}})
}

func TestAScriptIsAListOfSteps(t *testing.T) {
	t.Run("the empty script is one", func(t *testing.T) { // S1.1
		s := newSession(t, nil)
		wantComplete(t, s)
		wantRemaining(t, s, 0)
	})
	t.Run("nil is a result of the void methods", func(t *testing.T) { // S1.5
		newSession(t, answering(host.MethodWrite, host.MethodRm, host.MethodMkdir))
	})
	t.Run("no matcher accepts", func(t *testing.T) { // S1.6
		s := newSession(t, []host.Step{{Method: host.MethodExec, Match: nil, Outcome: stdout("yes")}})
		if r := execute(t, s); string(r.Stdout) != "yes" {
			t.Errorf("stdout %q", r.Stdout)
		}
	})
	t.Run("the first defect is the one reported", func(t *testing.T) { // S1.7
		read := false
		later := host.Step{Method: host.MethodRead, Outcome: host.Return(readerFunc(func([]byte) (int, error) {
			read = true
			return 0, io.EOF
		}))}
		e := invalid(t, answering(host.MethodExec)[0], host.Step{}, later, host.Step{Method: host.MethodExec})
		if e.Index != 1 || e.Reason != host.ReasonUnknownMethod || read {
			t.Errorf("index %d, reason %q, later result read: %v", e.Index, e.Reason, read)
		}
	})
	t.Run("changing a step later has no effect", func(t *testing.T) { // S1.10
		steps := []host.Step{{Method: host.MethodExec, Outcome: stdout("before")}}
		s := newSession(t, steps)
		steps[0] = host.Step{Method: host.MethodRead, Outcome: host.Fail(errBoom)}
		if r := execute(t, s); string(r.Stdout) != "before" {
			t.Errorf("stdout %q", r.Stdout)
		}
	})
	t.Run("what is wrong with a result is the cause", func(t *testing.T) { // S1.14, S1.15
		e := invalid(t, host.Step{Method: host.MethodRead, Outcome: host.Return(&failingReader{err: errBoom})})
		if !errors.Is(e, errBoom) {
			t.Errorf("cause %v", e.Err)
		}
		e = invalid(t, host.Step{Method: host.MethodRead, Outcome: host.Return(panickingReader{})})
		if p := errorAs[*host.PanicError](t, e); p.In != "reader" {
			t.Errorf("panic in a %s", p.In)
		}
		e = invalid(t, host.Step{Method: host.MethodLs, Outcome: host.Return([]any{onlyReader("x")})})
		if r := errorAs[*host.ResultTypeError](t, e); r.Method != host.MethodLs || r.Type != "[]interface {}" {
			t.Errorf("result type %+v", r)
		}
	})
	t.Run("fields count from zero and texts from one", func(t *testing.T) { // S1.16, S1.19
		e := invalid(t, append(answering(host.MethodExec, host.MethodExec), host.Step{Method: host.MethodLs})...)
		if e.Index != 2 || e.Error() != "scripted sandbox step #3 for ls needs exactly one of a result, a responder and an error" {
			t.Errorf("index %d, text %q", e.Index, e)
		}
	})
	t.Run("a text has no full stop and no name that isn't a method's", func(t *testing.T) { // S1.17, S1.18
		tests := map[string]*host.InvalidStepError{
			"scripted sandbox step #1 is odd":          {Reason: host.ReasonUnknownMethod, Method: "secret", Detail: "is odd"},
			"scripted sandbox step #1 has other keys":  {Reason: host.ReasonInvalidInput, Method: "exec", Detail: "has other keys"},
			"scripted sandbox step #1 for exec is odd": {Reason: host.ReasonInvalidOutcome, Method: "exec", Detail: "is odd"},
		}
		for want, e := range tests {
			if e.Error() != want {
				t.Errorf("text %q, want %q", e, want)
			}
		}
	})
}

// S1.3, S1.12, S1.13: only the nine names are methods.
func TestParseMethodKnowsTheNineOnly(t *testing.T) {
	for _, name := range []string{"", "Exec", "exec ", "extract", "persist_workspace", "hydrate_workspace",
		"resolve_exposed_port", "pty_terminate_all", "running", "start", "aclose", "unknown"} {
		if m, ok := host.ParseMethod(name); ok || m != 0 {
			t.Errorf("%q is the method %v", name, m)
		}
	}
	for method := range answers {
		if m, ok := host.ParseMethod(method.String()); !ok || m != method {
			t.Errorf("%q is the method %v", method, m)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
