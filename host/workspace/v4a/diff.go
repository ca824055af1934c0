package v4a

import (
	"iter"
	"strings"
)

// What starts or makes up the lines of a diff that aren't part of a file.
const (
	bareHeader   = "@@"
	headerPrefix = "@@ "
	markerPrefix = "***"
	endOfFile    = "*** End of File"
	endOfPatch   = "*** End Patch"
)

// A diff is cut into lines and hunks.
type diff struct {
	lines  lines // with their carriage returns
	length int   // of lines, without an empty last one

	hunks  []hunk
	broken *Error // why the last hunk can't be read; nil when all can
}

// splitDiff cuts a diff into lines only (S6.50).
func splitDiff(text string) *diff {
	d := &diff{lines: split(text)}
	d.length = d.lines.count()
	if d.at(d.length-1) == "" {
		d.length--
	}
	return d
}

// at is a line of a diff without its carriage returns.
func (d *diff) at(i int) string { return strings.TrimRight(d.lines.at(i), "\r") }

// orEnd is a line, or what follows the last one.
func (d *diff) orEnd(i int) string {
	if i >= d.length {
		return endOfPatch
	}
	return d.at(i)
}

// number is what people call a line that may be the one after the last.
func (d *diff) number(i int) int { return max(1, min(i+1, d.length)) }

// endsSection reports whether a line ends what a diff says of its file.
func endsSection(line string) bool {
	if !strings.HasPrefix(line, markerPrefix) {
		return false
	}
	for _, prefix := range []string{endOfPatch, "*** Update File:", "*** Delete File:", "*** Add File:"} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

// endsHunks reports whether a line ends all hunks, when it is where one could start.
func endsHunks(line string) bool { return endsSection(line) || strings.HasPrefix(line, endOfFile) }

// header is the text of a header: the line of the file to go to. It is blank when
// there is none.
func (d *diff) header(i int) string { return strings.TrimPrefix(d.at(i)[len(bareHeader):], " ") }

// wanted are the lines that a hunk looks for.
func (d *diff) wanted(h hunk) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := h.body; i < h.end; i++ {
			if op, text := cutLine(d.at(i)); op != add && !yield(text) {
				return
			}
		}
	}
}

// wantedText is the same as one text.
func (d *diff) wantedText(h hunk) string {
	var b strings.Builder
	for line := range d.wanted(h) {
		b.WriteString(line)
		b.WriteString(lf)
	}
	return strings.TrimSuffix(b.String(), lf)
}
