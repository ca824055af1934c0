package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// printVerification prints a document for a person. The manifest may be nil.
func (a *app) printVerification(d *verifyDocument, manifest *verify.Manifest) {
	style := a.palette(a.stdout)
	if manifest != nil {
		_, _ = fmt.Fprintln(a.stdout, style.faint(visible(manifestOrigin(manifest))))
	}
	same := 0
	for _, report := range d.Scripts {
		if report.Status == runsSame {
			same++
		}
		a.printVerified(style, report, d.Engines)
	}
	if d.ShuffleSeed != nil {
		_, _ = fmt.Fprintf(a.stdout, "shuffled with --shuffle-seed %d\n", *d.ShuffleSeed)
	}
	if len(d.Scripts) > 1 {
		_, _ = fmt.Fprintf(a.stdout, "\n%d of %s the same in all runs\n", same, count(len(d.Scripts), "script"))
	}
	if d.Written != "" {
		_, _ = fmt.Fprintf(a.stdout, "written  %s\n", visible(d.Written))
	}
	if d.Error != "" {
		_, _ = fmt.Fprintf(a.stdout, "%s %s\n", style.bad("error:"), indented(d.Error))
	}
}

// manifestOrigin is what a manifest was written with.
func manifestOrigin(m *verify.Manifest) string {
	var names []string
	for _, e := range m.Engines {
		names = append(names, e.Name+" "+e.Version)
	}
	return fmt.Sprintf("compared with runs of wasmsandbox %s on %s, with %s", m.Tool, m.Platform, strings.Join(names, " and "))
}

// printVerified prints what came of one script.
func (a *app) printVerified(style palette, r *verifyReport, engines []string) {
	if r.Status == runsInvalid {
		a.printProblems(a.stdout, r.File, r.Error.Problems)
		return
	}
	mark := style.bad(r.Status)
	if r.Status == runsSame {
		mark = style.good(r.Status)
	}
	parts := []string{count(r.Runs, "run") + " on " + strings.Join(engines, " and ")}
	if r.first != nil {
		parts = append(parts, count(r.Calls, "call"), visible(r.Verdict), style.faint(r.Digest[:16]))
	}
	_, _ = fmt.Fprintf(a.stdout, "%s  %s  %s\n", mark, style.strong(visible(r.File)), strings.Join(parts, ", "))
	if r.Divergence != nil {
		a.printDivergence(style, r.Divergence)
	}
	if r.Error != nil {
		_, _ = fmt.Fprintf(a.stdout, "  %s %s: %s\n", style.bad("error:"), visible(r.File), indented(r.Error.Message))
	}
}

func (a *app) printDivergence(style palette, d *verifyDivergence) {
	where := "before the first call"
	switch d.When {
	case atCall:
		where = "call " + strconv.Itoa(*d.Call+1) + orNothing(", ", d.Method)
	case atEnd:
		where = "after the last call"
	}
	than := "from the manifest"
	if d.Compared != nil {
		than = "from that " + d.Compared.text()
	}
	_, _ = fmt.Fprintf(a.stdout, "  %s: what came %s differs %s\n", visible(where), visible(d.Run.text()), visible(than))
	for _, item := range d.Differences {
		want, got := contrast(item.Want, item.Got)
		_, _ = fmt.Fprintf(a.stdout, "    %s\n      want %s\n      got  %s\n",
			style.strong(visible(item.Field)), style.good(visible(want)), style.bad(visible(got)))
	}
	if d.More > 0 {
		_, _ = fmt.Fprintf(a.stdout, "    … and %d more differences\n", d.More)
	}
	if d.Hint != "" {
		_, _ = fmt.Fprintf(a.stdout, "  hint: %s\n", visible(d.Hint))
	}
}

// contrast shows two values where they begin to differ.
func contrast(want, got *string) (string, string) {
	const before, shown = 20, 100
	if want == nil || got == nil {
		return orAbsent(want, shown), orAbsent(got, shown)
	}
	a, b := []rune(*want), []rune(*got)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	start -= before
	if start <= before || max(len(a), len(b)) <= shown {
		return cut(*want, shown), cut(*got, shown)
	}
	return cut("…"+string(a[start:]), shown), cut("…"+string(b[start:]), shown)
}

func orAbsent(value *string, longest int) string {
	if value == nil {
		return "absent"
	}
	return cut(*value, longest)
}
