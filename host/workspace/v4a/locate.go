package v4a

import "context"

// A locator finds the places of hunks, one after the other.
type locator struct {
	ctx     context.Context
	file    lines
	diff    *diff
	indexes [forms]*index // nil until needed
	cursor  int           // the line of the file after the last one found
}

// locate is the line of the file where each hunk applies. The first error in the
// order of the diff counts, be it in its form or against the file; but that of the context
// before all, with which whatever takes long is left unfinished.
func locate(ctx context.Context, file lines, d *diff) ([]int, error) {
	l := &locator{ctx: ctx, file: file, diff: d}
	places := make([]int, len(d.hunks))
	for k := range d.hunks {
		place, err := l.place(k)
		if ended := ctx.Err(); ended != nil {
			return nil, ended
		}
		if err != nil {
			return nil, err
		}
		places[k], l.cursor = place, place+d.hunks[k].length
	}
	return places, nil
}

// place is where a hunk applies.
func (l *locator) place(k int) (int, error) {
	if err := l.enter(l.diff.hunks[k]); err != nil {
		return 0, err
	}
	if l.diff.broken != nil && k == len(l.diff.hunks)-1 {
		return 0, l.diff.broken
	}
	return l.find(k)
}

// enter goes to where the headers of a hunk say. A single one is advice; of several,
// each that isn't blank has to be found (S6.55, S6.57, S6.58).
func (l *locator) enter(h hunk) error {
	count := h.body - h.headers
	if count == 0 && l.cursor > 0 {
		return &Error{Kind: MissingHeader, Line: h.headers + 1, Text: l.diff.at(h.headers)}
	}
	first := true
	for i := h.headers; i < h.body; i++ {
		text := l.diff.header(i)
		if trim(text) == "" {
			continue
		}
		if !l.pass(text, first) && count > 1 {
			return &Error{Kind: InvalidAnchor, Line: i + 1, Index: l.cursor, Text: text}
		}
		first = false
	}
	return nil
}

// pass goes to after a line of the file, if there is one like the text. With
// behind, one that is behind the cursor will do, and the cursor stays.
func (l *locator) pass(text string, behind bool) bool {
	for _, f := range []form{exact, trimmed} {
		x := l.index(f)
		if behind && x.isBefore(text, l.cursor) {
			return true
		}
		if line := x.lineFrom(text, l.cursor); line >= 0 {
			l.cursor = line + 1
			return true
		}
	}
	return false
}

// find is the line of the file where the lines are that a hunk looks for (S6.59,
// S6.60).
func (l *locator) find(k int) (int, error) {
	h := l.diff.hunks[k]
	kind := InvalidContext
	if h.atEnd {
		kind = InvalidEndContext
		last := l.file.count() - h.length
		if h.length == 0 || l.anyForm(func(x *index) int { return x.match(h, last) }) >= 0 {
			return last, nil
		}
	}
	if h.length == 0 {
		return l.cursor, nil
	}
	if line := l.anyForm(func(x *index) int { return x.find(k, l.cursor) }); line >= 0 {
		return line, nil
	}
	return 0, &Error{Kind: kind, Line: l.diff.number(h.body), Index: l.cursor, Text: l.diff.wantedText(h)}
}

// anyForm is the first answer that isn't none.
func (l *locator) anyForm(find func(*index) int) int {
	for f := range forms {
		if line := find(l.index(f)); line != none {
			return line
		}
	}
	return none
}

func (l *locator) index(f form) *index {
	if l.indexes[f] == nil {
		l.indexes[f] = newIndex(l.ctx, f, l.file, l.diff)
	}
	return l.indexes[f]
}
