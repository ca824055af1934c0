package v4a

import (
	"strings"
	"unicode"
)

// isSpace reports white space as the original has it: what Unicode calls so, and
// four separators of ASCII.
func isSpace(r rune) bool { return unicode.IsSpace(r) || '\x1c' <= r && r <= '\x1f' }

func trim(line string) string { return strings.TrimFunc(line, isSpace) }

func trimRight(line string) string { return strings.TrimRightFunc(line, isSpace) }
