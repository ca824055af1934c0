package v4a

import "strings"

// A hunk is the lines of a diff that change one place. All fields count from 0.
type hunk struct {
	headers int // the first line, which is a header if it isn't the body's first
	body    int // the first line to keep, delete or add
	end     int // the line after the last

	offset int  // how many lines the hunks before it look for
	length int  // how many it looks for
	atEnd  bool // an end-of-file marker follows
}

// What the first character of a line says.
const (
	keep   = ' '
	remove = '-'
	add    = '+'
)

// cutLine tells a line of a body from what is to be done with it. The empty line is
// one to keep.
func cutLine(line string) (op byte, text string) {
	if line == "" {
		return keep, ""
	}
	return line[0], line[1:]
}

// parse finds the hunks of a diff, up to the first that can't be read (S6.53).
func (d *diff) parse() {
	offset := 0
	for at := 0; at < d.length && !endsHunks(d.at(at)) && d.broken == nil; {
		h := hunk{headers: at, body: d.skipHeaders(at), offset: offset}
		d.broken = d.readBody(&h)
		if at = h.end; h.atEnd {
			at++
		}
		offset += h.length
		d.hunks = append(d.hunks, h)
	}
}

// skipHeaders is the first line that isn't a header (S6.54, S6.56).
func (d *diff) skipHeaders(at int) int {
	for at < d.length && (d.at(at) == bareHeader || strings.HasPrefix(d.at(at), headerPrefix)) {
		at++
	}
	return at
}

// readBody sets what comes after the headers of a hunk. A body that can't be read is
// left empty.
func (d *diff) readBody(h *hunk) *Error {
	h.end = h.body
	at, length := h.body, 0
	for ; at < d.length && !endsBody(d.at(at)); at++ {
		line := d.at(at)
		op, _ := cutLine(line)
		if op != keep && op != remove && op != add {
			return &Error{Kind: InvalidLine, Line: at + 1, Text: line}
		}
		if op != add {
			length++
		}
	}
	atEnd := d.orEnd(at) == endOfFile
	if at == h.body && !atEnd {
		return &Error{Kind: EmptyHunk, Line: d.number(at), Index: at, Text: d.orEnd(at)}
	}
	h.end, h.length, h.atEnd = at, length, atEnd
	return nil
}

// endsBody reports whether a line belongs to no body. Three asterisks with something
// else than a marker after them are no end, but can't be used either.
func endsBody(line string) bool {
	return strings.HasPrefix(line, bareHeader) || line == markerPrefix || endsHunks(line)
}
