package v4a

import "strings"

const (
	lf   = "\n"
	crlf = "\r\n"
)

// newlineOf is what ends the lines of a text: CRLF if any does.
func newlineOf(text string) string {
	if strings.Contains(text, crlf) {
		return crlf
	}
	return lf
}

// newlineFor is what is to end the lines of a text that a diff was applied to
// (S6.49).
func newlineFor(input, diff string) string {
	if strings.Contains(input, lf) {
		return newlineOf(input)
	}
	return newlineOf(diff)
}
