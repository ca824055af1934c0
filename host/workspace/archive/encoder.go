package archive

import (
	"archive/tar"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// An encoder makes a tar of entries, part by part. It copies small contents only, and
// keeps no more than one part.
type encoder struct {
	root    string
	entries []workspace.Entry // that are yet to come
	marked  bool              // the mark has been written
	done    bool              // and so has all
	writer  *tar.Writer       // to the encoder's Write
	parts   [][]byte          // that have been made
	buffer  []byte            // what was copied
	cut     int               // so much of the buffer is in parts already
	content []byte            // that the writer is about to write
}

const (
	copyBelow   = 16 << 10 // contents of fewer bytes are copied
	partBuffer  = 64 << 10 // what is copied into one part
	longestPart = 1 << 20
)

func newEncoder(t *Tar) *encoder {
	e := &encoder{root: t.root, entries: t.entries}
	e.writer = tar.NewWriter(e)
	return e
}

// next gives a part, which is good until the next one. At the end the error is io.EOF.
func (e *encoder) next() ([]byte, error) {
	if len(e.parts) == 0 {
		if err := e.fill(); err != nil {
			return nil, err
		}
	}
	part := e.parts[0]
	if len(part) > longestPart {
		e.parts[0] = part[longestPart:]
		return part[:longestPart], nil
	}
	e.parts = e.parts[1:]
	return part, nil
}

// fill makes at least one part, all others having been used.
func (e *encoder) fill() error {
	if e.done {
		return io.EOF
	}
	e.parts = e.parts[:0]
	e.buffer, e.cut = e.buffer[:copy(e.buffer, e.buffer[e.cut:])], 0
	for len(e.parts) == 0 && len(e.buffer) < partBuffer/2 && !e.done {
		if err := e.step(); err != nil {
			return err
		}
	}
	if len(e.parts) == 0 || e.done {
		e.flush()
	}
	return nil
}

// step encodes the next entry, or what is before the first and behind the last one.
func (e *encoder) step() error {
	switch {
	case !e.marked:
		e.marked = true
		return e.writer.WriteHeader(mark(len(e.entries)))
	case len(e.entries) == 0:
		e.done = true
		return e.writer.Close()
	}
	entry := &e.entries[0]
	e.entries = e.entries[1:]
	if err := e.add(entry); err != nil {
		return &MemberError{Path: e.root, Member: entry.Path, Reason: ReasonName, Err: err}
	}
	return nil
}

func (e *encoder) add(entry *workspace.Entry) error {
	if err := e.writer.WriteHeader(header(entry)); err != nil {
		return err
	}
	e.content = entry.Content
	if _, err := e.writer.Write(entry.Content); err != nil {
		return err
	}
	e.content = nil
	return e.writer.Flush()
}

// Write takes what the writer writes. The content of an entry is taken as it is,
// when it comes as it is.
func (e *encoder) Write(p []byte) (int, error) {
	if len(p) >= copyBelow && len(e.content) == len(p) && &e.content[0] == &p[0] {
		e.flush()
		e.parts = append(e.parts, e.content)
		return len(p), nil
	}
	if len(p) > cap(e.buffer)-len(e.buffer) {
		e.flush()
		e.buffer, e.cut = make([]byte, 0, max(partBuffer, len(p))), 0
	}
	e.buffer = append(e.buffer, p...)
	return len(p), nil
}

// flush makes a part of what was copied.
func (e *encoder) flush() {
	if e.cut < len(e.buffer) {
		e.parts = append(e.parts, e.buffer[e.cut:])
		e.cut = len(e.buffer)
	}
}
