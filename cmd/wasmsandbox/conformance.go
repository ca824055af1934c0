package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/conformance"
)

const conformanceLong = `Test guests against the ABI, feature by feature, and print a table: one row for a
feature, one column for a module. What comes back is compared byte for byte with
what has to, and so the modules are with each other.

The guest under test is the kitchen-sink guest, which guest/kitchen/README.md of
the source describes. A guest of another name is tested for what any guest has to
do; the other features are listed as not tested.

Features that a language is known not to have are named with --unimplemented. They
are tested all the same, and have to fail: one that passes is an error, too.`

func (a *app) newConformance() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "conformance MODULE...",
		Short: "Test guests against the ABI",
		Long:  conformanceLong,
		Example: `  wasmsandbox conformance kitchen.wasm
  wasmsandbox conformance c.wasm rust.wasm --format json
  wasmsandbox conformance old.wasm --unimplemented write_content,digests`,
		Args:              atLeastOne("MODULE"),
		ValidArgsFunction: completeFiles("wasm", "js", "mjs"),
	}
	format := addChoice(cmd, false, "format", "output format", "text", "json")
	unimplemented := cmd.Flags().StringSlice("unimplemented", nil, "features that the guests are known not to have")
	timeout := addTimeoutOf(cmd, "tests", conformanceTime)
	engine := addEngine(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := timeout.parse(); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		ctx, cancel := timeout.start(cmd.Context())
		defer cancel()
		return a.conformance(ctx, args, engine.chosen(), conformance.Options{Unimplemented: *unimplemented}, format.value == "json")
	}
	return cmd
}

func (a *app) conformance(ctx context.Context, paths []string, engine *engineEntry, opts conformance.Options, asJSON bool) error {
	runtime, err := engine.runtime(ctx)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	defer func() { _ = runtime.Close(context.WithoutCancel(ctx)) }()

	var reports []*conformance.Report
	for _, path := range paths {
		module, err := loadGuest(ctx, runtime, path)
		if ctx.Err() != nil {
			return fail(exitUsage, "%w", context.Cause(ctx))
		}
		if err != nil {
			return fail(exitUsage, "%w", err)
		}
		report, err := conformance.Run(ctx, module, opts)
		if ctx.Err() != nil {
			return fail(exitUsage, "%w", context.Cause(ctx))
		}
		if err != nil {
			return fail(exitUsage, "%w", err)
		}
		reports = append(reports, report)
	}
	divergences := conformance.Compare(reports...)
	if asJSON {
		if err := printJSON(a.stdout, conformanceDocument(paths, reports, divergences)); err != nil {
			return err
		}
	} else {
		a.printConformance(paths, reports)
		a.printDivergences(paths, divergences)
	}
	for _, report := range reports {
		if !report.OK() {
			return exitWith(exitFailed)
		}
	}
	if len(divergences) > 0 {
		return exitWith(exitFailed)
	}
	return nil
}

// loadGuest loads a module, or a JavaScript program, from its file.
func loadGuest(ctx context.Context, runtime *host.Runtime, path string) (*host.Module, error) {
	data, err := awaitModule(ctx, path)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	var module *host.Module
	if js.IsProgram(path) {
		module, err = js.Load(ctx, runtime, name, path, data)
	} else {
		module, err = runtime.Load(ctx, name, data)
	}
	if wrong, ok := errors.AsType[*host.ModuleError](err); ok {
		return nil, fmt.Errorf("%s: %s", path, wrong.Problem())
	}
	return module, err
}

// A conformanceReport is what conformance tells about one module.
type conformanceReport struct {
	File      string           `json:"file"`
	OK        bool             `json:"ok"`
	Language  string           `json:"language"`
	SDK       string           `json:"sdk"`
	Toolchain string           `json:"toolchain"`
	Features  []conformanceRow `json:"features"`
}

type conformanceRow struct {
	Feature  string   `json:"feature"`
	About    string   `json:"about"`
	Status   string   `json:"status"`
	Checks   int      `json:"checks"`
	Problems []string `json:"problems"`
	Digest   string   `json:"digest"`
}

// A divergenceInfo names two modules that both passed a feature with other bytes.
type divergenceInfo struct {
	Feature string   `json:"feature"`
	Files   []string `json:"files"`
}

// A conformanceInfo is the document that conformance prints.
type conformanceInfo struct {
	Modules     []conformanceReport `json:"modules"`
	Divergences []divergenceInfo    `json:"divergences"`
}

func conformanceDocument(paths []string, reports []*conformance.Report, divergences []conformance.Divergence) conformanceInfo {
	document := conformanceInfo{Modules: []conformanceReport{}, Divergences: []divergenceInfo{}}
	for _, d := range divergences {
		document.Divergences = append(document.Divergences, divergenceInfo{d.Feature, []string{paths[d.First], paths[d.Second]}})
	}
	for i, r := range reports {
		module := conformanceReport{
			File: paths[i], OK: r.OK(), Language: r.Language, SDK: r.SDK, Toolchain: r.Toolchain,
		}
		for _, row := range r.Rows {
			problems := row.Problems
			if problems == nil {
				problems = []string{}
			}
			module.Features = append(module.Features, conformanceRow{
				row.Feature, row.About, string(row.Status), row.Checks, problems, hex.EncodeToString(row.Digest[:]),
			})
		}
		document.Modules = append(document.Modules, module)
	}
	return document
}

// printConformance prints a table with a column for each module, and then what is
// wrong.
func (a *app) printConformance(paths []string, reports []*conformance.Report) {
	style := a.palette(a.stdout)
	t := newTable(a.stdout)
	header := []string{"feature"}
	for i, r := range reports {
		header = append(header, columnTitle(paths, i, r))
	}
	t.row(header...)
	for i, row := range reports[0].Rows {
		cells := []string{row.Feature}
		for _, r := range reports {
			cells = append(cells, conformanceCell(style, r.Rows[i]))
		}
		t.row(cells...)
	}
	t.flush()
	for i, r := range reports {
		passed, rest := 0, ""
		untested := 0
		for _, row := range r.Rows {
			switch row.Status {
			case conformance.Passed:
				passed++
			case conformance.NotTested:
				untested++
			}
			a.printShortcomings(style, paths[i], row)
		}
		if untested > 0 {
			rest = fmt.Sprintf(", %d not tested", untested)
		}
		_, _ = fmt.Fprintf(a.stdout, "\n%s: %d of %s passed%s\n", paths[i], passed, count(len(r.Rows), "feature"), rest)
	}
}

func (a *app) printDivergences(paths []string, divergences []conformance.Divergence) {
	style := a.palette(a.stdout)
	for _, d := range divergences {
		_, _ = fmt.Fprintf(a.stdout, "\n%s %s: %s and %s answer with other bytes\n",
			style.bad("differ:"), d.Feature, paths[d.First], paths[d.Second])
	}
}

// columnTitle is the language of a module, or its file when that doesn't tell it
// from the others.
func columnTitle(paths []string, i int, r *conformance.Report) string {
	if len(paths) == 1 || r.Language == "" {
		return filepath.Base(paths[i])
	}
	return r.Language
}

func conformanceCell(style palette, row conformance.Row) string {
	text := string(row.Status)
	if row.Status == conformance.Failed {
		text += " (" + strconv.Itoa(len(row.Problems)) + ")"
	}
	if row.Status.OK() {
		return style.good(text)
	}
	return style.bad(text)
}

func (a *app) printShortcomings(style palette, path string, row conformance.Row) {
	switch row.Status {
	case conformance.Failed:
		_, _ = fmt.Fprintf(a.stdout, "\n%s %s: %s\n", style.bad("failed:"), path, row.Feature)
		for _, problem := range row.Problems {
			_, _ = fmt.Fprintf(a.stdout, "  %s\n", indented(problem))
		}
	case conformance.Stale:
		_, _ = fmt.Fprintf(a.stdout, "\n%s %s: %s passes; take it out of --unimplemented\n", style.bad("stale:"), path, row.Feature)
	}
}
