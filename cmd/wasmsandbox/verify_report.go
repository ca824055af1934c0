package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// What came of a script's runs.
const (
	runsSame         = "same"
	runsDiffer       = "differ"
	runsInvalid      = "invalid"      // the script can't be run, or isn't the manifest's
	runsInconclusive = "inconclusive" // not all runs were made to their end
)

// runsCodes are the exit codes.
var runsCodes = map[string]int{
	runsSame: exitOK, runsDiffer: exitFailed, runsInconclusive: exitTime, runsInvalid: exitUsage,
}

// A verifyDocument is what verify tells.
type verifyDocument struct {
	Status      string          `json:"status"` // the one that decides
	Repeat      int             `json:"repeat"`
	Engines     []string        `json:"engines"`
	ShuffleSeed *uint64         `json:"shuffle_seed"` // null: without --shuffle
	Scripts     []*verifyReport `json:"scripts"`
	Written     string          `json:"written,omitempty"` // with --write: the file
	Error       string          `json:"error,omitempty"`   // why there is no such file

	code int
}

// A verifyReport is what came of one script.
type verifyReport struct {
	File       string            `json:"file"`
	Status     string            `json:"status"`
	Verdict    string            `json:"verdict"` // of the first run
	Calls      int               `json:"calls"`
	Digest     string            `json:"digest"` // of the first run
	Runs       int               `json:"runs"`   // made
	Divergence *verifyDivergence `json:"divergence"`
	Error      *runError         `json:"error"`

	first     *verify.Transcript
	firstRun  verifyRun
	manifest  *verify.Transcript // to compare with in the place of the first run
	wantedSum string             // the manifest's digest
}

// A verifyRun is one run, and how it was made.
type verifyRun struct {
	Engine   string   `json:"engine"`
	Run      int      `json:"run"`      // on the engine in the process, from one
	Process  int      `json:"process"`  // 0: the command's own
	Settings []string `json:"settings"` // what --shuffle has changed
}

// A verifyDivergence is where a run parts from another one.
type verifyDivergence struct {
	Run         verifyRun          `json:"run"`
	Compared    *verifyRun         `json:"compared_with"` // null: the manifest
	Call        *int               `json:"call"`          // null: before or after the calls
	Method      string             `json:"method"`        // of the call
	When        string             `json:"when"`
	Differences []verifyDifference `json:"differences"`
	More        int                `json:"more"` // differences that aren't listed
	Hint        string             `json:"hint"` // what may be why; may be empty
}

// When runs part.
const (
	atStart = "start"
	atCall  = "call"
	atEnd   = "end"
)

// A verifyDifference is a field in which two runs differ.
type verifyDifference struct {
	Field string  `json:"field"`
	Want  *string `json:"want"` // null: only the other run has the field
	Got   *string `json:"got"`
}

// mostDifferences is how many differences of a call are listed.
const mostDifferences = 20

func newVerifyReport(file string) *verifyReport { return &verifyReport{File: file} }

// open reports whether more runs can tell more.
func (r *verifyReport) open() bool { return r.Status == "" }

// note takes in a run.
func (r *verifyReport) note(ctx context.Context, run verifyRun, t *verify.Transcript, err error) {
	switch {
	case !r.open():
		return
	case err != nil && ctx.Err() != nil:
		r.finish(ctx)
		return
	case errors.As(err, new(*host.CallTimeError)):
		r.giveUp(err.Error() + ", " + run.text())
		return
	case err != nil:
		r.refuse(run, err)
		return
	}
	if run.Settings == nil {
		run.Settings = []string{}
	}
	r.Runs++
	if r.first == nil {
		r.first, r.firstRun = t, run
		r.Verdict, r.Calls, r.Digest = t.Verdict, t.Calls(), digestText(t.Digest())
		if r.manifest == nil {
			return
		}
	}
	want, got, wanted := r.first, t, r.Digest
	if r.manifest != nil {
		want, got, wanted = r.manifest, t.Portable(verify.ManifestValue), r.wantedSum
	}
	differences := verify.Compare(want, got)
	if sum := digestText(t.Digest()); len(differences) == 0 && sum != wanted { // as facts in another order are
		differences = []verify.Difference{{Call: verify.AtEnd, Field: "digest", Want: wanted, Got: sum}}
	}
	if len(differences) > 0 {
		r.part(run, want, got, differences)
	}
}

// part notes where a run parts from what it was compared with.
func (r *verifyReport) part(run verifyRun, want, got *verify.Transcript, differences []verify.Difference) {
	first := verify.First(differences)
	d := &verifyDivergence{Run: run, When: atCall, Differences: []verifyDifference{}}
	if r.manifest == nil {
		d.Compared = &r.firstRun
	}
	switch call := first[0].Call; call {
	case verify.AtStart:
		d.When = atStart
	case verify.AtEnd:
		d.When = atEnd
	default:
		d.Call = &call
		d.Method, _ = want.Value(call, "method")
	}
	for _, difference := range first[:min(len(first), mostDifferences)] {
		item := verifyDifference{Field: difference.Field}
		if difference.Kind != verify.Added {
			item.Want = &difference.Want
		}
		if difference.Kind != verify.Missing {
			item.Got = &difference.Got
		}
		d.Differences = append(d.Differences, item)
	}
	d.More = len(differences) - len(d.Differences)
	d.Hint = clockHint(first[0].Call, want, got)
	r.Status, r.Divergence = runsDiffer, d
}

// clockHint says that the real clock may be why runs part in a call, or after the last:
// it has perhaps ended a command of the workspace by then, which gets as far as the
// machine lets it.
func clockHint(call int, runs ...*verify.Transcript) string {
	for _, run := range runs {
		if ended, found := run.TimedOut(); found && (call == verify.AtEnd || ended <= call) {
			return fmt.Sprintf("call %d was ended by its timeout: by the real clock a command gets not equally far each time", ended+1)
		}
	}
	return ""
}

// refuse notes why the script can't be run.
func (r *verifyReport) refuse(run verifyRun, err error) {
	list := problemsOf(r.File, err)
	if e, ok := errors.AsType[*noCallsError](err); ok {
		list[0].File = e.file
	}
	r.Status, r.Error = runsInvalid, &runError{Message: count(len(list), "problem"), Problems: list}
	if r.first != nil {
		r.Error.Message += " " + run.text()
	}
}

// broken notes that another process didn't make its runs.
func (r *verifyReport) broken(process int, err error) {
	if r.open() {
		r.giveUp(fmt.Sprintf("process %d failed: %v", process, err))
	}
}

// giveUp notes why the runs tell nothing.
func (r *verifyReport) giveUp(message string) {
	r.Status, r.Error = runsInconclusive, &runError{Message: message, Problems: []problemInfo{}}
}

// finish judges the runs when all are made, or the context has ended.
func (r *verifyReport) finish(ctx context.Context) {
	switch {
	case !r.open():
	case ctx.Err() != nil:
		r.giveUp(context.Cause(ctx).Error())
	default:
		r.Status = runsSame
	}
}

// text tells which run it was, as "in run 2 on wazero".
func (r *verifyRun) text() string {
	text := fmt.Sprintf("in run %d on %s", r.Run, r.Engine)
	if r.Process > 0 {
		text = fmt.Sprintf("in process %d on %s", r.Process, r.Engine)
	}
	if len(r.Settings) > 0 {
		text += " (" + strings.Join(r.Settings, ", ") + ")"
	}
	return text
}

// document sums up.
func (p *verifyPlan) document(f *verifyFlags) *verifyDocument {
	d := &verifyDocument{Status: runsSame, Repeat: p.times, Engines: p.engines, Scripts: p.reports}
	if p.shuffle {
		d.ShuffleSeed = &f.seed
	}
	for _, report := range p.reports {
		if code := runsCodes[report.Status]; worse(d.code, code) != d.code {
			d.Status, d.code = report.Status, code
		}
	}
	return d
}

// written notes whether there is a file of --write.
func (d *verifyDocument) written(name string, err error) {
	if err == nil {
		d.Written = name
		return
	}
	d.Error = "--write " + name + ": " + err.Error()
	d.code = worse(d.code, exitFailed)
}
