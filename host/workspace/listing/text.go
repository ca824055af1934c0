package listing

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// decode makes text of bytes. Each piece of a character that is broken off, and
// each other byte that isn't UTF-8, becomes U+FFFD.
func decode(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var text strings.Builder
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = brokenLen(b)
		}
		text.WriteRune(r)
		b = b[size:]
	}
	return text.String()
}

// brokenLen is how many bytes at the start of b are one broken character.
func brokenLen(b []byte) int {
	n := 1
	for n < len(b) && !utf8.FullRune(b[:n]) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return n
}

// cutLine cuts the first line off, without its break: any that Unicode knows, as
// in the original.
func cutLine(text string) (line, rest string) {
	end := strings.IndexFunc(text, isLineBreak)
	if end < 0 {
		return text, ""
	}
	line, rest = text[:end], text[end:]
	if strings.HasPrefix(rest, "\r\n") {
		return line, rest[2:]
	}
	_, size := utf8.DecodeRuneInString(rest)
	return line, rest[size:]
}

func isLineBreak(r rune) bool {
	switch {
	case r > 0x1e && r < 0x85:
		return false
	case r >= '\n' && r <= '\r', r >= 0x1c && r <= 0x1e:
		return true
	default:
		return r == 0x85 || r == 0x2028 || r == 0x2029
	}
}

// isSpace is a little wider than that of package unicode, as in the original.
func isSpace(r rune) bool {
	if r > ' ' && r < 0x85 {
		return false
	}
	return r >= 0x1c && r <= ' ' || unicode.IsSpace(r)
}

func isNoSpace(r rune) bool { return !isSpace(r) }

// cutFields cuts as many fields as there is room for off the start of a line, and
// the space around them. It is false if nothing is left then: the rest is a field,
// too (S6.13).
func cutFields(line string, fields []string) (rest string, ok bool) {
	line = trimSpace(line)
	for i := range fields {
		end := strings.IndexFunc(line, isSpace)
		if end < 0 {
			return "", false
		}
		fields[i] = line[:end]
		line = trimSpace(line[end:])
	}
	return line, line != ""
}

// trimSpace cuts the space at the start of a text off.
func trimSpace(text string) string {
	start := strings.IndexFunc(text, isNoSpace)
	if start < 0 {
		return ""
	}
	return text[start:]
}
