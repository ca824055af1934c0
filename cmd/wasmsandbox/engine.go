package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// An engineEntry is an engine that the command is built with.
type engineEntry struct {
	name   string
	module string // whose version is the engine's
	start  func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error)
}

// engines are those there are, the default first. Build tags add others.
var engines = []engineEntry{{"wazero", "github.com/tetratelabs/wazero", host.DefaultEngine}}

// knownEngines are the build tags of the engines that the command can be built with.
var knownEngines = map[string]string{"wasmtime": "wasmtime"}

func engineNames() []string {
	names := make([]string, len(engines))
	for i, e := range engines {
		names[i] = e.name
	}
	return names
}

// findEngine finds an engine by its name.
func findEngine(name string) (*engineEntry, error) {
	i := slices.IndexFunc(engines, func(e engineEntry) bool { return e.name == name })
	if i >= 0 {
		return &engines[i], nil
	}
	if tag, ok := knownEngines[name]; ok {
		return nil, fmt.Errorf("the engine %s isn't part of this command: build it with cgo and -tags %s", name, tag)
	}
	return nil, fmt.Errorf("no engine is called %q: there is %s", name, strings.Join(engineNames(), " and "))
}

// runtime makes a runtime of the engine. The caller closes it.
func (e *engineEntry) runtime(ctx context.Context) (*host.Runtime, error) {
	return host.NewRuntime(ctx, host.WithEngine(e.start))
}

// version is that of the engine's module.
func (e *engineEntry) version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == e.module {
				return dep.Version
			}
		}
	}
	return "(unknown)"
}

// An engineFlag is the flag --engine.
type engineFlag struct {
	once
	entry *engineEntry // nil until it is set
}

func addEngine(cmd *cobra.Command) *engineFlag {
	f := &engineFlag{once: once{kind: "NAME"}}
	cmd.Flags().Var(f, "engine", "engine that runs the guests: "+strings.Join(engineNames(), ", "))
	mustComplete(cmd, "engine", cobra.FixedCompletions(engineNames(), cobra.ShellCompDirectiveNoFileComp))
	return f
}

// Set takes the name of an engine that there is.
func (f *engineFlag) Set(value string) (err error) {
	if err := f.once.Set(value); err != nil {
		return err
	}
	f.entry, err = findEngine(value)
	return err
}

// chosen is the engine named, or the default.
func (f *engineFlag) chosen() *engineEntry {
	if f.entry != nil {
		return f.entry
	}
	return &engines[0]
}

// load gives the options of scripts for the engine named: none for the default, whose
// runtime lasts as long as the process. The caller calls close after the last session.
func (f *engineFlag) load(ctx context.Context) (options []scripts.Option, end func(), err error) {
	if f.entry == nil {
		return nil, func() {}, nil
	}
	runtime, err := f.entry.runtime(ctx)
	if err != nil {
		return nil, nil, err
	}
	return []scripts.Option{scripts.WithRuntime(runtime)}, func() { _ = runtime.Close(context.WithoutCancel(ctx)) }, nil
}
