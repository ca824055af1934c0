package hosttest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// How much a report shows.
const (
	maxCalls      = 50 // the last ones
	maxShortCalls = 10 // in the report of a test that failed otherwise
	maxSteps      = 20 // that are left
	maxShortSteps = 3  // in such a report
	maxNotes      = 12 // lines about one call
	maxColumn     = 44 // width of the calls, as far as they are aligned
)

// A report is what there is to tell of a session.
type report struct {
	script  string // "": made of steps
	records []host.Record
	pending []host.Step
	refused map[host.Method]int // calls of methods that no step is for
	closing error

	strings.Builder
}

// used counts the steps that calls used.
func (r *report) used() int {
	n := 0
	for i := range r.records {
		if r.records[i].Step >= 0 {
			n++
		}
	}
	return n
}

// long tells all.
func (r *report) long(problems []string) string {
	r.title(problems)
	r.calls(maxCalls)
	r.steps(maxSteps)
	if r.closing != nil {
		r.line("closing the session: %s", cut(flat(r.closing.Error()), maxText))
	}
	return strings.TrimSuffix(r.String(), "\n")
}

// short tells of the last calls and the next steps, for a test that has its own message.
func (r *report) short(problems []string) string {
	r.title(problems)
	r.calls(maxShortCalls)
	r.steps(maxShortSteps)
	return strings.TrimSuffix(r.String(), "\n")
}

func (r *report) title(problems []string) {
	session := "the session"
	if r.script != "" {
		session = r.script
	}
	if len(problems) == 0 {
		r.line("%s went as scripted", session)
		return
	}
	r.line("%s didn't go as scripted: %s", session, strings.Join(problems, ", "))
}

func (r *report) line(format string, args ...any) { fmt.Fprintf(r, format+"\n", args...) }

// calls shows the last calls, one a line, with notes below those that went wrong.
func (r *report) calls(limit int) {
	if len(r.records) == 0 {
		r.line("there were no calls")
		return
	}
	first := max(len(r.records)-limit, 0)
	shown := make([]string, len(r.records))
	width := 0
	for i := first; i < len(r.records); i++ {
		shown[i] = showCall(r.records[i].Call)
		if w := utf8.RuneCountInString(shown[i]); w <= maxColumn {
			width = max(width, w)
		}
	}
	r.line("calls:")
	if first > 0 {
		r.line("  … %s", count(first, "earlier call"))
	}
	numbers := len("#" + strconv.Itoa(len(r.records)))
	head := 0 // the step that was next when the call came
	for i := range r.records {
		record := &r.records[i]
		if i >= first {
			padding := strings.Repeat(" ", max(width-utf8.RuneCountInString(shown[i]), 0))
			r.line("  %*s  %s%s  -> %s", numbers, "#"+strconv.Itoa(i+1), shown[i], padding, became(record, head))
			r.notes(record)
		}
		if record.Step >= 0 {
			head = record.Step + 1
		}
	}
}

// became is what became of a call, on one line.
func became(record *host.Record, head int) string {
	if record.Step >= 0 {
		head = record.Step
	}
	step := fmt.Sprintf("step %d", head+1)
	if record.Source != "" {
		step += " (" + record.Source + ")"
	}
	switch judge(record) {
	case running:
		if record.Step < 0 {
			return "hasn't returned: its matcher is that of " + step
		}
		return "hasn't returned: " + step + ", responder"
	case unexpected:
		if record.Expected == 0 {
			return "UNEXPECTED: no steps were left"
		}
		return "UNEXPECTED: " + step + " is for " + record.Expected.String()
	case rejected:
		return "REJECTED by the matcher of " + step + reason(record.Err)
	case failed:
		return "FAILED: " + step + ": " + showError(record.Err)
	default:
		if record.Err == nil {
			return step + ", " + record.Outcome.String()
		}
		if record.Step < 0 {
			return "matcher of " + step + ": " + showError(record.Err)
		}
		if record.Outcome == host.OutcomeError {
			return step + ", error: " + showError(record.Err)
		}
		return step + ", " + record.Outcome.String() + " with the error: " + showError(record.Err)
	}
}

func reason(err error) string {
	if e, ok := errors.AsType[*host.MatcherRejectedError](err); ok && e.Reason != "" {
		return ": " + cut(flat(e.Reason), maxText)
	}
	return ""
}

// notes are the lines below a call: what differs, where it broke, what guests
// said.
func (r *report) notes(record *host.Record) {
	var lines []string
	if e, ok := errors.AsType[*host.MatcherRejectedError](record.Err); ok && record.Step < 0 {
		for _, d := range e.Differences {
			lines = append(lines, fmt.Sprintf("%s: expected %s, got %s", d.Field, showValue(d.Expected), showValue(d.Actual)))
		}
	}
	if judge(record) == failed {
		lines = append(lines, where(record.Err)...)
	}
	for _, entry := range record.Logs {
		lines = append(lines, showLog(entry)...)
	}
	for i, line := range lines {
		if i == maxNotes {
			r.line("        … %s", count(len(lines)-i, "more line"))
			return
		}
		r.line("        %s", line)
	}
}

// steps shows the steps that are left, the next ones first.
func (r *report) steps(limit int) {
	if len(r.pending) == 0 {
		return
	}
	r.line("steps left:")
	used := r.used()
	for i := range r.pending {
		if i == limit {
			r.line("  … %s", count(len(r.pending)-i, "more step"))
			return
		}
		step := &r.pending[i]
		text := fmt.Sprintf("  step %d", used+i+1)
		if step.Source != "" {
			text += " (" + step.Source + ")"
		}
		text += ": " + step.Method.String()
		if step.Match != nil {
			text += ", with a matcher"
		}
		r.line("%s", text)
	}
}
