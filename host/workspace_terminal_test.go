package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A typist calls the PTY methods, and checks what comes back.
type typist struct {
	*testing.T
	session *host.Scripted
	id      *int
}

func (y *typist) start(r host.PTYExecStartRequest) *typist {
	y.Helper()
	u, err := y.session.PTYExecStart(y.Context(), r)
	if err != nil {
		y.Fatal(err)
	}
	y.id = u.ProcessID
	return y.wants(u, nil)
}

func (y *typist) wants(u host.PTYUpdate, want *string) *typist {
	y.Helper()
	if want != nil && string(u.Output) != *want {
		y.Errorf("output %q, want %q", u.Output, *want)
	}
	if (u.ProcessID == nil) == (u.ExitCode == nil) {
		y.Errorf("S7.7: id %v, exit code %v", u.ProcessID, u.ExitCode)
	}
	return y
}

func (y *typist) types(chars, want string) host.PTYUpdate {
	y.Helper()
	if y.id == nil {
		y.Fatal("it has ended")
	}
	u, err := y.session.PTYWriteStdin(y.Context(), host.PTYWriteStdinRequest{SessionID: int64(*y.id), Chars: chars})
	if err != nil {
		y.Fatal(err)
	}
	y.wants(u, &want)
	y.id = u.ProcessID
	return u
}

// S6.84, S7.7.
func TestATerminalIsAnsweredStepByStep(t *testing.T) {
	for _, command := range []string{"desk chat", "exec desk chat", "cd . && desk chat; exit $?"} {
		t.Run(command, func(t *testing.T) {
			y := &typist{T: t, session: withTools(t, nil)}
			y.start(host.PTYExecStartRequest{Command: []string{command}, TTY: true})
			y.types("hello\n", "hello\r\nyou said hello\r\n> ")
			y.types("h\u00e9llo\n", "h\u00e9llo\r\nyou said h\u00e9llo\r\n> ")
			u := y.types("bye\n", "bye\r\n")
			if u.ExitCode == nil || *u.ExitCode != 0 {
				t.Errorf("exit code %v", u.ExitCode)
			}
			_, err := y.session.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: 1000, Chars: "x"})
			wantSandboxError(t, err, host.CodePTYSessionNotFound, map[string]any{"session_id": int64(1000)})
		})
	}
}

func TestAShellInATerminalReadsLines(t *testing.T) {
	for range 5 { // it has to be the same each time
		y := &typist{T: t, session: withTools(t, nil)}
		y.start(host.PTYExecStartRequest{Command: []string{"read x; echo got $x; read y; echo $y $x"}, TTY: true})
		y.types("one\n", "one\r\ngot one\r\n")
		y.types("two\n", "two\r\ntwo one\r\n")
	}
}

func TestASleeperIsSeenStepByStep(t *testing.T) {
	y := &typist{T: t, session: withTools(t, nil)}
	y.start(host.PTYExecStartRequest{Command: []string{"desk nap 3; sleep 8; echo done"}, YieldTime: 2500e6, TTY: true})
	y.types("", "3\r\n") // at least five seconds
	if u := y.types("", "done\r\n"); u.ExitCode == nil {
		t.Error("it hasn't ended")
	}
}

func TestASleeperInATerminalCanSleepForEver(t *testing.T) {
	y := &typist{T: t, session: withTools(t, nil)}
	y.start(host.PTYExecStartRequest{Command: []string{"sleep inf inf inf; echo woke"}, YieldTime: time.Second, TTY: true})
	y.types("", "")
	if r := execIn(t, y.session, "sleep inf inf inf; date +%Y"); string(r.Stdout) != "2262\n" {
		t.Errorf("%q", r.Stdout)
	}
	if u := y.types("", "woke\r\n"); u.ExitCode == nil {
		t.Error("it sleeps beyond the end of time")
	}
}

func TestAWaitForInputCanEndByItself(t *testing.T) {
	y := &typist{T: t, session: withTools(t, nil)}
	u, err := y.session.PTYExecStart(t.Context(), host.PTYExecStartRequest{Command: []string{"desk listen 20"}, YieldTime: 3500e6, TTY: true})
	if err != nil || string(u.Output) != "nothing\r\nnothing\r\nnothing\r\n" {
		t.Fatalf("%q, %v", u.Output, err)
	}
	y.id = u.ProcessID
	if u := y.types("hello\n", "hello\r\nheard hello\r\n"); u.ExitCode == nil || *u.ExitCode != 0 {
		t.Errorf("exit code %v", u.ExitCode)
	}
	if r := execIn(t, y.session, "echo hi | desk listen 3; desk listen 3"); string(r.Stdout) != "heard hi\n" || r.ExitCode != 3 {
		t.Errorf("%q, %d", r.Stdout, r.ExitCode)
	}
}

// S7.9.
func TestOutputOfATerminalIsCut(t *testing.T) {
	s := withTools(t, nil)
	u, err := s.PTYExecStart(t.Context(), host.PTYExecStartRequest{Command: []string{"seq 1000"}, MaxOutputTokens: 20})
	if err != nil || u.OriginalTokenCount == nil || len(u.Output) > 100 {
		t.Errorf("%q, %v, %v", u.Output, u.OriginalTokenCount, err)
	}
}

func TestStopEndsTheTerminals(t *testing.T) {
	s := withTools(t, nil)
	y := (&typist{T: t, session: s}).start(host.PTYExecStartRequest{Command: []string{"desk chat"}, TTY: true})
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := s.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: int64(*y.id), Chars: "x"})
	wantSandboxError(t, err, host.CodePTYSessionNotFound, nil)
}

// S6.76.
func TestWithoutATerminalNothingCanBeTyped(t *testing.T) {
	s := withTools(t, nil)
	y := (&typist{T: t, session: s}).start(host.PTYExecStartRequest{Command: []string{"desk nap 600"}})
	_, err := s.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: int64(*y.id), Chars: "x"})
	if err == nil || err.Error() != "stdin is not available for this process" {
		t.Errorf("got %v", err)
	}
}

func TestATerminalCantBeginWhileTheSessionCloses(t *testing.T) {
	for range 200 {
		s := withTools(t, nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, err := s.PTYExecStart(t.Context(), host.PTYExecStartRequest{Command: []string{"desk chat"}, TTY: true})
			if err != nil && !errors.Is(err, host.ErrClosed) {
				t.Error(err)
			}
		}()
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		<-done
	} // the package's tests fail if a goroutine is left
}

// A terminal that nobody reads from lets its program wait: what it prints in one call has a
// limit, and of that the middle is dropped, but not its life.
func TestAProgramThatPrintsForEverWaitsForTheNextCall(t *testing.T) {
	for _, command := range []string{"yes", "sh -c yes", "while yes; do :; done"} {
		t.Run(command, func(t *testing.T) {
			y := &typist{T: t, session: withTools(t, nil)}
			y.start(host.PTYExecStartRequest{Command: []string{command}, TTY: true, MaxOutputTokens: 20})
			for range 3 {
				if y.id == nil {
					t.Fatal("it has ended")
				}
				u, err := y.session.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: int64(*y.id), MaxOutputTokens: 20})
				if err != nil || u.ProcessID == nil || !strings.HasPrefix(string(u.Output), "Total output lines: ") {
					t.Fatalf("%v, %.100q, %v", u.ProcessID, u.Output, err)
				}
			}
			u, err := y.session.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: int64(*y.id), Chars: "\x03", MaxOutputTokens: 20})
			if err != nil || u.ExitCode == nil || *u.ExitCode != 130 {
				t.Errorf("after ^C: %v, %v", u.ExitCode, err)
			}
		})
	}
	y := &typist{T: t, session: withTools(t, nil)}
	y.start(host.PTYExecStartRequest{Command: []string{"yes"}, TTY: true}) // it waits when the session closes
}
