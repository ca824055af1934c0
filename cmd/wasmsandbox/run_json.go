package main

import (
	"encoding/json"
	"io"
)

// A reporter prints runs. Errors of the writer are kept by it.
type reporter interface {
	call(script *scriptReport, call *callReport) // when it was made
	atOnce() bool                                // calls aren't wanted any more at the end
	script(script *scriptReport)                 // at its end
	end(code int)                                // of all
}

func (a *app) newReporter(format string, scripts int, fuel bool) reporter {
	switch format {
	case "json":
		return &jsonReporter{w: a.stdout, one: scripts == 1, reports: []*scriptReport{}}
	case "jsonl":
		encoder := json.NewEncoder(a.stdout)
		encoder.SetEscapeHTML(false)
		return lineReporter{encoder}
	default:
		return &textReporter{app: a, w: a.stdout, style: a.palette(a.stdout), total: scripts, fuel: fuel}
	}
}

// jsonReporter prints one document.
type jsonReporter struct {
	w       io.Writer
	one     bool
	reports []*scriptReport
}

func (r *jsonReporter) call(*scriptReport, *callReport) {}
func (r *jsonReporter) atOnce() bool                    { return false }
func (r *jsonReporter) script(s *scriptReport)          { r.reports = append(r.reports, s) }

func (r *jsonReporter) end(code int) {
	if r.one && len(r.reports) == 1 {
		_ = printJSON(r.w, r.reports[0])
		return
	}
	_ = printJSON(r.w, scriptsReport{verdicts[code], r.reports})
}

// A scriptsReport is the document for several scripts.
type scriptsReport struct {
	Verdict string          `json:"verdict"`
	Scripts []*scriptReport `json:"scripts"`
}

// lineReporter prints a line for each call and script.
type lineReporter struct{ encoder *json.Encoder }

// A callLine is the line of a call.
type callLine struct {
	Type string `json:"type"`
	File string `json:"file"`
	*callReport
}

// A summaryLine is the line at the end of a script.
type summaryLine struct {
	Type           string    `json:"type"`
	File           string    `json:"file"`
	Verdict        string    `json:"verdict"`
	Complete       bool      `json:"complete"`
	CallCount      int       `json:"call_count"`
	FailedCalls    int       `json:"failed_calls"`
	RemainingSteps int       `json:"remaining_steps"`
	PendingMethods []string  `json:"pending_methods"`
	Fuel           int64     `json:"fuel"`
	Error          *runError `json:"error"`

	Workspace *workspaceReport `json:"workspace,omitempty"`
	Saved     string           `json:"saved,omitempty"`

	Checkpoint string `json:"checkpoint,omitempty"`
}

func (r lineReporter) call(s *scriptReport, c *callReport) {
	_ = r.encoder.Encode(callLine{"call", s.File, c})
}

func (r lineReporter) atOnce() bool { return true }

func (r lineReporter) script(s *scriptReport) {
	_ = r.encoder.Encode(summaryLine{
		"summary", s.File, s.Verdict, s.Complete, s.made(), s.failed, s.RemainingSteps, s.PendingMethods, s.Fuel, s.Error,
		s.Workspace, s.Saved, s.Checkpoint,
	})
}

func (r lineReporter) end(int) {}
