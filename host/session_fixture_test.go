package host_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// answers are results that the methods take.
var answers = map[host.Method]any{
	host.MethodApplyPatch:    "Done!",
	host.MethodExec:          host.ExecResult{Stdout: []byte("out"), Stderr: []byte("err"), ExitCode: 3},
	host.MethodLs:            []host.FileEntry{{Path: "/workspace/a", Permissions: 0o644, Owner: "root", Group: "root", Size: 7}},
	host.MethodMkdir:         nil,
	host.MethodPTYExecStart:  host.PTYUpdate{ProcessID: new(123), Output: []byte("started")},
	host.MethodPTYWriteStdin: host.PTYUpdate{ExitCode: new(0), OriginalTokenCount: new(9)},
	host.MethodRead:          host.TextStream("contents"),
	host.MethodRm:            nil,
	host.MethodWrite:         nil,
}

// requests are requests of all methods, with text in every field that takes it.
// They are made anew for each use: a test may change them.
func requests(text string) []host.Request {
	return []host.Request{
		&host.ApplyPatchRequest{Operations: []host.PatchOperation{
			{Type: "update_file", Path: text, Diff: new(text), MoveTo: new(text)},
		}, PatchFormat: text},
		&host.ExecRequest{Command: []string{text, "-v"}, Shell: host.ShellCommand(text, "-c"), User: text},
		&host.LsRequest{Path: text, User: text},
		&host.MkdirRequest{Path: text, Parents: true, User: text},
		&host.PTYExecStartRequest{Command: []string{text}, Shell: host.ShellCommand(text), User: text, TTY: true},
		&host.PTYWriteStdinRequest{SessionID: 7, Chars: text},
		&host.ReadRequest{Path: text, User: text},
		&host.RmRequest{Path: text, Recursive: true, User: text},
		&host.WriteRequest{Path: text, Data: strings.NewReader(text), User: text},
	}
}

func request(method host.Method) host.Request {
	for _, r := range requests("x") {
		if r.Method() == method {
			return r
		}
	}
	panic("no such method")
}

// answering gives steps that answer the methods with results.
func answering(methods ...host.Method) []host.Step {
	steps := make([]host.Step, len(methods))
	for i, m := range methods {
		steps[i] = host.Step{Method: m, Outcome: host.Return(answers[m])}
	}
	return steps
}

// respond is an exec step answered by a func.
func respond(f host.ResponderFunc) host.Step {
	return host.Step{Method: host.MethodExec, Outcome: host.Respond(f)}
}

// matching is an exec step with a matcher, answered by a result.
func matching(m host.Matcher) host.Step {
	return host.Step{Method: host.MethodExec, Match: m, Outcome: host.Return(host.ExecResult{Stdout: []byte("ok")})}
}

func verdict(v host.Verdict) host.Matcher {
	return host.MatcherFunc(func(context.Context, host.Call) (host.Verdict, error) { return v, nil })
}

// execute runs a command in the session of a test that expects it to work.
func execute(t *testing.T, s *host.Scripted, command ...string) host.ExecResult {
	t.Helper()
	result, err := s.Exec(t.Context(), host.ExecRequest{Command: command})
	if err != nil {
		t.Fatalf("exec %q: %v", command, err)
	}
	return result
}

func stdout(text string) host.Outcome { return host.Return(host.ExecResult{Stdout: []byte(text)}) }

// errorAs fails the test unless the error is of the type.
func errorAs[T error](t *testing.T, err error) T {
	t.Helper()
	typed, ok := errors.AsType[T](err)
	if !ok {
		t.Fatalf("error %v (%T), want a %v", err, err, reflect.TypeFor[T]())
	}
	return typed
}

// wantError is errorAs for tests that look no further.
func wantError[T error](t *testing.T, err error) {
	t.Helper()
	_ = errorAs[T](t, err)
}

func invalid(t *testing.T, steps ...host.Step) *host.InvalidStepError {
	t.Helper()
	s, err := host.NewScripted(steps)
	if s != nil {
		t.Error("there is a session beside the error")
	}
	return errorAs[*host.InvalidStepError](t, err)
}

func wantComplete(t *testing.T, s *host.Scripted) {
	t.Helper()
	if err := s.AssertComplete(); err != nil {
		t.Error(err)
	}
}

func wantRemaining(t *testing.T, s *host.Scripted, n int) {
	t.Helper()
	if s.RemainingSteps() != n {
		t.Errorf("%d steps remain, want %d", s.RemainingSteps(), n)
	}
}

func wantCalls(t *testing.T, s *host.Scripted, methods ...host.Method) {
	t.Helper()
	var have []host.Method
	for i, c := range s.Calls() {
		have = append(have, c.Method())
		if c.Index() != i {
			t.Errorf("call %d has the index %d", i, c.Index())
		}
	}
	if !reflect.DeepEqual(have, methods) {
		t.Errorf("calls %v, want %v", have, methods)
	}
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A failingReader has some content, and fails after it.
type failingReader struct {
	content io.Reader
	err     error
}

func (r *failingReader) Read(p []byte) (int, error) {
	if r.content != nil {
		if n, _ := r.content.Read(p); n > 0 {
			return n, nil
		}
	}
	return 0, r.err
}

// onlyReader hides all but Read.
func onlyReader(text string) io.Reader { return io.LimitReader(strings.NewReader(text), 1<<20) }

// anyMethod calls f for every number that a method could have.
func anyMethod(f func(host.Method)) {
	for m := range 256 {
		f(host.Method(m))
	}
}

var rejection = abi.Verdict{Answer: abi.AnswerReject, Reason: "not this one"}
