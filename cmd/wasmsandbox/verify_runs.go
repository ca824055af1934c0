package main

import (
	"context"
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
}

func (t *verifyTask) options() (options []host.Option) {
	if t.Seed != nil {
		options = append(options, host.WithSeed(*t.Seed))
	}
	if t.StartTime != nil {
		options = append(options, host.WithStartTime(*t.StartTime))
	}
	return options
}

// A verifier makes runs. Each script is loaded once on each engine.
type verifier struct {
	load     loadFlags
	runtimes map[string]*host.Runtime
	scripts  map[verifyKey]*scripts.Script
}

type verifyKey struct{ path, engine string }

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

// script loads a script for an engine.
func (v *verifier) script(ctx context.Context, path, engine string) (*scripts.Script, error) {
	if script, ok := v.scripts[verifyKey{path, engine}]; ok {
		return script, nil
	}
	runtime, err := v.runtime(ctx, engine)
	if err != nil {
		return nil, err
	}
	script, err := loadScript(ctx, path, append(v.load.options(), scripts.WithRuntime(runtime))...)
	if err != nil {
		return nil, err
	}
	if len(script.Calls) == 0 {
		return nil, &noCallsError{script.File}
	}
	v.scripts[verifyKey{path, engine}] = script
	return script, nil
}

// file is what a script is called: in a folder, once it is loaded, that in it.
func (v *verifier) file(path, engine string) string {
	if script, ok := v.scripts[verifyKey{path, engine}]; ok {
		return script.File
	}
	return path
}

// A noCallsError says that there is nothing to run.
type noCallsError struct{ file string }

func (e *noCallsError) Error() string { return "has no calls to make: give it the key calls" }

// run makes one run.
func (v *verifier) run(ctx context.Context, task *verifyTask, engine string) (*verify.Transcript, error) {
	script, err := v.script(ctx, task.Path, engine)
	if err != nil {
		return nil, err
	}
	transcript, err := verify.Run(ctx, script, task.options()...)
	if err != nil {
		return nil, startProblem(err)
	}
	transcript.Engine = engine
	return transcript, nil
}
