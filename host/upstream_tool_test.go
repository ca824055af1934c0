package host_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// An agent is the smallest loop of a model and a shell tool over a session, as
// runtimes have it (S6.72, S6.73).
type agent struct {
	session host.Session
	model   *scriptedModel
}

// A toolCall is what the model wants run; a final text ends the loop.
type toolCall struct {
	command string
	login   bool
	shell   string // "": the default
	yield   time.Duration
	final   string
}

// A scriptedModel gives its turns in their order, and keeps what it was told.
type scriptedModel struct {
	turns []toolCall
	told  []string
}

func (m *scriptedModel) next(output string) (toolCall, error) {
	m.told = append(m.told, output)
	if len(m.told) > len(m.turns) {
		return toolCall{}, fmt.Errorf("the model has only %d turns", len(m.turns))
	}
	return m.turns[len(m.told)-1], nil
}

func (a *agent) run(ctx context.Context, task string) (string, error) {
	for output := task; ; {
		turn, err := a.model.next(output)
		if err != nil || turn.final != "" {
			return turn.final, err
		}
		if output, err = a.execCommand(ctx, turn); err != nil {
			return "", err
		}
	}
}

// execCommand is the tool: with a terminal if the session has them, else by exec
// with the time to yield as its timeout.
func (a *agent) execCommand(ctx context.Context, call toolCall) (string, error) {
	const defaultYield = 10 * time.Second
	if call.yield == 0 {
		call.yield = defaultYield
	}
	if a.session.SupportsPTY() {
		update, err := a.session.PTYExecStart(ctx, host.PTYExecStartRequest{
			Command: []string{call.command}, Shell: call.wrapper(), YieldTime: call.yield,
		})
		return string(update.Output), err
	}
	result, err := a.session.Exec(ctx, host.ExecRequest{
		Command: []string{call.command}, Shell: call.wrapper(), Timeout: call.yield,
	})
	return string(result.Stdout), err
}

func (c toolCall) wrapper() host.Shell {
	flag := "-c"
	if c.login {
		flag = "-lc"
	}
	switch {
	case c.shell != "":
		return host.ShellCommand(c.shell, flag)
	case c.login:
		return host.Shell{}
	default:
		return host.ShellCommand("sh", flag)
	}
}

func TestUpstreamT23BlackBoxWorkflow(t *testing.T) {
	s := newSession(t, []host.Step{{
		Method:  host.MethodExec,
		Match:   host.MatchFunc(func(c host.Call) bool { return reflect.DeepEqual(c.Args(), []any{"pwd"}) }),
		Outcome: stdout("/workspace\n"),
	}})
	model := &scriptedModel{turns: []toolCall{{command: "pwd", login: true}, {final: "You are in /workspace."}}}
	a := &agent{session: s, model: model}

	answer, err := a.run(t.Context(), "Where am I?")
	if err != nil || answer != "You are in /workspace." {
		t.Errorf("answer %q, %v", answer, err)
	}
	if want := []string{"Where am I?", "/workspace\n"}; !reflect.DeepEqual(model.told, want) {
		t.Errorf("the model was told %q", model.told)
	}
	wantCalls(t, s, host.MethodExec)
	want := plainMap{"timeout": 10.0, "shell": true, "user": nil} // S6.72, S6.73
	if got := s.Calls()[0].Kwargs(); !reflect.DeepEqual(got, want) {
		t.Errorf("kwargs %v, want %v", got, want)
	}
	wantComplete(t, s)
}

// S6.72: a PTY step takes the tool's calls away from exec.
func TestAPTYStepRedirectsTheTool(t *testing.T) {
	s := newSession(t, answering(host.MethodPTYExecStart))
	a := &agent{session: s}
	if out, err := a.execCommand(t.Context(), toolCall{command: "top", shell: "bash"}); out != "started" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	want := plainMap{"timeout": nil, "shell": []any{"bash", "-c"}, "user": nil, "tty": false, "yield_time_s": 10.0, "max_output_tokens": nil}
	if got := s.Calls()[0].Kwargs(); !reflect.DeepEqual(got, want) {
		t.Errorf("kwargs %v, want %v", got, want)
	}
}
