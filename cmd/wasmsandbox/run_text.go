package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// textReporter prints runs for a person: a script when it has ended, since its
// columns are aligned.
type textReporter struct {
	app   *app
	w     io.Writer
	style palette
	total int  // scripts wanted
	fuel  bool // is shown
	seen  int
	held  int
}

// detail is the indent of what belongs to a call.
const detail = "           "

func (r *textReporter) call(*scriptReport, *callReport) {}
func (r *textReporter) atOnce() bool                    { return false }

func (r *textReporter) script(s *scriptReport) {
	if r.seen > 0 {
		_, _ = fmt.Fprintln(r.w)
	}
	r.seen++
	if s.code == exitOK {
		r.held++
	}
	if s.Error != nil && len(s.Error.Problems) > 0 && len(s.Calls) == 0 {
		r.app.printProblems(r.w, s.File, s.Error.Problems)
		return
	}
	_, _ = fmt.Fprintln(r.w, r.style.strong(visible(s.File)))
	t := newTable(r.w)
	for _, c := range s.Calls {
		t.row(fmt.Sprintf("  %s%*s", r.callMark(c), 4-width(r.callMark(c)), ""), strconv.Itoa(c.Index+1), callText(c), r.style.faint(stepText(c)), r.outcome(c))
		for _, line := range r.details(c) {
			t.line(line)
		}
	}
	t.flush()
	if s.Workspace != nil {
		r.workspaceLines(s.Workspace)
	} else if s.bare {
		_, _ = fmt.Fprintf(r.w, "  %s\n", r.style.faint("no workspace"))
	}
	r.sum(s)
}

func (r *textReporter) mark(ok bool) string {
	if ok {
		return r.style.good("ok")
	}
	return r.style.bad("FAIL")
}

// callMark is the mark of a call, and verdict that of a script: TIME says that there was
// none to find out.
func (r *textReporter) callMark(c *callReport) string {
	if c.inconclusive {
		return r.style.note("TIME")
	}
	return r.mark(c.OK)
}

func (r *textReporter) verdict(s *scriptReport) string {
	if s.code == exitTime {
		return r.style.note("TIME")
	}
	return r.mark(s.code == exitOK)
}

// stepText is where the step is written that was next.
func stepText(c *callReport) string {
	switch {
	case c.AnsweredBy == byWorkspace:
		return byWorkspace
	case c.Step == nil:
		return "-"
	}
	return shortSource(c.Step.Source)
}

// shortSource is a place in a script without the script's folder.
func shortSource(source string) string { return visible(filepath.Base(source)) }

// outcome is what the caller got, in one line.
func (r *textReporter) outcome(c *callReport) string {
	o := &c.Outcome
	switch o.Type {
	case gotResult:
		return resultText(o.Result)
	case gotSandbox:
		text := whole(o.Error.Message)
		if limit, ok := o.Error.Context["limit"].(string); ok { // of the shell
			text += fmt.Sprintf(" (over the limit of %v for %s)", o.Error.Context["limit_max"], visible(limit))
		}
		return r.style.note("error "+cut(visible(o.Error.Code), longestOutcome)) + ": " + text
	case gotUnexpected:
		if c.Step == nil {
			return r.style.bad("unexpected") + ": no step is left"
		}
		return r.style.bad("unexpected") + ": the step is for " + c.Step.Method
	case gotRejected:
		return r.style.bad("rejected") + orNothing(": ", short(o.Error.Reason))
	case gotUnsupported:
		return r.style.bad("unsupported") + ": the script has no step for it"
	case gotGuestError:
		return r.guestOutcome(c)
	case gotInvalid:
		return r.style.bad("invalid") + ": " + short(o.Error.Message)
	default:
		return r.style.bad("failed") + ": " + short(o.Error.Message)
	}
}

// details are the lines below a call: what differs, how the guest failed, and
// what it said.
func (r *textReporter) details(c *callReport) []string {
	var lines []string
	if !c.OK {
		lines = append(lines, r.place(c))
		lines = append(lines, r.messageLines(c)...)
	}
	if r.fuel && c.Fuel > 0 {
		lines = append(lines, r.style.faint("fuel ")+strconv.FormatInt(c.Fuel, 10))
	}
	for _, d := range c.Differences {
		lines = append(lines,
			r.style.strong(visible(d.Field)),
			"  want "+r.style.good(visible(d.Expected)), "  got  "+r.style.bad(visible(d.Actual)))
	}
	if first := diedBefore(c); first != nil {
		lines = append(lines, deathHint(first))
	}
	if c.failed != nil {
		lines = append(lines, r.guestLines(c.failed)...)
	}
	for _, l := range c.Logs {
		if c.failed != nil && c.failed.Stderr != "" && l.Source == host.SourceStderr.String() {
			continue // it is there already
		}
		lines = append(lines, r.logLines(l)...)
	}
	for i := range lines {
		lines[i] = detail + lines[i]
	}
	return lines
}

// place is where the call and its step are written, in full.
func (r *textReporter) place(c *callReport) string {
	text := r.style.faint("call ") + visible(c.Source)
	if c.Step != nil && c.Step.Source != "" {
		text += r.style.faint(", step ") + visible(c.Step.Source)
	}
	return text
}

func (r *textReporter) logLines(l logInfo) []string {
	title := l.Module + " " + l.Source
	if l.Level != "" {
		title = l.Module + " " + l.Level
	}
	var lines []string
	if text := strings.TrimRight(l.Text, "\n"); text != "" {
		for line := range strings.SplitSeq(visibleLines(text), "\n") {
			lines = append(lines, r.style.faint(visible(title)+": ")+line)
		}
	}
	if l.Dropped > 0 {
		lines = append(lines, r.style.faint(visible(title)+": ")+byteSize(uint64(l.Dropped))+" dropped")
	}
	return lines
}

// sum prints the last line of a script.
func (r *textReporter) sum(s *scriptReport) {
	consumed := s.before + s.steps
	calls, steps := count(s.made(), "call"), fmt.Sprintf("%d of %s consumed", consumed, count(consumed+s.RemainingSteps, "step"))
	switch {
	case s.Complete && consumed == 0:
		steps = "no steps"
	case s.Complete:
		steps = "all " + count(consumed, "step") + " consumed"
	}
	if s.backed > 0 {
		steps += fmt.Sprintf(", %d answered by the workspace", s.backed)
	}
	if r.fuel {
		steps += fmt.Sprintf(", %d fuel", s.Fuel)
	}
	if n := s.failed; n > 0 {
		what := "failed"
		if s.code == exitTime {
			what = "without an answer"
		}
		calls = fmt.Sprintf("%d of %s %s", n, calls, what)
	}
	for i, step := range s.pending {
		if i == 10 {
			_, _ = fmt.Fprintf(r.w, "  %s  … and %d more\n", r.style.note("left"), len(s.pending)-i)
			break
		}
		_, _ = fmt.Fprintf(r.w, "  %s  %s %s\n", r.style.note("left"), step.Method, r.style.faint(shortSource(step.Source)))
	}
	if s.Saved != "" {
		_, _ = fmt.Fprintf(r.w, "  %s  %s\n", r.style.note("saved"), visible(s.Saved))
	}
	if s.Checkpoint != "" {
		_, _ = fmt.Fprintf(r.w, "  %s  %s\n", r.style.note("kept"), visible(s.Checkpoint))
	}
	if s.Error != nil && len(s.Error.Problems) == 0 {
		_, _ = fmt.Fprintf(r.w, "  %s %s\n", r.style.bad("error:"), indented(s.Error.Message))
	} else if s.Error != nil {
		r.app.printProblems(r.w, s.File, s.Error.Problems)
	}
	_, _ = fmt.Fprintf(r.w, "%s  %s, %s\n", r.verdict(s), calls, steps)
}

func (r *textReporter) end(int) {
	if r.total > 1 {
		_, _ = fmt.Fprintf(r.w, "\n%s  %d of %s held\n", r.mark(r.held == r.total), r.held, count(r.total, "script"))
	}
}
