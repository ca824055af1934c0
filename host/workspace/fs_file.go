package workspace

import (
	"io"
	"io/fs"
)

// An openFile is a file as it was when it was opened.
type openFile struct {
	name    string
	info    Info
	content []byte
	offset  int64
	closed  bool
}

var _ interface {
	io.ReaderAt
	io.Seeker
	fs.File
} = (*openFile)(nil)

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info.FileInfo(), nil }

func (f *openFile) Read(p []byte) (int, error) {
	n, err := f.readAt(p, f.offset)
	f.offset += int64(n)
	return n, err
}

func (f *openFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.readAt(p, offset)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

func (f *openFile) readAt(p []byte, offset int64) (int, error) {
	switch {
	case f.closed:
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrClosed}
	case offset < 0:
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
	case offset >= int64(len(f.content)) && len(p) > 0:
		return 0, io.EOF
	case len(p) == 0:
		return 0, nil
	}
	return copy(p, f.content[offset:]), nil
}

func (f *openFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += int64(len(f.content))
	}
	if offset < 0 || whence < io.SeekStart || whence > io.SeekEnd {
		return 0, &fs.PathError{Op: "seek", Path: f.name, Err: fs.ErrInvalid}
	}
	f.offset = offset
	return offset, nil
}

func (f *openFile) Close() error {
	if f.closed {
		return &fs.PathError{Op: "close", Path: f.name, Err: fs.ErrClosed}
	}
	f.closed = true
	return nil
}

// An openDir is a folder whose entries are read on first use.
type openDir struct {
	fs      treeFS
	name    string
	info    Info
	entries []fs.DirEntry
	read    bool
	closed  bool
}

var _ fs.ReadDirFile = (*openDir)(nil)

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info.FileInfo(), nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: EISDIR}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if d.closed {
		return nil, &fs.PathError{Op: "readdir", Path: d.name, Err: fs.ErrClosed}
	}
	if !d.read {
		entries, err := d.fs.ReadDir(d.name)
		if err != nil {
			return nil, err
		}
		d.entries, d.read = entries, true
	}
	if n > 0 && len(d.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 {
		n = len(d.entries)
	}
	n = min(n, len(d.entries))
	given := d.entries[:n:n]
	d.entries = d.entries[n:]
	return given, nil
}

func (d *openDir) Close() error {
	if d.closed {
		return &fs.PathError{Op: "close", Path: d.name, Err: fs.ErrClosed}
	}
	d.closed = true
	return nil
}
