package host_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func TestAFileIsOfOneScript(t *testing.T) {
	r, _ := newCountingRuntime(t)
	load := func(language, name string, opts ...host.ModuleOption) host.Step {
		return guestStep(t, r, name, kitchenWasm(t, language), "count", opts...)
	}
	fails := host.Step{Method: host.MethodExec, Outcome: host.Fail(errors.New("no"))}
	guest, read := load("c", "guest"), answering(host.MethodRead)[0]
	tools := func(names ...string) host.Option {
		w := host.Workspace{Tools: map[string]shell.Tool{}}
		for _, name := range names {
			w.Tools[name] = func(context.Context, shell.Process) (int, error) { return 0, nil }
		}
		return host.WithWorkspace(w)
	}
	s, err := host.NewScripted([]host.Step{guest, read, matching(verdict(host.Accept())), fails}, tools("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.Background()) }()
	_ = perform(t, s, "x")
	file := written(t, checkpoint(t, s))
	accepts := matching(host.MatchFunc(func(host.Call) bool { return true }))
	for name, test := range map[string]struct {
		steps []host.Step
		opts  []host.Option
		kind  host.CheckpointErrorKind
		text  string
	}{
		"the same":           {[]host.Step{guest, read, accepts, fails}, []host.Option{tools("a")}, "", ""},
		"a step less":        {[]host.Step{guest, read, accepts}, []host.Option{tools("a")}, host.CheckpointOtherScript, "it has 4 steps, not 3"},
		"another method":     {[]host.Step{guest, answering(host.MethodLs)[0], accepts, fails}, []host.Option{tools("a")}, host.CheckpointOtherScript, "step #2 is for another method, not ls"},
		"no matcher":         {[]host.Step{guest, read, {Method: host.MethodExec, Outcome: accepts.Outcome}, fails}, []host.Option{tools("a")}, host.CheckpointOtherScript, "step #3 matches otherwise"},
		"another result":     {[]host.Step{guest, {Method: host.MethodRead, Outcome: host.Return("x")}, accepts, fails}, []host.Option{tools("a")}, host.CheckpointOtherScript, "step #2 has another result"},
		"another error":      {[]host.Step{guest, read, accepts, {Method: host.MethodExec, Outcome: host.Fail(io.EOF)}}, []host.Option{tools("a")}, host.CheckpointOtherScript, "step #4 has another error"},
		"another answer":     {[]host.Step{guest, read, accepts, answering(host.MethodExec)[0]}, []host.Option{tools("a")}, host.CheckpointOtherScript, "step #4 answers otherwise"},
		"another module":     {[]host.Step{load("zig", "guest"), read, accepts, fails}, []host.Option{tools("a")}, host.CheckpointOtherModule, "guest: its SHA-256 is "},
		"another name":       {[]host.Step{load("c", "other"), read, accepts, fails}, []host.Option{tools("a")}, host.CheckpointOtherScript, "other: module #1"},
		"another config":     {[]host.Step{load("c", "guest", host.WithConfig(map[string]any{"a": 1})), read, accepts, fails}, []host.Option{tools("a")}, host.CheckpointOtherModule, "configured otherwise"},
		"another input":      {[]host.Step{load("c", "guest", host.WithStdin([]byte("x"))), read, accepts, fails}, []host.Option{tools("a")}, host.CheckpointOtherModule, "standard input"},
		"no workspace":       {[]host.Step{guest, read, accepts, fails}, nil, host.CheckpointOtherScript, "workspace"},
		"another tool":       {[]host.Step{guest, read, accepts, fails}, []host.Option{tools("a", "b")}, host.CheckpointOtherScript, "tools"},
		"another root":       {[]host.Step{guest, read, accepts, fails}, []host.Option{tools("a"), host.WithManifest(host.Manifest{Root: "/r"})}, host.CheckpointOtherScript, "root"},
		"another grant":      {[]host.Step{guest, read, accepts, fails}, []host.Option{tools("a"), host.WithManifest(host.Manifest{Grants: []host.Grant{{Path: "/g"}}})}, host.CheckpointOtherScript, "grants"},
		"a module is before": {[]host.Step{guest, read, {Method: host.MethodExec, Match: accepts.Match, Outcome: guest.Outcome}, fails}, []host.Option{tools("a")}, host.CheckpointOtherScript, "step #3 answers otherwise"},
	} {
		_, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(file), test.steps, test.opts...)
		if name == "the same" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		t.Run(name, func(t *testing.T) { wantCheckpointError(t, err, test.kind, test.text) })
	}
	_, err = host.ReadCheckpoint(t.Context(), bytes.NewReader(file), []host.Step{{}})
	wantError[*host.InvalidStepError](t, err)
}

// A guest that only a handler in Go knows of can't be found again.
func TestAHiddenModuleCantBeWritten(t *testing.T) {
	r, _ := newCountingRuntime(t)
	module, err := r.Load(t.Context(), "hidden", kitchenWasm(t, "c"))
	if err != nil {
		t.Fatal(err)
	}
	count, err := module.Responder("count")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, times(1, respond(count.Respond)))
	_ = perform(t, s, "x")
	_, err = checkpoint(t, s).WriteTo(io.Discard)
	wantCheckpointError(t, err, host.CheckpointGuest, "hidden: ")
}
