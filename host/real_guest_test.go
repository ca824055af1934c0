package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// These tests run the compiled Go guest in testdata/guests/echo on the default
// engine.

func TestAGoGuestThatFailsSaysHow(t *testing.T) {
	tests := []struct {
		name    string
		command []string
		kind    host.GuestErrorKind
		message string
		file    string
		stderr  string
		dies    bool
	}{
		{"it panics", []string{"panic", "now"}, host.GuestPanic, "kaboom now", "echo/main.go", "panic: kaboom now", true},
		{"it writes to a nil map", []string{"nil"}, host.GuestPanic, "nil map", "echo/main.go", "panic: assignment to entry in nil map", true},
		{"it exits", []string{"exit"}, host.GuestExit, "", "", "", true},
		{"its handler returns an error", []string{"fail"}, host.GuestFailed, "the handler gives up", "", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			step := host.Step{Method: host.MethodExec, Outcome: echoResponder(t, "misbehave")}
			s := newSession(t, append(answering(host.MethodExec), step, step))
			execute(t, s)
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: test.command})
			e := wantGuestError(t, err, test.kind)
			if e.Module != "echo" || e.Handler != "misbehave" || e.Call != 1 {
				t.Errorf("it is at %s, %s, call %d", e.Module, e.Handler, e.Call)
			}
			if !strings.Contains(e.Message, test.message) || !strings.HasSuffix(e.File, test.file) || !strings.Contains(e.Stderr, test.stderr) {
				t.Errorf("message %q, file %q, stderr %q", e.Message, e.File, e.Stderr)
			}
			if test.kind == host.GuestPanic && (e.Line == 0 || !strings.Contains(e.Stack, "main.misbehave")) {
				t.Errorf("line %d, stack:\n%s", e.Line, e.Stack)
			}
			if author := e.AuthorStack(); test.kind == host.GuestPanic && !strings.HasPrefix(author, "main.misbehave(") {
				t.Errorf("the author's stack begins with\n%s", author)
			}
			if test.kind == host.GuestExit && e.ExitCode != 3 {
				t.Errorf("exit code %d, want 3", e.ExitCode)
			}
			_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"well"}})
			if test.dies != errors.Is(err, host.GuestDead) {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

func TestALoopingGuestEndsWithItsContext(t *testing.T) {
	contexts := map[string]func(context.Context) (context.Context, context.CancelFunc){
		"deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 50*time.Millisecond)
		},
		"cancellation": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		},
	}
	for name, limited := range contexts {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, []host.Step{
				{Method: host.MethodExec, Outcome: echoResponder(t, "misbehave")},
				{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})},
			})
			ctx, cancel := limited(t.Context())
			defer cancel()
			_, err := s.Exec(ctx, host.ExecRequest{Command: []string{"loop"}})
			_ = wantGuestError(t, err, host.GuestInterrupted)
			if !errors.Is(err, ctx.Err()) {
				t.Errorf("%v isn't %v", err, ctx.Err())
			}
			if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
				t.Errorf("the session can't be used after: %v", err)
			}
		})
	}
}

func TestWhatAGoGuestSaysIsInTheRecordOfItsCall(t *testing.T) {
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: echoResponder(t, "misbehave")}})
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"print"}}); err != nil {
		t.Fatal(err)
	}
	want := []host.LogEntry{
		{Module: "echo", Source: host.SourceLog, Level: host.LogInfo, Text: "to the log"},
		{Module: "echo", Source: host.SourceStdout, Level: host.LogInfo, Text: "to stdout\n"},
		{Module: "echo", Source: host.SourceStderr, Level: host.LogError, Text: "to stderr\n"},
	}
	logs := s.History()[0].Logs
	if len(logs) != len(want) {
		t.Fatalf("logs = %+v", logs)
	}
	for i := range want {
		if logs[i] != want[i] {
			t.Errorf("log %d = %+v, want %+v", i, logs[i], want[i])
		}
	}
}

func TestAGoGuestMatches(t *testing.T) {
	m, err := loadEcho(t).Matcher("echo")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, []host.Step{{Method: host.MethodExec, Match: m, Outcome: echoResponder(t, "echo")}})
	_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"git", "status"}})
	rejected, ok := errors.AsType[*host.MatcherRejectedError](err)
	if !ok || rejected.Reason != "too many words" || len(rejected.Differences) != 1 || rejected.Differences[0].Actual != "git status" {
		t.Fatalf("error %#v", err)
	}
	if strings.Contains(err.Error(), "git") {
		t.Errorf("the text %q has payload", err)
	}
	got, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"git"}})
	if err != nil || string(got.Stdout) != "git" {
		t.Errorf("stdout %q, %v", got.Stdout, err)
	}
}
