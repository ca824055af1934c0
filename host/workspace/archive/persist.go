package archive

import (
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
	return &Tar{root: t.Policy().Root(), entries: t.Snapshot(skip...)}, nil
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

// A Tar is a tar that is made as it is written or read, again each time. It shares
// the contents of files with the workspace that it is of, and never changes. It is
// safe for concurrent use.
//
// What can't be in a tar, such as an owner with NUL in the name, is a *MemberError
// when its turn comes.
type Tar struct {
	root    string
	entries []workspace.Entry
}

// WriteTo writes all of it, no more than 1 MiB at a time. It stops with the writer's
// first error.
func (t *Tar) WriteTo(w io.Writer) (int64, error) { return t.read().WriteTo(w) }

// Reader reads it from its beginning. It implements [io.WriterTo] as well.
func (t *Tar) Reader() io.ReadCloser { return t.read() }

func (t *Tar) read() *tarReader { return &tarReader{encoder: newEncoder(t)} }

type tarReader struct {
	encoder *encoder
	rest    []byte // of a part
}

func (r *tarReader) Read(p []byte) (n int, err error) {
	for len(r.rest) == 0 && err == nil && len(p) > 0 {
		r.rest, err = r.encoder.next()
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, err
}

func (r *tarReader) WriteTo(w io.Writer) (n int64, err error) {
	for {
		written, err := w.Write(r.rest)
		n += int64(written)
		r.rest = r.rest[written:]
		if err == nil {
			r.rest, err = r.encoder.next()
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

func (*tarReader) Close() error { return nil }
