package v4a

import "strings"

// Create makes a text of a diff that has only lines to add, and ends at a header of
// the next file or the end of the patch (S6.51). The lines end with CRLF if any of
// the diff's does; the last one has no end, unless the diff's last line is a bare +
// (S6.52). The error is an [*Error] of the kind [InvalidAddLine] or [TooLarge].
func Create(diff string) (string, error) {
	if err := checkSize("diff", diff, MaxDiff); err != nil {
		return "", err
	}
	d := splitDiff(diff)
	newline := newlineOf(diff)
	var b strings.Builder
	b.Grow(len(diff))
	for i := 0; i < d.length && !endsSection(d.at(i)); i++ {
		text, ok := strings.CutPrefix(d.at(i), "+")
		if !ok {
			return "", &Error{Kind: InvalidAddLine, Line: i + 1, Text: d.at(i)}
		}
		if i > 0 {
			b.WriteString(newline)
		}
		b.WriteString(text)
	}
	return b.String(), nil
}
