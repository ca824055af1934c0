package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// guestOutcome is which guest failed, and how.
func (r *textReporter) guestOutcome(c *callReport) string {
	e := c.failed
	who := e.Module
	if e.Handler != "" {
		who += "." + e.Handler
	}
	who = visible(who)
	if e.Kind == host.GuestDead && c.deadFrom > 0 { // the first failure has been shown there
		return r.style.bad(who + " is dead since call #" + strconv.Itoa(c.deadFrom))
	}
	if first := diedBefore(c); first != nil {
		return r.style.bad(who+" is dead") + ": it " + first.Kind.String() + orNothing(": ", guestMessage(first))
	}
	text := r.style.bad(who+" "+e.Kind.String()) + orNothing(": ", guestMessage(e))
	if c.late != nil {
		text += fmt.Sprintf(", which was %v (limits.time)", c.late.Limit)
	}
	return text
}

// diedBefore is what ended a guest that was dead when the run began, as it was in the
// checkpoint that the run goes on from. Else it is nil.
func diedBefore(c *callReport) *host.GuestError {
	if c.failed == nil || c.failed.Kind != host.GuestDead || c.deadFrom > 0 {
		return nil
	}
	first, _ := errors.AsType[*host.GuestError](c.failed.Err)
	return first
}

// deathHint is what to do about such a guest.
func deathHint(first *host.GuestError) string {
	if first.Call < 0 {
		return "hint: it was dead in the checkpoint already; run without --from"
	}
	return fmt.Sprintf("hint: that was in call #%d of the session, before the checkpoint; run without --from, or from a checkpoint of before that call", first.Call+1)
}

// guestMessage is what a guest failed with, in one line.
func guestMessage(e *host.GuestError) string {
	if e.Kind == host.GuestExit {
		return join("code "+strconv.Itoa(e.ExitCode), short(e.Message))
	}
	if e.Breach == nil {
		return short(e.Message)
	}
	breach := e.Breach.String() // which is told in full, however long the guest's words are
	words, told := strings.CutSuffix(e.Message, breach)
	if words = strings.TrimSuffix(words, ": "); !told || words == "" {
		return cmp.Or(short(words), breach)
	}
	return short(words) + ": " + breach
}

// folded replaces equal lines that follow each other, as those of a recursion's frames,
// by one that says how many there are.
func folded(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n] == lines[i] {
			n++
		}
		if n > 2 {
			out = append(out, fmt.Sprintf("%s (%d times)", lines[i], n))
		} else {
			out = append(out, lines[i:i+n]...)
		}
		i += n
	}
	return out
}

func (r *textReporter) guestLines(e *host.GuestError) []string {
	var lines []string
	if e.File != "" {
		lines = append(lines, fmt.Sprintf("at %s:%d", visible(e.File), e.Line))
	}
	stderr := e.Stderr
	if e.Stack != "" { // the Go runtime prints it as well
		stderr, _, _ = strings.Cut(stderr, "\n\ngoroutine ")
	}
	for _, part := range []struct{ title, text string }{{"stack", e.AuthorStack()}, {"stderr", stderr}} {
		if text := strings.TrimRight(part.text, "\n"); text != "" {
			lines = append(lines, r.style.faint(part.title))
			for _, line := range folded(strings.Split(visibleLines(text), "\n")) {
				lines = append(lines, "  "+strings.ReplaceAll(line, "\t", "  "))
			}
		}
	}
	return lines
}
