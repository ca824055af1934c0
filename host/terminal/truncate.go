package terminal

import (
	"fmt"
	"unicode/utf8"
)

// bytesPerToken is how long a token is taken to be.
const bytesPerToken = 4

// Truncate cuts output down to a number of tokens of four bytes each, with nil to
// none (S7.9). Of output that is too long the start and the end are left, with the
// number of tokens removed between them, and before all of it the number of lines,
// if there is room for that. The other result is how many tokens there were; nil:
// nothing was cut.
//
// Characters aren't cut. Bytes that aren't UTF-8 count as one character each.
// Output that isn't cut is the slice given, else it is a new one.
func Truncate(output []byte, maxTokens *int) ([]byte, *int) {
	if maxTokens == nil {
		return output, nil
	}
	tokens := max(*maxTokens, 0)
	if len(output)/bytesPerToken < tokens || len(output) <= tokens*bytesPerToken {
		return output, nil
	}
	return cut(output, tokens*bytesPerToken), new(tokensOf(len(output)))
}

// tokensOf rounds up.
func tokensOf(n int) int { return (n + bytesPerToken - 1) / bytesPerToken }

func tokenMark(removed int) string { return fmt.Sprintf("…%d tokens truncated…", removed) }

// cut makes output fit that is longer than budget, in bytes. The marks take their
// room as if all of the output were removed.
func cut(output []byte, budget int) []byte {
	lines := fmt.Sprintf("Total output lines: %d\n\n", countLines(output))
	mark := tokenMark(tokensOf(len(output)))
	if len(lines)+len(mark) > budget {
		lines = ""
	}
	room := budget - len(lines) - len(mark)
	if room < 0 {
		return firstRunes([]byte(mark), budget)
	}
	first := firstRunes(output, room/2)
	last := lastRunes(output[len(first):], room-room/2)
	mark = tokenMark(tokensOf(len(output) - len(first) - len(last)))
	return fmt.Appendf(nil, "%s%s%s%s", lines, first, mark, last)
}

// firstRunes is the longest start of b that has at most n bytes and whole
// characters.
func firstRunes(b []byte, n int) []byte {
	n = min(n, len(b))
	for n > 0 && n < len(b) && inRune(b, n) {
		n--
	}
	return b[:n]
}

// lastRunes is the longest end of b that has at most n bytes and whole characters.
func lastRunes(b []byte, n int) []byte {
	start := max(len(b)-n, 0)
	for start < len(b) && inRune(b, start) {
		start++
	}
	return b[start:]
}

// inRune says whether the byte at i continues a character that starts before it.
func inRune(b []byte, i int) bool {
	for start := i - 1; start >= max(i-utf8.UTFMax+1, 0); start-- {
		if utf8.RuneStart(b[start]) {
			_, size := utf8.DecodeRune(b[start:])
			return start+size > i
		}
	}
	return false
}

// countLines counts lines as Unicode parts them. A last one needs no break.
func countLines(b []byte) int {
	lines, open := 0, false
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == '\r' && len(b) > 1 && b[1] == '\n' {
			size = 2
		}
		b = b[size:]
		open = !isLineBreak(r)
		if !open {
			lines++
		}
	}
	if open {
		lines++
	}
	return lines
}

func isLineBreak(r rune) bool {
	switch {
	case r >= '\n' && r <= '\r', r >= 0x1c && r <= 0x1e:
		return true
	default:
		return r == 0x85 || r == 0x2028 || r == 0x2029
	}
}
