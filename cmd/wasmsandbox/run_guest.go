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
	return r.style.bad(who+" "+string(e.Kind)) + orNothing(": ", guestMessage(e))
}

// guestMessage is what a guest failed with, in one line.
func guestMessage(e *host.GuestError) string {
	if e.Kind == host.GuestExit {
		return join("code "+strconv.Itoa(e.ExitCode), short(e.Message))
	}
	return short(e.Message)
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
	for _, part := range []struct{ title, text string }{{"stack", authorStack(e.Stack)}, {"stderr", stderr}} {
		if text := strings.TrimRight(part.text, "\n"); text != "" {
			lines = append(lines, r.style.faint(part.title))
			for line := range strings.SplitSeq(visible(text), "\n") {
				lines = append(lines, "  "+strings.ReplaceAll(line, "\t", "  "))
			}
		}
	}
	return lines
}

// authorStack is the stack of a Go guest without the frames of the SDK and of the
// Go runtime, so that the author's come first; other stacks are as they are.
func authorStack(stack string) string {
	if !strings.HasPrefix(stack, "goroutine ") {
		return stack
	}
	_, frames, _ := strings.Cut(stack, "\n")
	var b strings.Builder
	skipped := false
	for line := range strings.Lines(frames) {
		if place, ok := strings.CutPrefix(line, "\t"); ok { // of the function in the line before
			place, _, _ = strings.Cut(place, " +0x")
			line = "\t" + strings.TrimRight(place, "\n") + "\n"
		} else {
			skipped = !ofAuthor(line)
		}
		if !skipped {
			b.WriteString(line)
		}
	}
	if b.Len() == 0 {
		return stack
	}
	return b.String()
}

// ofAuthor tells whether a function is neither the SDK's nor the Go runtime's.
func ofAuthor(function string) bool {
	function = strings.TrimPrefix(function, "created by ")
	for _, prefix := range []string{modulePath + "/guest.", "panic(", "runtime.", "internal/runtime/"} {
		if strings.HasPrefix(function, prefix) {
			return false
		}
	}
	return true
}
