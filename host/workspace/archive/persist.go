package archive

import (
	"archive/tar"
	"bytes"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Persist makes a tar of the root and all below it at one moment, without some
// paths relative to the root and what is below these (S6.86). Names begin with "./",
// hard links become files of their own, and nothing in it is the host's: the same
// workspace makes the same bytes.
func Persist(t *workspace.Tree, skip []string) (*Tar, error) {
	skip, err := relatives(t.Policy(), skip)
	if err != nil {
		return nil, err
	}
	entries := t.Snapshot(skip...)
	w := &tarParts{}
	writer := tar.NewWriter(w)
	if err := writer.WriteHeader(mark(len(entries))); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := w.add(writer, e); err != nil {
			return nil, &MemberError{Path: t.Policy().Root(), Member: e.Path, Reason: ReasonName, Err: err}
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	w.flush()
	return &Tar{parts: w.parts, size: w.size}, nil
}

// relatives are paths as seen from the root.
func relatives(p workspace.Policy, paths []string) ([]string, error) {
	seen := make([]string, 0, len(paths))
	for _, name := range paths {
		rel, err := p.Relative(name)
		if err != nil {
			return nil, err
		}
		seen = append(seen, rel)
	}
	return seen, nil
}

// tarParts puts a tar together, copying small contents only.
type tarParts struct {
	parts   [][]byte
	size    int64
	buffer  []byte // what was copied, and room for more
	cut     int    // so much of the buffer is in parts already
	content []byte // that the writer is about to write
}

const (
	copyBelow  = 1 << 10  // contents of fewer bytes are copied
	partBuffer = 64 << 10 // how much is copied into one array
)

func (w *tarParts) add(writer *tar.Writer, e workspace.Entry) error {
	if err := writer.WriteHeader(header(e)); err != nil {
		return err
	}
	w.content = e.Content
	if _, err := writer.Write(e.Content); err != nil {
		return err
	}
	w.content = nil
	return writer.Flush()
}

// Write takes what the writer writes. The content of an entry is taken as it is,
// when it comes as it is.
func (w *tarParts) Write(p []byte) (int, error) {
	w.size += int64(len(p))
	if len(p) >= copyBelow && len(w.content) == len(p) && &w.content[0] == &p[0] {
		w.flush()
		w.parts = append(w.parts, w.content)
		return len(p), nil
	}
	if len(p) > cap(w.buffer)-len(w.buffer) {
		w.flush()
		w.buffer, w.cut = make([]byte, 0, max(partBuffer, len(p))), 0
	}
	w.buffer = append(w.buffer, p...)
	return len(p), nil
}

// flush makes a part of what was copied.
func (w *tarParts) flush() {
	if w.cut < len(w.buffer) {
		w.parts = append(w.parts, w.buffer[w.cut:])
		w.cut = len(w.buffer)
	}
}

// A Tar is a tar in memory. It shares the contents of files with the workspace that
// it is of, and never changes. It is safe for concurrent use.
type Tar struct {
	parts [][]byte
	size  int64
}

// Size is its length in bytes.
func (t *Tar) Size() int64 { return t.size }

// WriteTo writes all of it.
func (t *Tar) WriteTo(w io.Writer) (n int64, err error) {
	for _, part := range t.parts {
		written, err := w.Write(part)
		n += int64(written)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Bytes is a copy of all of it, which the caller owns.
func (t *Tar) Bytes() []byte {
	whole := make([]byte, 0, t.size)
	for _, part := range t.parts {
		whole = append(whole, part...)
	}
	return whole
}

// Reader reads it from its beginning. It implements [io.WriterTo] as well.
func (t *Tar) Reader() io.ReadCloser {
	readers := make([]io.Reader, len(t.parts))
	for i, part := range t.parts {
		readers[i] = bytes.NewReader(part)
	}
	return tarReader{io.MultiReader(readers...)}
}

type tarReader struct{ io.Reader }

func (tarReader) Close() error { return nil }

func (r tarReader) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, r.Reader) }
