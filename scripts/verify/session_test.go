package verify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// try runs calls of exec against responders, twice, and gives how the runs differ.
func try(t *testing.T, respond host.ResponderFunc, opts ...host.Option) []verify.Difference {
	t.Helper()
	one := runOnce(t, respond, opts...)
	return verify.Compare(one, runOnce(t, respond, opts...))
}

func runOnce(t *testing.T, respond host.ResponderFunc, opts ...host.Option) *verify.Transcript {
	t.Helper()
	steps := []host.Step{
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("fixed")})},
		{Method: host.MethodExec, Outcome: host.Respond(respond)},
	}
	session, err := host.NewScripted(steps, opts...)
	if err != nil {
		t.Fatal(err)
	}
	calls := []scripts.Call{
		{Method: host.MethodExec, Args: []any{"one"}}, {Method: host.MethodExec, Args: []any{"two"}},
	}
	transcript, err := verify.Session(t.Context(), session, slices.Values(calls))
	if err != nil {
		t.Fatal(err)
	}
	return transcript
}

func printing(text func() string) host.ResponderFunc {
	return func(context.Context, host.Call) (any, error) { return host.ExecResult{Stdout: []byte(text())}, nil }
}

// differsIn makes sure that the first difference is in a field of the second call.
func differsIn(t *testing.T, list []verify.Difference, field string) {
	t.Helper()
	if len(list) == 0 || list[0].Call != 1 || list[0].Field != field || list[0].Kind != verify.Changed || list[0].Want == list[0].Got {
		t.Errorf("the differences are %+v, want one of call 1 in %s", list, field)
	}
}

func TestAResponderThatAlwaysSaysTheSameIsFound(t *testing.T) {
	if list := try(t, printing(func() string { return "fixed" })); list != nil {
		t.Errorf("the differences are %+v", list)
	}
}

func TestAResponderThatLooksAtTheRealTimeIsCaught(t *testing.T) {
	differsIn(t, try(t, printing(func() string { return strconv.FormatInt(time.Now().UnixNano(), 10) })), "result.stdout")
}

func TestAResponderThatCountsBeyondItsSessionIsCaught(t *testing.T) {
	var counter atomic.Int64
	differsIn(t, try(t, printing(func() string { return strconv.FormatInt(counter.Add(1), 10) })), "result.stdout")
}

func TestAnErrorThatVariesIsCaught(t *testing.T) {
	var counter atomic.Int64
	differsIn(t, try(t, func(context.Context, host.Call) (any, error) {
		return nil, host.NewSandboxError(host.CodeExecNonZero, map[string]any{"exit_code": int(counter.Add(1))}, nil)
	}), "error.context.exit_code")
	differsIn(t, try(t, func(context.Context, host.Call) (any, error) {
		return nil, fmt.Errorf("error %d", counter.Add(1))
	}), "error.message")
}

func TestAToolThatVariesIsCaughtInTheWorkspace(t *testing.T) {
	var counter atomic.Int64
	var session *host.Scripted
	write := func(content func() string) func(context.Context, host.Call) (any, error) {
		return func(context.Context, host.Call) (any, error) {
			return host.ExecResult{}, session.Workspace().WriteFile("made.txt", []byte(content()), 0o644)
		}
	}
	run := func(respond host.ResponderFunc, seed func(*workspace.Tree) error) *verify.Transcript {
		var err error
		session, err = host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(respond)}},
			host.WithWorkspace(host.Workspace{Seed: seed}))
		if err != nil {
			t.Fatal(err)
		}
		transcript, err := verify.Session(t.Context(), session, slices.Values([]scripts.Call{{Method: host.MethodExec, Args: []any{"go"}}}))
		if err != nil {
			t.Fatal(err)
		}
		return transcript
	}
	count := func() string { return strconv.FormatInt(counter.Add(1), 10) }
	long := func() string { return strings.Repeat(count(), 10_000) }
	for name, content := range map[string]func() string{"short": count, "long": long} {
		list := verify.Compare(run(write(content), nil), run(write(content), nil))
		if len(list) != 1 || list[0].Call != verify.AtEnd || list[0].Field != `files["made.txt"].content` {
			t.Errorf("%s: the differences are %+v", name, list)
		}
	}
	fixed := func() string { return "fixed" }
	seed := func(t *workspace.Tree) error { return t.WriteFile("seed.txt", []byte(count()), 0o644) }
	if list := verify.Compare(run(write(fixed), nil), run(write(fixed), nil)); list != nil {
		t.Errorf("the differences are %+v", list)
	}
	if list := verify.Compare(run(write(fixed), seed), run(write(fixed), seed)); len(list) == 0 || list[0].Call != verify.AtStart {
		t.Errorf("the differences are %+v", list)
	}
	mode := func(context.Context, host.Call) (any, error) {
		if err := session.Workspace().WriteFile("made.txt", nil, 0o644); err != nil {
			return nil, err
		}
		return host.ExecResult{}, session.Workspace().Chmod("made.txt", 0o600|os.FileMode(counter.Add(1)&1)<<3)
	}
	if list := verify.Compare(run(mode, nil), run(mode, nil)); len(list) != 1 || list[0].Field != `files["made.txt"].mode` {
		t.Errorf("the differences are %+v", list)
	}
}

func TestValuesThatLookAlikeAreToldApart(t *testing.T) {
	seen := map[[32]byte]any{}
	for _, value := range []any{
		nil, "", "null", false, "false", int64(1), 1.0, "1", 0.1, math.Nextafter(0.1, 1), math.Inf(1), math.NaN(), []any{}, map[string]any{}, []any{nil}, "[]",
		[]any{"a", "b"}, []any{"a\", \"b"}, map[string]any{"a": "b"}, map[string]any{"a.b": "c"}, map[string]any{"a": map[string]any{"b": "c"}},
		"\x00", "\xff", "\uFFFD", `\xff`, "[\"a\"]",
	} {
		sum := runOnce(t, func(context.Context, host.Call) (any, error) {
			return nil, host.NewSandboxError(host.CodeExecTimeout, map[string]any{"value": value}, nil)
		}).Digest()
		if other, ok := seen[sum]; ok {
			t.Errorf("%#v looks like %#v", value, other)
		}
		seen[sum] = value
	}
}

func TestTheEndOfTheContextIsNoRun(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	session, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(host.ResponderFunc(func(context.Context, host.Call) (any, error) {
		cancel(enough)
		return host.ExecResult{}, nil
	}))}})
	if err != nil {
		t.Fatal(err)
	}
	calls := []scripts.Call{{Method: host.MethodExec, Args: []any{"go"}}}
	if transcript, err := verify.Session(ctx, session, slices.Values(calls)); !errors.Is(err, enough) {
		t.Errorf("got %v and the error %v", transcript, err)
	}
	if _, err := session.Exec(t.Context(), host.ExecRequest{Command: []string{"go"}}); !errors.Is(err, host.ErrClosed) {
		t.Errorf("the session is still open: %v", err)
	}
}

func TestACallThatTakesTooLongIsNoRun(t *testing.T) {
	session, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(host.ResponderFunc(
		func(ctx context.Context, _ host.Call) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}))}}, host.WithLimits(host.Limits{CallTime: time.Millisecond}))
	if err != nil {
		t.Fatal(err)
	}
	calls := []scripts.Call{{Method: host.MethodExec, Args: []any{"go"}}}
	transcript, err := verify.Session(t.Context(), session, slices.Values(calls))
	if late, ok := errors.AsType[*host.CallTimeError](err); !ok || late.Limit != time.Millisecond {
		t.Errorf("got %v and the error %v", transcript, err)
	}
}

func TestARunThatFailsIsTheSameAllTheSame(t *testing.T) {
	run := func() *verify.Transcript {
		session, err := host.NewScripted([]host.Step{{Method: host.MethodRm, Outcome: host.Return(nil)}})
		if err != nil {
			t.Fatal(err)
		}
		transcript, err := verify.Session(t.Context(), session, slices.Values([]scripts.Call{
			{Method: host.MethodExec, Args: []any{"go"}}, {Method: host.MethodRm, Args: []any{1}},
		}))
		if err != nil {
			t.Fatal(err)
		}
		return transcript
	}
	one, two := run(), run()
	if list := verify.Compare(one, two); list != nil || one.Verdict != "not held" || one.Calls() != 2 || one.Digest() != two.Digest() {
		t.Errorf("the differences are %+v, the verdict is %s", list, one.Verdict)
	}
	for field, want := range map[string]string{"pending[0]": "rm", "refused.exec": "1", "verdict": `"not held"`} {
		if got, ok := one.Value(verify.AtEnd, field); !ok || got != want {
			t.Errorf("%s is %s", field, got)
		}
	}
}
