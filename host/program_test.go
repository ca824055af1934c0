package host_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestAProgramIsTheAnswerToExec(t *testing.T) {
	tool := loadProgram(t, "tool", host.WithEnv(map[string]string{"LANG": "C", "A": "x=y"}), host.WithStdin([]byte("in\x00\xff\n")))
	for _, test := range []struct {
		command        []string
		stdout, stderr string
		code           int
	}{
		{[]string{"tool", "args", "", "naïve ☃", "a b"}, "0=[tool]\n1=[args]\n2=[]\n3=[naïve ☃]\n4=[a b]\n", "", 0},
		{[]string{"tool", "args", "\xff"}, "0=[tool]\n1=[args]\n2=[\xff]\n", "", 0},
		{[]string{"/bin/x", "args"}, "0=[/bin/x]\n1=[args]\n", "", 0},
		{[]string{"tool args"}, "", "usage: tool args VERB\n", 2},
		{nil, "no arguments at all\n", "", 0},
		{[]string{"tool", "env"}, "A=x=y\nLANG=C\n", "", 0},
		{[]string{"tool", "cat"}, "in\x00\xff\n", "", 0},
		{[]string{"tool", "both"}, "to stdout\n", "to stderr\n", 0},
		{[]string{"tool", "exit", "0"}, "", "leaving\n", 0},
		{[]string{"tool", "exit", "7"}, "", "leaving\n", 7},
		{[]string{"tool", "exit", "256"}, "", "leaving\n", 0},
		{[]string{"tool", "exit", "-1"}, "", "leaving\n", 255},
	} {
		got, err := runProgram(t, tool, test.command...)
		if err != nil || string(got.Stdout) != test.stdout || string(got.Stderr) != test.stderr || got.ExitCode != test.code {
			t.Errorf("%q: stdout %q, stderr %q, code %d, error %v", test.command, got.Stdout, got.Stderr, got.ExitCode, err)
		}
	}
}

func TestTheShellOfACallMeansNothingToAProgram(t *testing.T) {
	s := newSession(t, runs(loadProgram(t, "tool"), 1))
	got, err := s.Exec(t.Context(), host.ExecRequest{
		Command: []string{"tool", "args", "$HOME"}, Shell: host.ShellCommand("bash", "-c"), User: "root",
	})
	if want := "0=[tool]\n1=[args]\n2=[$HOME]\n"; err != nil || string(got.Stdout) != want {
		t.Errorf("stdout %q, error %v; want %q", got.Stdout, err, want)
	}
}

func TestWhatAProgramPrintsIsItsResultAndNoLog(t *testing.T) {
	s := newSession(t, runs(loadProgram(t, "tool"), 1))
	_ = execute(t, s, "tool", "both")
	if logs := s.History()[0].Logs; len(logs) != 0 {
		t.Errorf("the record has %+v", logs)
	}
}

func TestAProgramThatFailsSaysHowAndLeavesTheSessionUsable(t *testing.T) {
	r, counter := newCountingRuntime(t)
	tool, err := r.LoadProgram(t.Context(), "tool", readProgram(t, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		command []string
		kind    host.GuestErrorKind
		text    string
		stderr  string
	}{
		{[]string{"tool", "trap"}, host.GuestTrap, "guest tool: call #1: trapped: about to trap", "about to trap\n"},
		{[]string{"tool", "recurse"}, host.GuestTrap, "guest tool: call #1: trapped: ", ""},
		{[]string{"tool", "out", "70000"}, host.GuestLimit, "went over a limit: it printed more than the limit", ""},
		{[]string{"tool", "err", "70000"}, host.GuestLimit, "it printed more than the limit", strings.Repeat("x", 64<<10)},
		{[]string{"tool", "args\x00"}, host.GuestRefused, "refused the call: the command has a NUL byte", ""},
	} {
		s := newSession(t, runs(tool, 2), host.WithLimits(host.Limits{ReplyBytes: 65536}))
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: test.command})
		e := wantGuestError(t, err, test.kind)
		if !strings.Contains(e.Error(), test.text) || e.Stderr != test.stderr || e.Export != "_start" {
			t.Errorf("%q: %v; stderr %q, export %s", test.command, e, e.Stderr, e.Export)
		}
		if got := execute(t, s, "tool", "both"); string(got.Stdout) != "to stdout\n" {
			t.Errorf("%q: the next call prints %q", test.command, got.Stdout)
		}
	}
	if counter.opened.Load() < 9 || counter.open.Load() != 0 {
		t.Errorf("%d instances were opened, %d still are", counter.opened.Load(), counter.open.Load())
	}
}

func TestATrapKeepsWhatWasPrinted(t *testing.T) {
	s := newSession(t, runs(loadProgram(t, "tool"), 1))
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"tool", "trap"}})
	_ = wantGuestError(t, err, host.GuestTrap)
	logs := s.History()[0].Logs
	if len(logs) != 2 || logs[0].Source != host.SourceStderr || logs[0].Text != "about to trap\n" ||
		logs[1].Source != host.SourceStdout || logs[1].Text != "half of it\n" || logs[1].Module != "tool" {
		t.Errorf("the record has %+v", logs)
	}
}

func TestALoopingProgramEndsWithItsContext(t *testing.T) {
	r, _ := newCountingRuntime(t)
	tool, err := r.LoadProgram(t.Context(), "tool", readProgram(t, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, runs(tool, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Exec(ctx, host.ExecRequest{Command: []string{"tool", "loop"}})
	_ = wantGuestError(t, err, host.GuestInterrupted)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestAProgramThatPrintsWithoutEndIsEnded(t *testing.T) {
	r, _ := newCountingRuntime(t)
	wasm := readProgram(t, "floods")
	program, err := r.LoadProgram(t.Context(), "floods", wasm)
	if err != nil {
		t.Fatal(err)
	}
	command, err := r.LoadCommand(t.Context(), "floods", wasm)
	if err != nil {
		t.Fatal(err)
	}
	for _, responder := range []host.Responder{program.Responder(), command.Responder("")} {
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(responder)}}, host.WithLimits(host.Limits{LogBytes: 100}))
		_, err = s.Exec(t.Context(), host.ExecRequest{})
		_ = wantGuestError(t, err, host.GuestLimit)
		if logs := s.History()[0].Logs; len(logs) != 1 || len(logs[0].Text) != 100 || logs[0].Dropped < 16<<20 {
			t.Errorf("the record has %d entries", len(logs))
		}
	}
}

func TestCloseWaitsForAProgramAsLongAsItsContextLasts(t *testing.T) {
	r, counter := newCountingRuntime(t)
	tool, err := r.LoadProgram(t.Context(), "tool", readProgram(t, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := host.NewScripted(runs(tool, 1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := s.Exec(ctx, host.ExecRequest{Command: []string{"tool", "loop"}})
		done <- err
	}()
	for counter.open.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	short, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := s.Close(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close: %v", err)
	}
	cancel()
	_ = wantGuestError(t, <-done, host.GuestInterrupted)
	if counter.open.Load() != 0 {
		t.Error("the instance is still open")
	}
}

func TestProgramsSeeTheSessionsTimeAndSeed(t *testing.T) {
	tool := loadProgram(t, "tool")
	world := func(seed uint64) (lines []string) {
		s := newSession(t, runs(tool, 2), host.WithSeed(seed), host.WithStartTime(time.Unix(1000, 0)))
		for range 2 {
			lines = append(lines, string(execute(t, s, "tool", "world").Stdout))
		}
		return lines
	}
	first, again, other := world(1), world(1), world(2)
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("the same seed gives %q and %q", first, again)
	}
	if first[0] == first[1] || first[0] == other[0] {
		t.Errorf("calls and seeds don't differ: %q, %q", first, other)
	}
	if !strings.HasPrefix(first[0], "1000 ") || !strings.HasPrefix(first[1], "1001 ") {
		t.Errorf("the times are those of %q", first)
	}
}

func TestHostileProgramsEndInErrorsOrExits(t *testing.T) {
	r, _ := newCountingRuntime(t)
	for name, want := range map[string]struct {
		code int
		kind host.GuestErrorKind
	}{
		"bad_pointers": {code: 4}, "exits_early": {code: 513 & 0xff}, "grows": {kind: host.GuestOutOfMemory},
	} {
		p, err := r.LoadProgram(t.Context(), name, readProgram(t, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := runProgram(t, p, name, "an argument")
		if want.kind != "" {
			_ = wantGuestError(t, err, want.kind)
		} else if err != nil || got.ExitCode != want.code {
			t.Errorf("%s: code %d, error %v; want %d", name, got.ExitCode, err, want.code)
		}
	}
}

func TestProgramsRunConcurrently(t *testing.T) {
	const n = 40
	r, counter := newCountingRuntime(t)
	tool, err := r.LoadProgram(t.Context(), "tool", readProgram(t, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, runs(tool, n))
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			word := fmt.Sprint("word", i)
			got, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"tool", "args", word}})
			if want := "0=[tool]\n1=[args]\n2=[" + word + "]\n"; err != nil || string(got.Stdout) != want {
				t.Errorf("stdout %q, error %v; want %q", got.Stdout, err, want)
			}
		})
	}
	group.Wait()
	wantComplete(t, s)
	if opened := counter.opened.Load(); opened != n {
		t.Errorf("%d instances for %d calls", opened, n)
	}
}

func TestAProgramAnswersExecOnly(t *testing.T) {
	responder := loadProgram(t, "tool").Responder()
	for _, method := range []host.Method{host.MethodRead, host.MethodPTYExecStart} {
		_, err := host.NewScripted([]host.Step{{Method: method, Outcome: host.Respond(responder)}})
		if invalid, ok := errors.AsType[*host.InvalidStepError](err); !ok || !errors.Is(err, host.ModuleHandlerMismatch) {
			t.Errorf("%s: %v (%v)", method, err, invalid)
		}
	}
	call, err := host.NewCall(0, &host.ExecRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := responder.Respond(t.Context(), call); err == nil {
		t.Error("it answers outside of a session")
	}
}

func TestAProgramThatIsPassedAnotherCallSaysSo(t *testing.T) {
	responder := loadProgram(t, "tool").Responder()
	s := newSession(t, []host.Step{{Method: host.MethodRead, Outcome: host.Respond(host.ResponderFunc(responder.Respond))}})
	_, err := s.Do(t.Context(), &host.ReadRequest{Path: "a"})
	if e := wantGuestError(t, err, host.GuestRefused); e.Message != "a program answers exec, not read" {
		t.Errorf("message %q", e.Message)
	}
}

func TestAProgramOfAClosedRuntimeSaysSo(t *testing.T) {
	r, err := host.NewRuntime(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tool, err := r.LoadProgram(t.Context(), "tool", readProgram(t, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := runProgram(t, tool, "tool"); !errors.Is(err, host.ErrRuntimeClosed) {
		t.Errorf("error %v", err)
	}
	if _, err := r.LoadProgram(t.Context(), "tool", readProgram(t, "tool")); !errors.Is(err, host.ErrRuntimeClosed) {
		t.Errorf("error %v", err)
	}
}
