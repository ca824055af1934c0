package main

import (
	"context"
	"slices"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// A verifyTask is a script to run.
type verifyTask struct {
	Path string `json:"path"`

	// Nil: as the script says.
	Seed      *uint64    `json:"seed,omitempty"`
	StartTime *time.Time `json:"start_time,omitempty"`
	Calls     *callsText `json:"calls,omitempty"`

	// Workspace names a folder or a tar that is copied over the script's files, if it
	// isn't empty.
	Workspace string `json:"workspace,omitempty"`

	// Limits that aren't zero override the script's.
	Limits host.Limits `json:"limits"`
}

// options are those of a session of the task's script.
func (t *verifyTask) options(ctx context.Context, script *scripts.Script) (options []host.Option) {
	if t.Seed != nil {
		options = append(options, host.WithSeed(*t.Seed))
	}
	if t.StartTime != nil {
		options = append(options, host.WithStartTime(*t.StartTime))
	}
	if t.Workspace != "" {
		options = append(options, workspaceOver(ctx, script, t.Workspace))
	}
	return options
}

// A verifier makes runs. Each script is loaded once on each engine.
type verifier struct {
	load     loadFlags
	runtimes map[string]*host.Runtime
	scripts  map[verifyKey]*scripts.Script
}

// A verifyKey is all that a script is loaded with.
type verifyKey struct {
	path, engine string
	limits       host.Limits
}

func newVerifier(load loadFlags) *verifier {
	return &verifier{load: load, runtimes: map[string]*host.Runtime{}, scripts: map[verifyKey]*scripts.Script{}}
}

func (v *verifier) close(ctx context.Context) {
	for _, runtime := range v.runtimes {
		_ = runtime.Close(context.WithoutCancel(ctx))
	}
}

func (v *verifier) runtime(ctx context.Context, engine string) (*host.Runtime, error) {
	if runtime, ok := v.runtimes[engine]; ok {
		return runtime, nil
	}
	entry, err := findEngine(engine)
	if err != nil {
		return nil, err
	}
	runtime, err := entry.runtime(ctx)
	if err != nil {
		return nil, err
	}
	v.runtimes[engine] = runtime
	return runtime, nil
}

// script loads the script of a task for an engine.
func (v *verifier) script(ctx context.Context, task *verifyTask, engine string) (*scripts.Script, error) {
	key := verifyKey{task.Path, engine, task.Limits}
	if script, ok := v.scripts[key]; ok {
		return script, nil
	}
	runtime, err := v.runtime(ctx, engine)
	if err != nil {
		return nil, err
	}
	options := append(v.load.options(), scripts.WithRuntime(runtime), scripts.WithLimits(task.Limits))
	script, err := loadScript(ctx, task.Path, options...)
	if err != nil {
		return nil, err
	}
	v.scripts[key] = script
	return script, nil
}

// file is what a script is called: in a folder, once it is loaded, that in it.
func (v *verifier) file(task *verifyTask, engine string) string {
	if script, ok := v.scripts[verifyKey{task.Path, engine, task.Limits}]; ok {
		return script.File
	}
	return task.Path
}

// A noCallsError says that there is nothing to run.
type noCallsError struct{ file string }

func (e *noCallsError) Error() string {
	return "the script has no calls to make: give it the key calls, or use --calls"
}

// run makes one run.
func (v *verifier) run(ctx context.Context, task *verifyTask, engine string) (*verify.Transcript, error) {
	script, err := v.script(ctx, task, engine)
	if err != nil {
		return nil, err
	}
	calls, err := task.calls(script)
	if err != nil {
		return nil, err
	}
	session, err := script.NewSession(task.options(ctx, script)...)
	if err != nil {
		return nil, err
	}
	transcript, err := verify.Session(ctx, session, slices.Values(calls))
	if err != nil {
		return nil, startProblem(err)
	}
	transcript.Engine = engine
	return transcript, nil
}
