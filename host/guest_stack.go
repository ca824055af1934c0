package host

import "strings"

// AuthorStack is the stack of a guest in Go without the frames of the guest SDK
// and of the Go runtime, so that the author's come first. Other stacks, and one
// that has no frames of the author's, are as they are.
func (e *GuestError) AuthorStack() string {
	header, frames, _ := strings.Cut(e.Stack, "\n")
	if !strings.HasPrefix(header, "goroutine ") {
		return e.Stack
	}
	var b strings.Builder
	skipped := false
	for line := range strings.Lines(frames) {
		if place, ok := strings.CutPrefix(line, "\t"); ok { // of the function in the line before
			place, _, _ = strings.Cut(place, " +0x")
			line = "\t" + strings.TrimRight(place, "\n") + "\n"
		} else {
			skipped = !isAuthors(line)
		}
		if !skipped {
			b.WriteString(line)
		}
	}
	if b.Len() == 0 {
		return e.Stack
	}
	return b.String()
}

// isAuthors tells whether a function is neither the SDK's nor the Go runtime's.
func isAuthors(function string) bool {
	function = strings.TrimPrefix(function, "created by ")
	for _, prefix := range []string{"github.com/wasmsandbox/wasmsandbox/guest.", "panic(", "runtime.", "internal/runtime/"} {
		if strings.HasPrefix(function, prefix) {
			return false
		}
	}
	return true
}
