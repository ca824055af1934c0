package snapshot

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Local stores in a folder of the host, as the file <id>.tar (S6.89).
type Local struct{ id, dir string }

var _ Snapshot = (*Local)(nil)

// NewLocal makes a snapshot in a folder, which is made when it is needed. The error
// is an *IDError.
func NewLocal(dir, id string) (*Local, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	return &Local{id: id, dir: dir}, nil
}

// ID is what it was made with.
func (l *Local) ID() string { return l.id }

// Path is where the file is.
func (l *Local) Path() string { return filepath.Join(l.dir, l.id+".tar") }

// Persist writes a hidden file beside the real one, and makes it that one once all
// of it is on the disk. Of several at the same time the last to finish stays.
func (l *Local) Persist(ctx context.Context, tar io.Reader) error {
	if err := l.persist(ctx, tar); err != nil {
		return &PersistError{ID: l.id, Path: l.Path(), Err: err}
	}
	return nil
}

func (l *Local) persist(ctx context.Context, tar io.Reader) error {
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(l.dir, "."+l.id+".tar.*.tmp")
	if err != nil {
		return err
	}
	stored := false
	defer func() {
		if !stored { // after a panic of the reader as well
			_ = temp.Close()
			_ = os.Remove(temp.Name())
		}
	}()
	_, err = io.Copy(temp, contextReader{ctx, tar})
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	if err = os.Rename(temp.Name(), l.Path()); err != nil {
		return err
	}
	stored = true
	syncFolder(l.dir)
	return nil
}

// syncFolder makes a file's new name last. Some systems can't, and the file is
// there in any case.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// Restore opens the file. What is persisted later doesn't change what it reads.
func (l *Local) Restore(ctx context.Context) (io.ReadCloser, error) {
	err := ctx.Err()
	var f *os.File
	if err == nil {
		f, err = os.Open(l.Path())
	}
	if err != nil {
		return nil, &RestoreError{ID: l.id, Path: l.Path(), Err: err}
	}
	return f, nil
}

// Restorable reports whether the file exists.
func (l *Local) Restorable(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	info, err := os.Stat(l.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, &RestoreError{ID: l.id, Path: l.Path(), Err: err}
	}
	return info.Mode().IsRegular(), nil
}

// A contextReader stops when its context does.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
