package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

const scriptArgs = `A SCRIPT is a YAML or JSON file, or a folder with a script.yaml, script.yml or
script.json.`

const validateLong = `List all that is wrong with scripts: each problem with its place. The guests are
built and compiled, but no call is made.

` + scriptArgs

func (a *app) newValidate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate SCRIPT...",
		Short: "List all that is wrong with scripts",
		Long:  validateLong,
		Example: `  wasmsandbox validate greeter
  wasmsandbox validate testdata/*.yaml --no-build
  wasmsandbox validate greeter --format json`,
		Args:              atLeastOne("SCRIPT"),
		ValidArgsFunction: completeFiles("yaml", "yml", "json"),
	}
	format := addChoice(cmd, false, "format", "output format", "text", "json")
	timeout := addTimeoutOf(cmd, "validation", validationTime)
	load := addLoadFlags(cmd)
	engine := addEngine(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := timeout.parse(); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		ctx, cancel := timeout.start(cmd.Context())
		defer cancel()
		loading, end, err := engine.load(ctx)
		if err != nil {
			return fail(exitUsage, "%w", err)
		}
		defer end()
		return a.validate(ctx, args, append(load.options(), loading...), format.value == "json")
	}
	return cmd
}

// loadFlags are the flags of commands that load scripts.
type loadFlags struct{ noBuild, allowOutside bool }

func addLoadFlags(cmd *cobra.Command) *loadFlags {
	f := new(loadFlags)
	cmd.Flags().BoolVar(&f.noBuild, "no-build", false, "refuse guests that have to be built from source")
	cmd.Flags().BoolVar(&f.allowOutside, "allow-outside", false, "let scripts name files outside of their folders")
	return f
}

func (f *loadFlags) options() []scripts.Option {
	var options []scripts.Option
	if f.noBuild {
		options = append(options, scripts.ForbidBuild())
	}
	if f.allowOutside {
		options = append(options, scripts.AllowOutside())
	}
	return options
}

// A validation is what validate tells.
type validation struct {
	Valid   bool         `json:"valid"`
	Scripts []scriptInfo `json:"scripts"`
}

type scriptInfo struct {
	File      string        `json:"file"`
	Valid     bool          `json:"valid"`
	Steps     int           `json:"steps"`
	Calls     int           `json:"calls"`
	Modules   []string      `json:"modules"`
	Workspace bool          `json:"workspace"` // it has one
	Tools     []string      `json:"tools"`     // of the workspace
	Problems  []problemInfo `json:"problems"`
	Warnings  []problemInfo `json:"warnings"` // of what may be meant otherwise; it's valid all the same
}

func (a *app) validate(ctx context.Context, paths []string, options []scripts.Option, asJSON bool) error {
	all := validation{Valid: true, Scripts: []scriptInfo{}}
	for _, path := range paths {
		info, err := validateScript(ctx, path, options)
		if err != nil {
			return err
		}
		all.Valid = all.Valid && info.Valid
		all.Scripts = append(all.Scripts, info)
		if !asJSON {
			a.printValidation(info)
		}
	}
	if asJSON {
		if err := printJSON(a.stdout, all); err != nil {
			return err
		}
	} else {
		a.printValidationSum(all)
	}
	if !all.Valid {
		return exitWith(exitUsage)
	}
	return nil
}

// validateScript loads a script. The error is the context's.
func validateScript(ctx context.Context, path string, options []scripts.Option) (scriptInfo, error) {
	info := scriptInfo{File: path, Modules: []string{}, Tools: []string{}, Problems: []problemInfo{}, Warnings: []problemInfo{}}
	script, err := loadScript(ctx, path, options...)
	switch {
	case ctx.Err() != nil:
		return info, fail(exitUsage, "%w", context.Cause(ctx))
	case err != nil:
		info.Problems = problemsOf(path, err)
		info.File = info.Problems[0].File
		return info, nil
	}
	info.File, info.Valid = script.File, true
	if len(script.Warnings) > 0 {
		info.Warnings = problemsOf(path, &scripts.Error{Problems: script.Warnings})
	}
	info.Steps, info.Calls = len(script.Steps), len(script.Calls)
	for _, m := range script.Modules {
		info.Modules = append(info.Modules, m.Name())
	}
	for _, c := range script.Commands {
		info.Modules = append(info.Modules, c.Name())
	}
	for _, p := range script.Programs {
		info.Modules = append(info.Modules, p.Name())
	}
	slices.Sort(info.Modules)
	if script.Workspace != nil {
		info.Workspace = true
		info.Tools = slices.AppendSeq(info.Tools, maps.Keys(script.Workspace.Tools))
		slices.Sort(info.Tools)
	}
	return info, nil
}

func (a *app) printValidation(s scriptInfo) {
	p := a.palette(a.stdout)
	if !s.Valid {
		a.printFindings(a.stdout, p.bad("error:"), s.Problems)
		return
	}
	parts := []string{p.good("ok"), count(s.Steps, "step"), count(s.Calls, "call"), count(len(s.Modules), "module")}
	switch {
	case len(s.Tools) > 0:
		parts = append(parts, "a workspace with "+count(len(s.Tools), "tool"))
	case s.Workspace:
		parts = append(parts, "a workspace")
	}
	_, _ = fmt.Fprintf(a.stdout, "%s: %s\n", p.strong(visible(s.File)), strings.Join(parts, ", "))
	a.printFindings(a.stdout, p.note("warning:"), s.Warnings)
}

// printValidationSum counts, unless one look does.
func (a *app) printValidationSum(v validation) {
	problems, invalid := 0, 0
	for _, s := range v.Scripts {
		problems += len(s.Problems)
		if !s.Valid {
			invalid++
		}
	}
	if invalid > 0 && problems+len(v.Scripts) > 2 {
		p := a.palette(a.stdout)
		_, _ = fmt.Fprintf(a.stdout, "\n%s %s in %d of %s\n", p.bad("FAIL"), count(problems, "problem"), invalid,
			count(len(v.Scripts), "script"))
	}
}
