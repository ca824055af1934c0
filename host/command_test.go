package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// say is an exec whose command prints the given outcome.
func say(outcome string, more ...string) *host.ExecRequest {
	return &host.ExecRequest{Command: append([]string{outcome}, more...)}
}

// responds gives a session with one step, answered by the command for tests.
func responds(t *testing.T, method host.Method, handler string, opts ...host.Option) *host.Scripted {
	t.Helper()
	return newSession(t, []host.Step{{Method: method, Outcome: host.Respond(loadCommand(t).Responder(handler))}}, opts...)
}

func TestACommandReadsTheCallAsJSON(t *testing.T) {
	command := loadCommand(t, host.WithConfig(map[string]any{
		"branch": "main <&>", "depth": int64(math.MaxInt64), "raw": []byte{0xff}, "list": []any{nil, true},
	}))
	s := newSession(t, []host.Step{
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})},
		{Method: host.MethodExec, Outcome: host.Respond(command.Responder("document"))},
	}, host.WithSeed(math.MaxUint64))
	_ = execute(t, s)
	got, err := s.Exec(t.Context(), host.ExecRequest{
		Command: []string{"git", "a\"\n\\", "\xff"}, Timeout: 1500 * time.Millisecond, Shell: host.NoShell(), User: "me",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"abi":1,"kind":"respond","handler":"document","index":1,"method":"exec",` +
		`"args":["git","a\"\n\\",{"base64":"/w=="}],"kwargs":{"shell":false,"timeout":1.5,"user":"me"},` +
		`"config":{"branch":"main <&>","depth":9223372036854775807,"list":[null,true],"raw":{"base64":"/w=="}},` +
		`"time_ns":"946684801000000000","seed":"18446744073709551615"}` + "\n"
	if diff := cmp.Diff(want, string(got.Stdout)); diff != "" {
		t.Errorf("the document differs (-want +got):\n%s", diff)
	}
}

func TestACommandCanBeGivenEveryCall(t *testing.T) {
	for _, request := range requests("x") {
		var document struct {
			Method string
			Args   []any
			Kwargs map[string]any
		}
		call, err := host.NewCall(0, request)
		if err != nil {
			t.Fatal(err)
		}
		method := request.Method()
		s := newSession(t, []host.Step{{Method: method, Outcome: host.Respond(loadCommand(t).Responder("document"))}})
		_, err = s.Do(t.Context(), request)
		if method == host.MethodExec && err != nil {
			t.Errorf("%s: %v", method, err)
		}
		text := ""
		for _, entry := range s.History()[0].Logs { // the answer fits exec only: of others it is in the record
			text += entry.Text
		}
		if method == host.MethodExec {
			continue
		}
		var answer struct{ Result struct{ Stdout string } }
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%s: %v in %q", method, err, text)
		}
		if err := json.Unmarshal([]byte(answer.Result.Stdout), &document); err != nil {
			t.Fatalf("%s: %v in %q", method, err, answer.Result.Stdout)
		}
		if document.Method != method.String() || len(document.Args) != len(call.Args()) || len(document.Kwargs) != len(call.Kwargs()) {
			t.Errorf("%s: the document has %+v", method, document)
		}
	}
}

func TestWhatACommandPrintsIsTheOutcome(t *testing.T) {
	for _, test := range []struct {
		outcome string
		want    host.ExecResult
	}{
		{`{"result": {"stdout": "a\n", "stderr": {"base64": "/w=="}, "exit_code": 3}}`,
			host.ExecResult{Stdout: []byte("a\n"), Stderr: []byte{0xff}, ExitCode: 3}},
		{"\r\n {\"result\": {}}\n\n", host.ExecResult{}},
		{`{"result": {"stdout": null, "exit_code": 2.0}}`, host.ExecResult{ExitCode: 2}},
		{`{"result": {"stdout": "\u00e9\ud83d\ude00"}}`, host.ExecResult{Stdout: []byte("é😀")}},
	} {
		got, err := responds(t, host.MethodExec, "").Exec(t.Context(), *say(test.outcome))
		if err != nil {
			t.Errorf("%s: %v", test.outcome, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", test.outcome, diff)
		}
	}
}

func TestACommandCanRaiseASandboxError(t *testing.T) {
	_, err := responds(t, host.MethodExec, "").Exec(t.Context(), *say(`{"error": {"code": "workspace_read_not_found", "op": "exec",
		"message": "gone", "context": {"path": "a", "raw": {"base64": "/w=="}, "list": [1, 1.5]}, "retryable": true}}`))
	e, ok := errors.AsType[*host.SandboxError](err)
	if !ok || !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("error %v (%T)", err, err)
	}
	want := &host.SandboxError{
		Code: host.CodeWorkspaceReadNotFound, Op: host.OpExec, Message: "gone", Retryable: host.RetryableYes,
		Context: map[string]any{"path": "a", "raw": []byte{0xff}, "list": []any{int64(1), 1.5}},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("it differs (-want +got):\n%s", diff)
	}
	_, err = responds(t, host.MethodExec, "").Exec(t.Context(), *say(`{"error": {"code": "exec_timeout", "retryable": null}}`))
	if !errors.Is(err, context.DeadlineExceeded) || err.Error() != host.NewSandboxError(host.CodeExecTimeout, nil, nil).Error() {
		t.Errorf("error %v (%T)", err, err)
	}
}

func TestACommandCanMatch(t *testing.T) {
	for _, test := range []struct {
		verdict string
		rejects *host.MatcherRejectedError
	}{
		{`{"verdict": {"answer": "accept"}}`, nil},
		{`{"verdict": {"answer": "none", "differences": null}}`, nil},
		{`{"verdict": {"answer": "reject"}}`, &host.MatcherRejectedError{}},
		{`{"verdict": {"answer": "reject", "reason": "no", "differences": [{"field": "args[0]", "expected": "a", "actual": "b"}, {"field": "x"}]}}`,
			&host.MatcherRejectedError{Reason: "no", Differences: []host.Difference{{Field: "args[0]", Expected: "a", Actual: "b"}, {Field: "x"}}}},
	} {
		s := newSession(t, []host.Step{matching(loadCommand(t).Matcher("only"))})
		_, err := s.Exec(t.Context(), *say(test.verdict))
		rejected, _ := errors.AsType[*host.MatcherRejectedError](err)
		if (err == nil) != (test.rejects == nil) || (rejected == nil) != (test.rejects == nil) {
			t.Errorf("%s: %v", test.verdict, err)
		} else if rejected != nil && (rejected.Reason != test.rejects.Reason || !cmp.Equal(rejected.Differences, test.rejects.Differences)) {
			t.Errorf("%s: %+v", test.verdict, rejected)
		}
	}
}

func TestACommandThatCantAnswerSaysWhy(t *testing.T) {
	deep := `{"result": ` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}"
	for _, test := range []struct {
		outcome string
		kind    host.GuestErrorKind
		message string
	}{
		{``, host.GuestBadReply, "it printed nothing on standard output"},
		{" \n", host.GuestBadReply, "it printed nothing on standard output"},
		{`hello`, host.GuestBadReply, "its output isn't JSON: invalid character 'h' looking for beginning of value, at byte 1"},
		{`{"result": {}`, host.GuestBadReply, "its output isn't JSON: it ends too early"},
		{`{"result": }`, host.GuestBadReply, "its output isn't JSON: "},
		{`{"result": {},}`, host.GuestBadReply, "its output isn't JSON: "},
		{`{"result": {}} {}`, host.GuestBadReply, "its output has something after the end of its JSON, at byte "},
		{`{"result": {}} x`, host.GuestBadReply, "its output has something after the end of its JSON, at byte "},
		{`{"result": {}, "result": {}}`, host.GuestBadReply, "its output has a key twice in one object, at byte 23"},
		{`{"result": {"stdout": "a", "stdout": "b"}}`, host.GuestBadReply, "its output has a key twice in one object, at byte "},
		{`{"result": {"exit_code": 9223372036854775808}}`, host.GuestBadReply, "its output has a number that 64 bits can't hold, at byte 44"},
		{`{"result": {"exit_code": 1e999}}`, host.GuestBadReply, "its output has a number that 64 bits can't hold, at byte "},
		{deep, host.GuestBadReply, "its output is nested too deeply, at byte "},
		{`[]`, host.GuestBadReply, "its outcome: must be a map"},
		{`null`, host.GuestBadReply, "its outcome: must be a map"},
		{`{}`, host.GuestBadReply, "its outcome: must have exactly one of result, error, failed"},
		{`{"result": {}, "error": {"code": "exec_timeout"}}`, host.GuestBadReply, "its outcome: must have exactly one of result, error, failed"},
		{`{"verdict": {"answer": "accept"}}`, host.GuestBadReply, "its outcome: must have exactly one of result, error, failed"},
		{`{"reslt": {}}`, host.GuestBadReply, "its outcome: reslt isn't a known field"},
		{`{"result": null}`, host.GuestBadReply, "its outcome: result must be a map"},
		{`{"result": "text"}`, host.GuestBadReply, "its outcome: result must be a map"},
		{`{"result": {"stdout": 5}}`, host.GuestBadReply, `its outcome: result.stdout must be text, or {base64: "…"}, not a number`},
		{`{"result": {"stdout": {"base64": "%"}}}`, host.GuestBadReply, "its outcome: result.stdout.base64 must be standard base64 with padding"},
		{`{"result": {"exit_code": 4294967296}}`, host.GuestBadReply, "its outcome: result.exit_code must be a number of 32 bits"},
		{`{"result": {"out": ""}}`, host.GuestBadReply, "its outcome: result.out isn't a known field"},
		{`{"error": "exec_timeout"}`, host.GuestBadReply, "its outcome: error must be a map"},
		{`{"error": {}}`, host.GuestBadReply, "its outcome: error.code is missing"},
		{`{"error": {"code": "timeout"}}`, host.GuestBadReply, "its outcome: error.code isn't a known code; did you mean exec_timeout?"},
		{`{"error": {"code": "read"}}`, host.GuestBadReply, "its outcome: error.code isn't a known code"},
		{`{"error": {"code": "exec_timeout", "op": "run"}}`, host.GuestBadReply, "its outcome: error.op isn't a known operation"},
		{`{"error": {"code": "exec_timeout", "context": []}}`, host.GuestBadReply, "its outcome: error.context must be a map"},
		{`{"error": {"code": "exec_timeout", "context": {"a": [{"base64": 5}]}}}`, host.GuestBadReply, "its outcome: error.context has base64 that"},
		{`{"error": {"code": "exec_timeout", "retryable": "yes"}}`, host.GuestBadReply, "its outcome: error.retryable must be true or false, not text"},
		{`{"failed": "the disk is full"}`, host.GuestFailed, "the disk is full"},
		{`{"failed": null}`, host.GuestBadReply, "its outcome: failed must be text, not null"},
		{`{"failed": {}}`, host.GuestBadReply, "its outcome: failed must be text, not a map"},
	} {
		s := responds(t, host.MethodExec, "")
		_, err := s.Exec(t.Context(), *say(test.outcome, "what went wrong\n"))
		e := wantGuestError(t, err, test.kind)
		if !strings.HasPrefix(e.Message, test.message) || e.Stderr != "what went wrong\n" || e.Module != "answer" || e.Call != 0 {
			t.Errorf("%s: message %q, stderr %q; want %q", test.outcome, e.Message, e.Stderr, test.message)
		}
	}
}

func TestAVerdictMustBeOne(t *testing.T) {
	for verdict, message := range map[string]string{
		`{"result": {}}`:                 "its outcome: must have exactly one of verdict, failed",
		`{"verdict": "accept"}`:          "its outcome: verdict must be a map, not text",
		`{"verdict": {}}`:                "its outcome: verdict.answer is missing",
		`{"verdict": {"answer": "yes"}}`: "its outcome: verdict.answer must be accept, reject or none",
		`{"verdict": {"answer": true}}`:  "its outcome: verdict.answer must be text, not true or false",
		`{"verdict": {"answer": "reject", "differences": [{"expected": "a"}]}}`: "its outcome: verdict.differences[0].field is missing",
		`{"verdict": {"answer": "reject", "differences": [5]}}`:                 "its outcome: verdict.differences[0] must be a map, not a number",
	} {
		s := newSession(t, []host.Step{matching(loadCommand(t).Matcher("only"))})
		_, err := s.Exec(t.Context(), *say(verdict))
		if e := wantGuestError(t, err, host.GuestBadReply); e.Message != message || e.Handler != "only" {
			t.Errorf("%s: message %q, handler %q; want %q", verdict, e.Message, e.Handler, message)
		}
		if s.RemainingSteps() != 1 {
			t.Errorf("%s: the step is gone", verdict)
		}
	}
}

func TestACommandThatExitsHasFailedWhateverItPrinted(t *testing.T) {
	for _, code := range []string{"1", "256"} {
		s := responds(t, host.MethodExec, "")
		_, err := s.Exec(t.Context(), *say(`{"result": {}}`, "first\nlast\n", code))
		e := wantGuestError(t, err, host.GuestExit)
		if fmt.Sprint(e.ExitCode) != code || e.Error() != "guest answer: call #1: exited with code "+code+": first" {
			t.Errorf("code %d: %v", e.ExitCode, e)
		}
	}
}

func TestACommandsReplyHasALimit(t *testing.T) {
	for _, size := range []int{100, 101} {
		outcome := `{"result":{}}`
		outcome += strings.Repeat(" ", size-len(outcome))
		_, err := responds(t, host.MethodExec, "", host.WithLimits(host.Limits{ReplyBytes: 100})).Exec(t.Context(), *say(outcome))
		if size > 100 {
			_ = wantGuestError(t, err, host.GuestLimit)
		} else if err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestWhatACommandPrintsOnStandardErrorIsLogged(t *testing.T) {
	s := responds(t, host.MethodExec, "", host.WithLimits(host.Limits{LogBytes: 6}))
	if _, err := s.Exec(t.Context(), *say(`{"result": {}}`, "reading the call\n")); err != nil {
		t.Fatal(err)
	}
	want := []host.LogEntry{{Module: "answer", Source: host.SourceStderr, Level: host.LogError, Text: " call\n", Dropped: 11}}
	if diff := cmp.Diff(want, s.History()[0].Logs); diff != "" {
		t.Errorf("the record differs (-want +got):\n%s", diff)
	}
}

func TestACommandBeginsAnewWithEachCall(t *testing.T) {
	r, counter := newCountingRuntime(t)
	command, err := r.LoadCommand(t.Context(), "answer", readProgram(t, "answer"))
	if err != nil {
		t.Fatal(err)
	}
	const n = 20
	steps := make([]host.Step, n)
	for i := range steps {
		steps[i] = host.Step{Method: host.MethodExec, Outcome: host.Respond(command.Responder("count"))}
	}
	s := newSession(t, steps)
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			if got, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil || got.ExitCode != 1 {
				t.Errorf("it was called %d times, error %v", got.ExitCode, err)
			}
		})
	}
	group.Wait()
	if counter.opened.Load() != n {
		t.Errorf("%d instances for %d calls", counter.opened.Load(), n)
	}
}

func TestALoopingCommandEndsWithItsContext(t *testing.T) {
	r, _ := newCountingRuntime(t)
	command, err := r.LoadCommand(t.Context(), "answer", readProgram(t, "answer"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, []host.Step{matching(command.Matcher("loop"))})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Exec(ctx, host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestInterrupted)
}

func TestACommandTakesLargeContent(t *testing.T) {
	const size = 3 << 20
	data := strings.Repeat("x", size)
	s := newSession(t, []host.Step{{Method: host.MethodRead, Outcome: host.Respond(loadCommand(t).Responder(""))}})
	stream, err := s.Do(t.Context(), &host.ReadRequest{Path: `{"result": {"text": "` + data + `", "position": 3}}`})
	if got, ok := stream.(host.Stream); err != nil || !ok || got.Len() != size || got.Position() != 3 || !got.Text() {
		t.Errorf("got %T, error %v", stream, err)
	}
}

func TestACommandAnswersTheOtherMethods(t *testing.T) {
	for _, test := range []struct {
		request func(path string) host.Request
		outcome string
		want    any
		wrong   string // "": it isn't
	}{
		{func(p string) host.Request { return &host.ReadRequest{Path: p} }, `{"result": "text"}`, host.TextStream("text"), ""},
		{func(p string) host.Request { return &host.ReadRequest{Path: p} }, `{"result": {"base64": "/w==", "position": 1}}`,
			host.ByteStream([]byte{0xff}).At(1), ""},
		{func(p string) host.Request { return &host.ReadRequest{Path: p} }, `{"result": {"position": 1}}`, nil,
			"its outcome: result must have either text or base64"},
		{func(p string) host.Request { return &host.LsRequest{Path: p} }, `{"result": [{"path": "a", "kind": "directory"}, {"path": "b", "size": 7}]}`,
			[]host.FileEntry{{Path: "a", Kind: host.FileKindDirectory, Permissions: 0o700 | abi.DirectoryBit, Owner: "root", Group: "root"},
				{Path: "b", Permissions: 0o700, Owner: "root", Group: "root", Size: 7}}, ""},
		{func(p string) host.Request { return &host.LsRequest{Path: p} }, `{"result": [{"path": "a"}, {"pth": "b"}]}`, nil,
			"its outcome: result[1].pth isn't a known field"},
		{func(p string) host.Request { return &host.RmRequest{Path: p} }, `{"result": null}`, nil, ""},
		{func(p string) host.Request { return &host.MkdirRequest{Path: p} }, `{"result": {}}`, nil, "its outcome: result must be null, not a map"},
		{func(p string) host.Request { return &host.WriteRequest{Path: p, Data: strings.NewReader("x")} }, `{"result": null}`, nil, ""},
		{func(p string) host.Request { return &host.PTYExecStartRequest{Command: []string{p}} }, `{"result": {"process_id": 9, "output": "$ "}}`,
			host.PTYUpdate{ProcessID: new(9), Output: []byte("$ ")}, ""},
	} {
		request := test.request(test.outcome)
		got, err := responds(t, request.Method(), "").Do(t.Context(), request)
		switch {
		case test.wrong != "":
			if e := wantGuestError(t, err, host.GuestBadReply); e.Message != test.wrong {
				t.Errorf("%s: message %q, want %q", test.outcome, e.Message, test.wrong)
			}
		case err != nil || !equalResults(got, test.want):
			t.Errorf("%s: got %+v, error %v; want %+v", test.outcome, got, err, test.want)
		}
	}
}

func equalResults(a, b any) bool {
	if stream, ok := a.(host.Stream); ok {
		other, ok := b.(host.Stream)
		return ok && stream.Equal(other)
	}
	return cmp.Equal(a, b)
}

func TestNothingIsRunForAClosedSession(t *testing.T) {
	r, counter := newCountingRuntime(t)
	command, err := r.LoadCommand(t.Context(), "answer", readProgram(t, "answer"))
	if err != nil {
		t.Fatal(err)
	}
	var s *host.Scripted
	s = newSession(t, []host.Step{respond(func(ctx context.Context, call host.Call) (any, error) {
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
		return command.Responder("count").Respond(ctx, call)
	})})
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); !errors.Is(err, host.ErrClosed) || counter.opened.Load() != 0 {
		t.Errorf("error %v after %d runs", err, counter.opened.Load())
	}
}
