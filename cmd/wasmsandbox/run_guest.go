package main

import (
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
	return r.style.bad(who+" "+e.Kind.String()) + orNothing(": ", guestMessage(e))
}

// guestMessage is what a guest failed with, in one line.
func guestMessage(e *host.GuestError) string {
	if e.Kind == host.GuestExit {
		return join("code "+strconv.Itoa(e.ExitCode), short(e.Message))
	}
	return short(e.Message)
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
