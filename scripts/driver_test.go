package scripts_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// parse makes a script of a text, in a new folder with guest.wasm.
func parse(t *testing.T, text string, opts ...scripts.Option) *scripts.Script {
	t.Helper()
	newFolder(t, nil)
	script, err := scripts.Parse(t.Context(), "script.yaml", []byte(text), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// differences are those of a result, one a line.
func differences(r scripts.Result) string {
	var lines []string
	for _, d := range r.Differences {
		lines = append(lines, d.Field+": "+d.Expected+", not "+d.Actual)
	}
	return strings.Join(lines, "\n")
}

func TestTheDriverTellsWhatFailed(t *testing.T) {
	report := runScript(t, parse(t, `
version: 1
modules: {git: {wasm: guest.wasm, config: {branch: trunk}}}
steps:
  - {method: exec, match: {args: [pwd]}, result: {stdout: "/\n"}}
  - {method: exec, responder: {module: git, handler: status}}
  - {method: read, error: {code: workspace_read_not_found, context: {path: a}}}
  - {method: read, error: {code: workspace_read_not_found}}
  - {method: read, error: {code: exec_timeout}}
  - {method: read, responder: {module: git, handler: read}}
  - {method: ls, result: [{path: a, size: 3}]}
  - {method: write, result: null}
calls:
  - {method: exec, args: [pwd, -P]}
  - {method: exec, args: [pwd], expect: {stdout: "/\n"}}
  - {method: ls, args: [.]}
  - {method: mkdir, args: [a]}
  - {method: exec, args: [git], expect: {stdout: "On branch main\n", stderr: x}}
  - {method: read, args: [a]}
  - {method: read, args: [a], expect: text}
  - {method: read, args: [a], expect_error: {code: workspace_read_not_found, context: {path: a}}}
  - {method: read, args: [a], expect_error: {code: workspace_read_not_found, op: read, retryable: false}}
  - {method: ls, args: [.], expect_error: exec_timeout}
`))
	type outcome struct {
		Failed bool
		Step   int
		Source string
		Found  string
	}
	var got []outcome
	for _, r := range report.Results {
		o := outcome{Failed: r.Failed, Step: -2, Found: differences(r)}
		if r.Record != nil {
			o.Step, o.Source = r.Record.Step, r.Record.Source
		}
		got = append(got, o)
	}
	want := []outcome{
		{true, -1, "script.yaml:5", ""}, // rejected; the differences are the matcher's
		{false, 0, "script.yaml:5", ""},
		{true, -1, "script.yaml:6", ""}, // another method
		{true, -2, "", ""},              // no step has the method: not recorded
		{true, 1, "script.yaml:6", `result.stderr: "x", not ""` + "\n" + `result.stdout: "On branch main\n", not "On branch trunk\n"`},
		{false, 2, "script.yaml:7", ""}, // a scripted error, nothing expected
		{true, 3, "script.yaml:8", `result: "text", not error workspace_read_not_found: the file to read doesn't exist`},
		{true, 4, "script.yaml:9", `error.code: "workspace_read_not_found", not "exec_timeout"` + "\n" + `error.context.path: "a", not absent`},
		{false, 5, "script.yaml:10", ""},
		{true, 6, "script.yaml:11", `error: {"code":"exec_timeout"}, not a result`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the results differ (-want +got):\n%s", diff)
	}
	rejected, ok := errors.AsType[*host.MatcherRejectedError](report.Results[0].Err)
	if !ok || len(rejected.Differences) != 1 || rejected.Differences[0].Field != "args[1]" {
		t.Errorf("the first call ended with %v", report.Results[0].Err)
	}
	if logs := report.Results[4].Record.Logs; len(logs) != 1 || logs[0].Module != "git" || logs[0].Text != "asked for the status" {
		t.Errorf("the guest logged %+v", logs)
	}
	if report.Verdict() != scripts.NotHeld || report.Complete() || report.Remaining != 1 || report.Pending[0].Source != "script.yaml:12" {
		t.Errorf("it is %s, %d steps remain: %+v", report.Verdict(), report.Remaining, report.Pending)
	}
	if report.Failures() != 7 {
		t.Errorf("%d calls failed", report.Failures())
	}
}

func TestAGuestThatFailsIsToldApart(t *testing.T) {
	report := runScript(t, parse(t, `
version: 1
modules: {git: guest.wasm}
steps:
  - {method: exec, responder: {module: git, handler: panics}}
  - {method: exec, result: {}}
calls:
  - {method: exec, args: [x], expect_error: exec_timeout}
  - {method: exec, args: [x]}
`))
	if report.Verdict() != scripts.GuestFailed || !report.Complete() {
		t.Errorf("it is %s", report.Verdict())
	}
	if first := report.Results[0]; !first.Failed || !first.GuestFailed() || len(first.Differences) != 0 {
		t.Errorf("the first call is %+v", first)
	}
	if report.Results[1].Failed {
		t.Error("the driver doesn't go on")
	}
}

func TestARunWithoutAnythingAmissHolds(t *testing.T) {
	report := runScript(t, parse(t, "version: 1"))
	if report.Verdict() != scripts.Held || report.Verdict().String() != "held" {
		t.Errorf("it is %s", report.Verdict())
	}
}

func TestStepsLeftAreAFailure(t *testing.T) { // S3.19
	report := runScript(t, parse(t, "version: 1\nsteps: [{method: exec, result: {}}]"))
	if report.Verdict() != scripts.NotHeld || report.Failures() != 0 {
		t.Errorf("it is %s with %d failures", report.Verdict(), report.Failures())
	}
}

func TestTheEndOfTheContextStopsARun(t *testing.T) {
	wait := host.ResponderFunc(func(ctx context.Context, _ host.Call) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	session, err := host.NewScripted([]host.Step{
		{Method: host.MethodExec, Outcome: host.Respond(wait)},
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})},
	})
	if err != nil {
		t.Fatal(err)
	}
	call := scripts.Call{Method: host.MethodExec, Args: []any{"x"}}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	report := scripts.Run(ctx, session, slices.Values([]scripts.Call{call, call}))
	if len(report.Results) != 1 || !errors.Is(report.Err, context.DeadlineExceeded) || report.Verdict() != scripts.Inconclusive {
		t.Errorf("got %+v", report)
	}
}

func TestARespondersOwnCallsAreNotTheDrivers(t *testing.T) { // S3.16
	var session *host.Scripted
	again := host.ResponderFunc(func(ctx context.Context, _ host.Call) (any, error) {
		return session.Exec(ctx, host.ExecRequest{Command: []string{"inner"}})
	})
	own := errors.New("an error of the program's")
	var err error
	session, err = host.NewScripted([]host.Step{
		{Method: host.MethodExec, Outcome: host.Respond(again), Source: "outer"},
		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{}), Source: "inner"},
		{Method: host.MethodExec, Outcome: host.Fail(own), Source: "last"},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := scripts.NewDriver(session)
	for _, want := range []string{"outer", "last"} {
		r := d.Do(t.Context(), scripts.Call{Method: host.MethodExec, Args: []any{want}})
		if r.Record.Source != want || r.Failed {
			t.Errorf("%s has the record of %s: %v", want, r.Record.Source, r.Err)
		}
	}
	if r := d.Do(t.Context(), scripts.Call{Method: host.MethodLs}); !r.Failed || r.Request != nil || r.Record != nil {
		t.Errorf("a call without its arguments gives %+v", r)
	}
}
