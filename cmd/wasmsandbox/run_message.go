package main

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// messageLines are the message of a call that failed, in full, if the call's line has only
// the beginning of it.
func (r *textReporter) messageLines(c *callReport) []string {
	message := strings.TrimSpace(failureMessage(c))
	line := r.outcome(c)
	switch {
	case strings.Contains(line, visible(message)):
		return nil
	case c.Outcome.Type == gotSandbox && !strings.HasSuffix(line, "…"):
		return nil
	case c.failed != nil && strings.Contains(c.failed.Stderr, message): // which is shown as well
		return nil
	}
	lines := []string{r.style.faint("message")}
	for line := range strings.SplitSeq(visibleLines(message), "\n") {
		lines = append(lines, "  "+line)
	}
	return lines
}

// failureMessage is what the line of a call that failed begins to tell. It is empty if
// that has words of its own.
func failureMessage(c *callReport) string {
	switch o := &c.Outcome; {
	case c.failed != nil && c.failed.Kind == host.GuestDead: // it is told where it died
		return ""
	case c.failed != nil:
		return c.failed.Message
	case o.Error == nil, o.Type == gotUnexpected, o.Type == gotUnsupported:
		return ""
	case o.Type == gotRejected:
		return o.Error.Reason
	default:
		return o.Error.Message
	}
}
