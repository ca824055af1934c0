package host_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

var (
	readNotes = host.ReadRequest{Path: "notes.txt"}
	notes     = map[string]string{"notes.txt": "of the workspace"}
)

func TestStepsAnswerBeforeTheWorkspace(t *testing.T) {
	s := withWorkspace(t, []host.Step{
		{Method: host.MethodRead, Outcome: host.Return("of the step")},
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{ExitCode: 7})},
	}, host.Workspace{Seed: seeded(notes)})
	if got := readFile(t, s, "notes.txt"); got != "of the step" {
		t.Errorf("the first call read %q", got)
	}
	// The head is for exec now, so that the workspace answers, and the step stays.
	if got := readFile(t, s, "notes.txt"); got != "of the workspace" {
		t.Errorf("the second call read %q", got)
	}
	if result, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}}); err != nil || result.ExitCode != 7 {
		t.Errorf("exec: %+v, %v", result, err)
	}
	if err := s.AssertComplete(); err != nil {
		t.Error(err)
	}
	var outcomes []host.OutcomeKind
	for _, r := range s.History() {
		outcomes = append(outcomes, r.Outcome)
	}
	if want := []host.OutcomeKind{host.OutcomeResult, host.OutcomeWorkspace, host.OutcomeResult}; !slices.Equal(outcomes, want) {
		t.Errorf("outcomes %v, want %v", outcomes, want)
	}
}

func TestARejectingMatcherDoesntLeaveTheCallToTheWorkspace(t *testing.T) {
	s := withWorkspace(t, []host.Step{{
		Method: host.MethodRead, Match: host.MatcherFunc(func(context.Context, host.Call) (host.Verdict, error) { return host.Reject("no"), nil }), Outcome: host.Return("x"),
	}}, host.Workspace{Seed: seeded(notes)})
	_, err := s.Read(t.Context(), readNotes)
	_ = errorAs[*host.MatcherRejectedError](t, err)
	if s.RemainingSteps() != 1 {
		t.Error("the step is gone")
	}
}

func TestWhoAnswersCanBeSaidForEachMethod(t *testing.T) {
	step := host.Step{Method: host.MethodRead, Outcome: host.Return("of the step")}
	t.Run("the steps only", func(t *testing.T) {
		s := withWorkspace(t, []host.Step{step}, host.Workspace{
			Seed: seeded(notes), Answers: map[host.Method]host.Precedence{host.MethodRead: host.StepsOnly},
		})
		if got := readFile(t, s, "notes.txt"); got != "of the step" {
			t.Errorf("read %q", got)
		}
		_, err := s.Read(t.Context(), readNotes)
		_ = errorAs[*host.UnexpectedCallError](t, err)
	})
	t.Run("the workspace only", func(t *testing.T) {
		s := withWorkspace(t, []host.Step{{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})}}, host.Workspace{
			Seed: seeded(notes), Answers: map[host.Method]host.Precedence{host.MethodRead: host.WorkspaceOnly},
		})
		if got := readFile(t, s, "notes.txt"); got != "of the workspace" {
			t.Errorf("read %q", got)
		}
	})
	t.Run("a step that would never be reached is refused", func(t *testing.T) {
		_, err := host.NewScripted([]host.Step{step}, host.WithWorkspace(host.Workspace{
			Answers: map[host.Method]host.Precedence{host.MethodRead: host.WorkspaceOnly},
		}))
		if e := errorAs[*host.InvalidStepError](t, err); e.Index != 0 || e.Reason != host.ReasonUnreachable {
			t.Errorf("got %v", err)
		}
	})
}

func TestSupportsTellsWhatTheWorkspaceAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		answers map[host.Method]host.Precedence
		want    string
	}{
		"everything": {nil, "apply_patch exec ls mkdir pty_exec_start pty_write_stdin read rm write"},
		"what isn't left to the steps": {
			map[host.Method]host.Precedence{
				host.MethodExec: host.StepsOnly, host.MethodPTYExecStart: host.StepsOnly, host.MethodPTYWriteStdin: host.StepsOnly,
			},
			"apply_patch ls mkdir read rm write",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := withWorkspace(t, nil, host.Workspace{Answers: test.answers})
			var names []string
			for _, m := range s.Methods() {
				names = append(names, m.String())
				if !s.Supports(m) {
					t.Errorf("%s is listed and not supported", m)
				}
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestASessionWithoutAWorkspaceIsAsEver(t *testing.T) {
	s, err := host.NewScripted(nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Workspace() != nil || len(s.Methods()) != 0 {
		t.Error("it has a workspace")
	}
	if _, err := s.Read(t.Context(), readNotes); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("read: %v", err)
	}
	for name, err := range map[string]error{
		"extract": s.Extract(t.Context(), host.ExtractRequest{Path: "a.tar"}),
		"persist": s.PersistWorkspace(t.Context(), nil),
		"hydrate": s.HydrateWorkspace(t.Context(), strings.NewReader("")),
	} {
		if !errors.Is(err, host.ErrNoWorkspace) || !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAResponderAndATestSeeTheSameFiles(t *testing.T) {
	var s *host.Scripted
	s = withWorkspace(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(host.ResponderFunc(
		func(ctx context.Context, _ host.Call) (any, error) {
			return host.ExecResult{}, s.Write(ctx, host.WriteRequest{Path: "made.txt", Data: strings.NewReader("by a responder")})
		}))}}, host.Workspace{})
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"make"}}); err != nil {
		t.Fatal(err)
	}
	data, err := s.Workspace().ReadFile("made.txt")
	if err != nil || string(data) != "by a responder" {
		t.Errorf("%q, %v", data, err)
	}
	if calls := s.Calls(); len(calls) != 2 || calls[1].Method() != host.MethodWrite {
		t.Errorf("calls %v", calls)
	}
}

func TestASeedThatFailsIsTheErrorOfTheSession(t *testing.T) {
	_, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{Seed: seeded(map[string]string{"../x": "y"})}))
	if err == nil {
		t.Error("no error")
	}
}
