package v4a

import "strings"

// A merger writes a file and the hunks' changes.
type merger struct {
	file    lines
	newline string
	next    int // the first line of the file that is neither copied nor deleted

	out     strings.Builder
	started bool // something was written, and be it an empty line
}

// merge applies hunks at their places, which are lines of the file (S6.61, S6.62).
func merge(file lines, d *diff, places []int, newline string) (string, error) {
	m := &merger{file: file, newline: newline}
	m.out.Grow(len(file.text) + len(d.lines.text))
	for k, h := range d.hunks {
		if err := m.apply(d, h, places[k]); err != nil {
			return "", err
		}
	}
	m.copyTo(file.count())
	return m.out.String(), nil
}

// apply makes the changes of one hunk. Lines to keep aren't copied before a change
// comes after them: a hunk at the end of the file may keep what one before it has
// passed (S6.60).
func (m *merger) apply(d *diff, h hunk, place int) error {
	changing := false
	for i := h.body; i < h.end; i++ {
		op, text := cutLine(d.at(i))
		if op != keep && !changing {
			if place < m.next {
				return &Error{Kind: OverlappingHunk, Line: i + 1, Index: place, Text: d.at(i)}
			}
			m.copyTo(place)
		}
		changing = op != keep
		switch op {
		case keep:
			place++
		case remove:
			place++
			m.next++
		case add:
			m.write(text)
		}
	}
	return nil
}

// copyTo copies the file up to before a line.
func (m *merger) copyTo(line int) {
	if m.next == line {
		return
	}
	if m.newline == lf {
		m.write(m.file.between(m.next, line))
		m.next = line
	}
	for ; m.next < line; m.next++ {
		m.write(m.file.at(m.next))
	}
}

// write writes a line, or several with the newlines between them.
func (m *merger) write(text string) {
	if m.started {
		m.out.WriteString(m.newline)
	}
	m.started = true
	m.out.WriteString(text)
}
