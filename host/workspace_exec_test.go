package host_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// withTools is a session whose workspace has the programs desk and tool as commands.
func withTools(t *testing.T, files map[string]string, opts ...host.Option) *host.Scripted {
	t.Helper()
	return withWorkspace(t, nil, host.Workspace{Seed: seeded(files), Tools: map[string]shell.Tool{
		"desk": loadProgram(t, "desk").Tool(), "tool": loadProgram(t, "tool").Tool(),
	}}, opts...)
}

func execIn(t *testing.T, s *host.Scripted, script string) host.ExecResult {
	t.Helper()
	result, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{script}})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return result
}

func TestCommandsWorkOnTheWorkspace(t *testing.T) {
	files := map[string]string{"src/a.c": "foo\nbar\n", "src/b.c": "foo foo\n", "notes.txt": "hello\n", "out": "-> /etc/passwd"}
	for _, test := range []struct {
		script, stdout, stderr string
		code                   int
		made                   map[string]string
	}{
		{"desk show notes.txt", "hello\n", "", 0, nil},
		{"desk show /workspace/notes.txt", "hello\n", "", 0, nil},
		{"cd src && desk show ../notes.txt", "hello\n", "", 0, nil},
		{"desk list src", ".\n..\na.c\nb.c\n", "", 0, nil},
		{"desk append notes.txt more", "", "", 0, map[string]string{"notes.txt": "hello\nmore"}},
		{"desk append new.txt x; desk show new.txt", "x", "", 0, map[string]string{"new.txt": "x"}},
		{"desk show nope", "", "nope: No such file or directory\n", 1, nil},
		{"desk show out", "", "out: Capabilities insufficient\n", 1, nil},
		{"desk show ../../etc/passwd", "", "../../etc/passwd: Capabilities insufficient\n", 1, nil},
		{"desk what 2>&1", "desk: what?\n", "", 2, nil},
		{"cd src && grep -n foo *.c | wc -l > out.txt", "", "", 0, map[string]string{"src/out.txt": "2\n"}},
		{"desk show notes.txt | tr a-z A-Z", "HELLO\n", "", 0, nil},
		{"desk show nope || echo failed $?", "failed 1\n", "nope: No such file or directory\n", 0, nil},
		{"X=1 desk env X; desk env X", "1\n(none)\n", "", 0, nil},
		{"desk terminal", "no\n", "", 0, nil},
		{"nope", "", "sh: 1: nope: not found\n", 127, nil},
		{"exit 7", "", "", 7, nil},
	} {
		t.Run(test.script, func(t *testing.T) {
			s := withTools(t, files)
			r := execIn(t, s, test.script)
			if string(r.Stdout) != test.stdout || string(r.Stderr) != test.stderr || r.ExitCode != test.code {
				t.Errorf("%q, %q, %d", r.Stdout, r.Stderr, r.ExitCode)
			}
			want := maps.Clone(files)
			want["src/"] = ""
			maps.Copy(want, test.made)
			if got := tree(s.Workspace()); !maps.Equal(got, want) {
				t.Errorf("the workspace has %q", got)
			}
		})
	}
}

func TestACommandWithoutAShellIsRunAsItIs(t *testing.T) {
	s := withTools(t, map[string]string{"a b": "content\n"})
	r, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"desk", "show", "a b"}, Shell: host.NoShell()})
	if err != nil || string(r.Stdout) != "content\n" {
		t.Errorf("%q, %v", r.Stdout, err)
	}
	_, err = s.Exec(t.Context(), host.ExecRequest{Shell: host.NoShell()})
	wantSandboxError(t, err, host.CodeExecTransport, map[string]any{"command": []string{}})
}

func TestCommandsStartInTheRoot(t *testing.T) {
	s := withTools(t, map[string]string{"src/": ""}, host.WithManifest(host.Manifest{
		Root: "/project", Environment: map[string]string{"GREETING": "hi", "HOME": "/tmp"},
	}))
	if r := execIn(t, s, "pwd; cd src && pwd; echo $GREETING $HOME; env | grep -c ^PATH="); string(r.Stdout) != "/project\n/project/src\nhi /tmp\n1\n" {
		t.Errorf("%q", r.Stdout)
	}
	if r := execIn(t, s, "pwd; echo $OLDPWD"); string(r.Stdout) != "/project\n\n" {
		t.Errorf("the next command: %q", r.Stdout)
	}
}

func TestTheEnvironmentOfTheHostStaysOutside(t *testing.T) {
	t.Setenv("CANARY", "yellow")
	s := withTools(t, nil)
	if r := execIn(t, s, "echo $CANARY; desk env CANARY; env"); strings.Contains(string(r.Stdout), "yellow") {
		t.Errorf("%q", r.Stdout)
	}
}

// S6.6: on the session's clock, and on the real one.
func TestExecEndsAtItsTimeout(t *testing.T) {
	for name, script := range map[string]string{
		"a tool that sleeps":    "desk nap 60",
		"a utility that sleeps": "sleep 60",
		"a tool that loops":     "tool loop",
		"a shell that loops":    "while :; do :; done",
	} {
		t.Run(name, func(t *testing.T) {
			s := withTools(t, nil)
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{script}, Timeout: 300 * time.Millisecond})
			wantSandboxError(t, err, host.CodeExecTimeout, map[string]any{"timeout_s": 0.3, "command": []string{"sh", "-lc", script}})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			if r := execIn(t, s, "echo fine"); string(r.Stdout) != "fine\n" {
				t.Errorf("the next command: %q", r.Stdout)
			}
		})
	}
}

func TestSleepingMovesTheClock(t *testing.T) {
	s := withTools(t, nil)
	r, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"date +%T; desk nap 3600 | tail -n 1; sleep 60; date +%T"}, Timeout: 2 * time.Hour})
	if err != nil || string(r.Stdout) != "00:00:00\n3600\n01:01:00\n" {
		t.Errorf("%q, %v", r.Stdout, err)
	}
}

func TestSleepingForEverTakesTheTimeoutToItsEnd(t *testing.T) {
	for _, script := range []string{"sleep inf inf inf; sleep 1000; echo late", "timeout 5 sleep inf inf inf; sleep 1000; echo late", "sleep inf; echo late"} {
		s := withTools(t, nil)
		before := s.Workspace().Now()
		r, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{script}, Timeout: time.Hour})
		if wantSandboxError(t, err, host.CodeExecTimeout, nil); s.Workspace().Now() < before+int64(time.Hour) {
			t.Errorf("%s: %q, and it is %d", script, r.Stdout, s.Workspace().Now())
		}
	}
}

func TestATimeoutCountsWhatTheCommandItselfSleeps(t *testing.T) {
	s := withTools(t, nil)
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"for i in 1 2 3 4 5; do sleep 60; done"}})
			done <- err
		}()
		go func() {
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"for i in 1 2 3 4 5; do sleep 1; done"}, Timeout: time.Minute})
			done <- err
		}()
	}
	for range 16 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestTheCallersContextEndsACommand(t *testing.T) {
	s := withTools(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := s.Exec(ctx, host.ExecRequest{Command: []string{"tool loop"}, Timeout: time.Hour})
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, host.CodeExecTimeout) {
		t.Errorf("got %v", err)
	}
}

func TestAToolThatTrapsFailsTheCall(t *testing.T) {
	s := withTools(t, nil)
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"tool trap || echo not reached"}})
	e := wantGuestError(t, err, host.GuestTrap)
	if e.Module != "tool" || e.Call != 0 {
		t.Errorf("it is at %s, call %d", e.Module, e.Call)
	}
}

func TestTooMuchOutputFailsTheCall(t *testing.T) {
	s := withWorkspace(t, nil, host.Workspace{Tools: map[string]shell.Tool{"floods": loadProgram(t, "floods").Tool()}},
		host.WithLimits(host.Limits{ReplyBytes: 1000}))
	for _, script := range []string{"floods", "yes", "while :; do echo x; done"} {
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{script}})
		wantSandboxError(t, err, host.CodeExecTransport, map[string]any{"command": []string{"sh", "-lc", script}})
		if limit := errorAs[*shell.LimitError](t, err); limit.Max != 1000 {
			t.Errorf("%s: %v", script, limit)
		}
	}
}

// A builtin can't say that its output is lost, so that the call does.
func TestARedirectionIntoAFullWorkspaceFailsTheCall(t *testing.T) {
	for _, script := range []string{
		"printf 12345678901234567890 > b", "echo {1,2,3,4,5,6,7}{a,b,c} > b", "seq 100 > b", "cat a a a a > b", "echo 1234567890 | cat > b",
		"desk show a > b; desk show a >> b", "cat > b <<X\n123456789012\nX",
	} {
		s := withWorkspace(t, nil, host.Workspace{
			Seed: seeded(map[string]string{"a": "1\n2\n3\n"}), Limits: workspace.Limits{Bytes: 15},
			Tools: map[string]shell.Tool{"desk": loadProgram(t, "desk").Tool()},
		})
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{strings.ReplaceAll(script, "\\n", "\n")}})
		wantSandboxError(t, err, host.CodeWorkspaceArchiveWrite, nil)
		if limit := errorAs[*workspace.LimitError](t, err); limit.Max != 15 {
			t.Errorf("%s: %v", script, limit)
		}
	}
}

// What may have no file more is what may have no byte more.
func TestARedirectionIntoAWorkspaceOfTooManyFilesFailsTheCall(t *testing.T) {
	for _, script := range []string{"echo x > b || echo no", "echo x | cat >> b", "exec > b", "sh -c '> b'"} {
		s := withWorkspace(t, nil, host.Workspace{Seed: seeded(map[string]string{"a": ""}), Limits: workspace.Limits{Files: 1}})
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{script}})
		wantSandboxError(t, err, host.CodeWorkspaceArchiveWrite, nil)
		if limit := errorAs[*workspace.LimitError](t, err); limit.Limit != "files" {
			t.Errorf("%s: %v", script, limit)
		}
	}
}

func TestUtilitiesCanBeLeftOut(t *testing.T) {
	s := withWorkspace(t, nil, host.Workspace{WithoutUtilities: true, Tools: map[string]shell.Tool{"desk": loadProgram(t, "desk").Tool()}})
	if r := execIn(t, s, "echo builtin; desk terminal; cat x"); r.ExitCode != 127 || string(r.Stdout) != "builtin\nno\n" {
		t.Errorf("%q, %q, %d", r.Stdout, r.Stderr, r.ExitCode)
	}
}

func TestAToolWinsOverAUtility(t *testing.T) {
	s := withWorkspace(t, nil, host.Workspace{Tools: map[string]shell.Tool{
		"cat": func(_ context.Context, p shell.Process) (int, error) {
			_, err := p.Stdout.Write([]byte("meow\n"))
			return 0, err
		},
	}})
	if r := execIn(t, s, "cat notes.txt"); string(r.Stdout) != "meow\n" {
		t.Errorf("%q", r.Stdout)
	}
}

func TestAToolThatPanicsFailsTheCall(t *testing.T) {
	s := withWorkspace(t, nil, host.Workspace{Tools: map[string]shell.Tool{
		"bad": func(context.Context, shell.Process) (int, error) { panic("boom") },
	}})
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"bad"}}); err == nil {
		t.Error("no error")
	}
	if r := execIn(t, s, "echo fine"); string(r.Stdout) != "fine\n" {
		t.Errorf("the next command: %q", r.Stdout)
	}
}

// A responder that is a program sees the same files as the tools.
func TestAProgramThatAnswersAStepSeesTheWorkspace(t *testing.T) {
	s := withWorkspace(t, runs(loadProgram(t, "desk"), 2), host.Workspace{Seed: seeded(notes)})
	if r, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"desk", "append", "notes.txt", "!"}}); err != nil || r.ExitCode != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"desk", "show", "notes.txt"}}); err != nil || string(r.Stdout) != "of the workspace!" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestParallelCommandsLoseNoWrite(t *testing.T) {
	s := withTools(t, nil)
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"for i in 1 2 3 4 5; do desk append log x; done"}})
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if data, err := s.Workspace().ReadFile("log"); err != nil || len(data) != 40 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
