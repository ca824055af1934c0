package shell

import (
	"bytes"
	"cmp"
	"io"
	"runtime"
)

// typedLines give a parser what is typed: a line at a time and nothing of the next, which may be
// for a command.
type typedLines struct {
	run    *run
	in     input
	rest   []byte // of the line
	size   int    // of the statement so far
	frames int    // how deep what runs the parser is nested
	err    error  // the end
	closed bool   // nothing more is read
}

// begin begins a statement.
func (t *typedLines) begin() {
	t.size, t.rest, t.err, t.closed = 0, nil, nil, false
}

// frames is how many Go functions are nested.
func frames() int {
	for size := 256; ; size *= 2 {
		if n := runtime.Callers(0, make([]uintptr, size)); n < size {
			return n
		}
	}
}

func (t *typedLines) Read(p []byte) (int, error) {
	var one [1]uintptr
	if runtime.Callers(t.frames+framesPerParser, one[:]) > 0 {
		return 0, errNesting
	}
	if t.closed {
		return 0, io.EOF
	}
	if len(t.rest) == 0 {
		t.rest, t.err = t.line()
	}
	n := copy(p[:min(len(p), readAtATime)], t.rest)
	t.rest = t.rest[n:]
	if n > 0 {
		return n, nil
	}
	return 0, t.err
}

// isComment reports whether a line that begins a statement has none.
func isComment(line []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) }

// line reads a line, or what there is of one at the end.
func (t *typedLines) line() (line []byte, err error) {
	var one [1]byte
	for len(line) == 0 || line[len(line)-1] != '\n' {
		n, err := t.in.Read(one[:])
		if n == 0 {
			if err == io.EOF && len(line) > 0 {
				return append(line, '\n'), err
			}
			return line, cmp.Or(err, io.ErrNoProgress)
		}
		line = append(line, one[0])
		if t.size++; t.size > t.run.limits.Script {
			return nil, t.run.exceeded("script", int64(t.run.limits.Script))
		}
	}
	if t.size == len(line) && isComment(line) {
		return []byte{'\n'}, nil // the parser gets deeper into itself with each one
	}
	return line, nil
}
