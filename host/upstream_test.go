package host_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// TestUpstream are the test cases of the original, T1 to T23, each under its
// number. T23 is in upstream_tool_test.go.
func TestUpstream(t *testing.T) {
	t.Run("T1 result type", func(t *testing.T) { // S4.12
		made := reflect.TypeOf(host.NewScripted).Out(0)
		if made != reflect.TypeFor[*host.Scripted]() || !made.Implements(reflect.TypeFor[host.Session]()) {
			t.Errorf("the session is a %v", made)
		}
	})
	t.Run("T2 only configured methods", func(t *testing.T) {
		s := newSession(t, answering(host.MethodExec))
		if !s.Supports(host.MethodExec) || !reflect.DeepEqual(s.Methods(), []host.Method{host.MethodExec}) {
			t.Errorf("methods %v", s.Methods())
		}
		for _, hidden := range []host.Method{host.MethodRead, host.MethodApplyPatch, host.MethodPTYExecStart} {
			if s.Supports(hidden) {
				t.Errorf("%v is visible", hidden)
			}
		}
	})
	t.Run("T3 cleanup hides PTY termination", func(t *testing.T) {
		s := newSession(t, nil)
		if _, ok := host.ParseMethod("pty_terminate_all"); ok || len(s.Methods()) != 0 {
			t.Error("terminating terminals is a method")
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
		s = newSession(t, nil)
		if err := s.Start(t.Context()); err != nil || !s.Running() {
			t.Errorf("started: %v", err)
		}
		if err := s.Close(t.Context()); err != nil || s.Running() {
			t.Errorf("closed: %v", err)
		}
	})
	t.Run("T4 manifest snapshot and PTY derivation", func(t *testing.T) {
		m := host.Manifest{Root: "/configured"}
		s := newSession(t, answering(host.MethodPTYExecStart), host.WithManifest(m))
		m.Root = "/changed"
		if s.Manifest().Root != "/configured" || !s.SupportsPTY() {
			t.Errorf("root %q, PTY %v", s.Manifest().Root, s.SupportsPTY())
		}
		if !newSession(t, answering(host.MethodPTYExecStart, host.MethodPTYWriteStdin)).SupportsPTY() {
			t.Error("both PTY methods don't make PTY supported")
		}
	})
	for name, scripted := range map[string]host.Method{
		"T5a PTY pair, start scripted": host.MethodPTYExecStart, "T5b PTY pair, stdin scripted": host.MethodPTYWriteStdin,
	} {
		t.Run(name, func(t *testing.T) {
			other := host.MethodPTYExecStart + host.MethodPTYWriteStdin - scripted
			s := newSession(t, answering(scripted))
			_, err := s.Do(t.Context(), request(other))
			e := errorAs[*host.UnexpectedCallError](t, err)
			if !s.SupportsPTY() || len(s.Methods()) != 2 || e.Call.Method() != other || e.Expected != scripted {
				t.Errorf("methods %v, error %v", s.Methods(), e)
			}
		})
	}
	t.Run("T6 all capability methods", upstreamAllMethods)
	for name, stream := range map[string]host.Stream{
		"T7a stream results, bytes": host.ByteStream([]byte("before")), "T7b stream results, text": host.TextStream("before"),
	} {
		t.Run(name, func(t *testing.T) { upstreamStreamResult(t, stream) })
	}
	t.Run("T8 stream arguments", upstreamStreamArgument)
	t.Run("T9 callable byte streams", func(t *testing.T) {
		stream := func() callableReader { return callableReader{Reader: bytes.NewReader([]byte("contents"))} }
		s := newSession(t, append([]host.Step{{Method: host.MethodRead, Outcome: host.Return(stream())}}, answering(host.MethodWrite)...))
		r, err := s.Read(t.Context(), host.ReadRequest{})
		if err != nil || readAll(t, r) != "contents" {
			t.Errorf("read: %v", err)
		}
		if err := s.Write(t.Context(), host.WriteRequest{Data: stream()}); err != nil {
			t.Fatal(err)
		}
		if data, _ := s.Calls()[1].Data(); data.String() != "contents" {
			t.Errorf("recorded %q", data)
		}
		wantComplete(t, s)
	})
	t.Run("T10 bad stream results", func(t *testing.T) {
		e := invalid(t, host.Step{Method: host.MethodRead, Outcome: host.Return(&failingReader{err: errBoom})})
		if e.Reason != host.ReasonInvalidOutcome || e.Index != 0 {
			t.Errorf("reason %q", e.Reason)
		}
	})
	t.Run("T11 bad stream argument", func(t *testing.T) { upstreamBadArgument(t, &failingReader{err: errBoom}) })
	t.Run("T12 callable unsupported stream result", func(t *testing.T) {
		e := invalid(t, host.Step{Method: host.MethodRead, Outcome: host.Return(host.MatcherFunc(nil))})
		if e.Reason != host.ReasonInvalidOutcome {
			t.Errorf("reason %q", e.Reason)
		}
	})
	t.Run("T13 callable streams as match or responder", func(t *testing.T) {
		// The type of the field tells what it is: a stream that is a matcher, too,
		// is a matcher there, and its content isn't looked at.
		m := callableReader{bytes.NewReader(nil), func(context.Context, host.Call) (host.Verdict, error) { return rejection, nil }}
		s := newSession(t, []host.Step{matching(m)})
		_, err := s.Exec(t.Context(), host.ExecRequest{})
		wantError[*host.MatcherRejectedError](t, err)
	})
	t.Run("T14 callable unsupported stream argument", func(t *testing.T) {
		upstreamBadArgument(t, struct {
			*failingReader
			host.MatcherFunc
		}{&failingReader{err: errBoom}, nil})
	})
	t.Run("T15 static result frozen at build", func(t *testing.T) {
		result := &host.ExecResult{Stdout: []byte("before")}
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Return(result)}})
		copy(result.Stdout, "after!")
		result.ExitCode = 1
		if r := execute(t, s); string(r.Stdout) != "before" || !r.OK() {
			t.Errorf("result %+v", r)
		}
		wantComplete(t, s)
	})
	t.Run("T16 detached FIFO records", upstreamDetachedRecords)
	t.Run("T17 snapshot failure isn't committed", func(t *testing.T) {
		upstreamBadArgument(t, readerFunc(func([]byte) (int, error) { panic(errBoom) }))
	})
	t.Run("T18 matcher, responder, error", func(t *testing.T) {
		s := newSession(t, []host.Step{
			{
				Method: host.MethodExec,
				Match:  host.MatchFunc(func(c host.Call) bool { return reflect.DeepEqual(c.Args(), []any{"pwd"}) }),
				Outcome: host.Respond(host.ResponderFunc(func(_ context.Context, c host.Call) (any, error) {
					return host.ExecResult{Stdout: []byte("call " + strings.Repeat("1", len(c.Args())))}, nil
				})),
			},
			{Method: host.MethodExec, Outcome: host.Fail(errBoom)},
		})
		if r := execute(t, s, "pwd"); string(r.Stdout) != "call 1" {
			t.Errorf("stdout %q", r.Stdout)
		}
		if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"next"}}); err != errBoom {
			t.Errorf("ends with %v", err)
		}
		wantComplete(t, s)
	})
	t.Run("T19a structured failure: mismatch", upstreamMismatch)
	t.Run("T19b structured failure: matcher rejection", upstreamRejection)
	t.Run("T19c structured failure: exhausted", upstreamExhausted)
	t.Run("T20 matcher exception keeps the step", func(t *testing.T) {
		s := newSession(t, []host.Step{matching(host.MatcherFunc(func(_ context.Context, c host.Call) (host.Verdict, error) {
			if c.Index() == 0 {
				return host.Verdict{}, errBoom
			}
			return host.Accept(), nil
		}))})
		if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != errBoom {
			t.Errorf("ends with %v", err)
		}
		wantRemaining(t, s, 1)
		if r := execute(t, s); string(r.Stdout) != "ok" {
			t.Errorf("stdout %q", r.Stdout)
		}
		wantComplete(t, s)
	})
	t.Run("T21 unconsumed", func(t *testing.T) {
		s := newSession(t, answering(host.MethodExec, host.MethodRead))
		e := errorAs[*host.UnconsumedStepsError](t, s.AssertComplete())
		if e.Remaining != 2 || !reflect.DeepEqual(e.Pending, []host.Method{host.MethodExec, host.MethodRead}) {
			t.Errorf("remaining %d, pending %v", e.Remaining, e.Pending)
		}
	})
	// T22a, T22b and T22f are about the shape of a mapping: see package scripts.
	for name, test := range map[string]struct {
		step   host.Step
		reason host.StepReason
	}{
		"T22c unknown method":         {host.Step{Method: 99, Outcome: stdout("")}, host.ReasonUnknownMethod},
		"T22d match isn't callable":   {host.Step{Method: host.MethodExec, Match: host.MatcherFunc(nil), Outcome: stdout("")}, host.ReasonInvalidMatcher},
		"T22e no outcome":             {host.Step{Method: host.MethodExec}, host.ReasonInvalidOutcome},
		"T22g responder not callable": {host.Step{Method: host.MethodExec, Outcome: host.Respond(nil)}, host.ReasonInvalidOutcome},
		"T22h error isn't one":        {host.Step{Method: host.MethodExec, Outcome: host.Fail(nil)}, host.ReasonInvalidOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			if e := invalid(t, test.step); e.Reason != test.reason || e.Index != 0 || !strings.Contains(e.Error(), "step #1") {
				t.Errorf("reason %q, index %d, text %q", e.Reason, e.Index, e)
			}
		})
	}
}

func upstreamAllMethods(t *testing.T) {
	order := []host.Method{
		host.MethodRead, host.MethodWrite, host.MethodLs, host.MethodMkdir, host.MethodRm, host.MethodApplyPatch,
		host.MethodPTYExecStart, host.MethodPTYWriteStdin,
	}
	steps := answering(order...)
	steps[0].Outcome, steps[2].Outcome = host.Return([]byte("contents")), host.Return([]host.FileEntry{})
	s := newSession(t, steps)
	ctx := t.Context()

	r, err := s.Read(ctx, host.ReadRequest{Path: "a"})
	if err != nil || readAll(t, r) != "contents" {
		t.Errorf("read: %v", err)
	}
	data := strings.NewReader("payload")
	if err := s.Write(ctx, host.WriteRequest{Path: "a", Data: data}); err != nil {
		t.Error(err)
	}
	if list, err := s.Ls(ctx, host.LsRequest{Path: "."}); err != nil || len(list) != 0 || list == nil {
		t.Errorf("ls: %v, %v", list, err)
	}
	if err := errors.Join(s.Mkdir(ctx, host.MkdirRequest{Path: "d", Parents: true}), s.Rm(ctx, host.RmRequest{Path: "d", Recursive: true})); err != nil {
		t.Error(err)
	}
	if text, err := s.ApplyPatch(ctx, host.ApplyPatchRequest{Operations: []host.PatchOperation{{Type: "delete_file", Path: "a"}}}); text != "Done!" || err != nil {
		t.Errorf("apply_patch: %q, %v", text, err)
	}
	if u, err := s.PTYExecStart(ctx, host.PTYExecStartRequest{TTY: true}); err != nil || *u.ProcessID != 123 || string(u.Output) != "started" {
		t.Errorf("pty_exec_start: %+v, %v", u, err)
	}
	if u, err := s.PTYWriteStdin(ctx, host.PTYWriteStdinRequest{SessionID: 123}); err != nil || *u.ExitCode != 0 {
		t.Errorf("pty_write_stdin: %+v, %v", u, err)
	}
	wantCalls(t, s, order...)
	stream, _ := s.Calls()[1].Data()
	if stream.String() != "payload" || stream.Position() != 0 || data.Len() != 7 {
		t.Errorf("recorded %q at %d", stream, stream.Position())
	}
	wantComplete(t, s)
}

func upstreamStreamResult(t *testing.T, stream host.Stream) {
	source := stream.At(2).Reader()
	s := newSession(t, []host.Step{{Method: host.MethodRead, Outcome: host.Return(source)}})
	_, _ = source.Seek(0, 0)
	_ = source.Close()
	r, err := s.Read(t.Context(), host.ReadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.(*host.StreamReader).Stream(); r == source || !got.Equal(stream.At(2)) {
		t.Errorf("the result is %q at %d", got, got.Position())
	}
	wantComplete(t, s)
}

func upstreamStreamArgument(t *testing.T) {
	s := newSession(t, answering(host.MethodWrite))
	content := []byte("before")
	source := bytes.NewReader(content)
	_, _ = source.Seek(3, 0)
	if err := s.Write(t.Context(), host.WriteRequest{Data: source}); err != nil {
		t.Fatal(err)
	}
	copy(content, "after!")
	for range 2 {
		w, _ := s.Calls()[0].Write()
		if rest := readAll(t, w.Data); rest != "ore" { // reading one copy doesn't move the next
			t.Errorf("recorded from the position on: %q", rest)
		}
		if data, _ := s.Calls()[0].Data(); data.Position() != 3 || data.String() != "before" {
			t.Errorf("recorded %q at %d", data, data.Position())
		}
	}
	wantComplete(t, s)
}

func upstreamBadArgument(t *testing.T, r interface{ Read([]byte) (int, error) }) {
	s := newSession(t, answering(host.MethodWrite))
	err := s.Write(t.Context(), host.WriteRequest{Path: "a", Data: r})
	if e := errorAs[*host.SnapshotError](t, err); !errors.Is(err, errBoom) || e.Error() != "host: can't record the arguments of write: data" {
		t.Errorf("text %q", e)
	}
	wantCalls(t, s)
	wantRemaining(t, s, 1)
}

func upstreamDetachedRecords(t *testing.T) {
	s := newSession(t, answering(host.MethodApplyPatch, host.MethodExec))
	operations := []host.PatchOperation{{Type: "delete_file", Path: "before.txt"}}
	if text, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: operations}); text != "Done!" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	operations[0].Path = "after.txt"
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"pwd"}, Shell: host.NoShell()}); err != nil {
		t.Fatal(err)
	}
	wantRemaining(t, s, 0)
	wantComplete(t, s)
	for range 2 {
		patch, _ := s.Calls()[0].ApplyPatch()
		if patch.Operations[0].Path != "before.txt" {
			t.Errorf("recorded %+v", patch)
		}
		patch.Operations[0].Path = "changed.txt"
	}
	byHand := call(t, 1, &host.ExecRequest{Command: []string{"pwd"}, Shell: host.NoShell()})
	if !s.Calls()[1].Equal(byHand) {
		t.Error("the call isn't like one made by hand")
	}
	want := plainMap{"timeout": nil, "shell": false, "user": nil}
	if got := s.Calls()[1].Kwargs(); !reflect.DeepEqual(got, want) {
		t.Errorf("kwargs %v", got)
	}
}

func upstreamMismatch(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodRead))
	_, err := s.Read(t.Context(), host.ReadRequest{Path: "/secret/payload.txt"})
	e := errorAs[*host.UnexpectedCallError](t, err)
	if e.Call.Index() != 0 || e.Call.Method() != host.MethodRead || e.Expected != host.MethodExec || e.Remaining != 2 {
		t.Errorf("error %+v", e)
	}
	if !strings.Contains(e.Error(), "call #1") || strings.Contains(e.Error(), "secret") {
		t.Errorf("text %q", e)
	}
	wantRemaining(t, s, 2)
	execute(t, s)
	wantRemaining(t, s, 1)
}

func upstreamRejection(t *testing.T) {
	s := newSession(t, []host.Step{matching(host.MatchFunc(func(c host.Call) bool { return c.Args()[0] == "expected" }))})
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"secret command"}})
	e := errorAs[*host.MatcherRejectedError](t, err)
	if e.Call.Index() != 0 || e.Call.Method() != host.MethodExec {
		t.Errorf("error %+v", e)
	}
	if !strings.Contains(e.Error(), "call #1") || strings.Contains(e.Error(), "secret") {
		t.Errorf("text %q", e)
	}
	wantRemaining(t, s, 1)
	execute(t, s, "expected")
	wantComplete(t, s)
}

func upstreamExhausted(t *testing.T) {
	s := newSession(t, answering(host.MethodExec))
	execute(t, s)
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"second secret"}})
	e := errorAs[*host.UnexpectedCallError](t, err)
	if e.Call.Index() != 1 || e.Expected != 0 || e.Remaining != 0 || !s.Supports(host.MethodExec) {
		t.Errorf("error %+v", e)
	}
	if !strings.Contains(e.Error(), "call #2") || strings.Contains(e.Error(), "secret") {
		t.Errorf("text %q", e)
	}
}
