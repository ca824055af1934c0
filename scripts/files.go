package scripts

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// files are the files that a script may name: those in its folder, or all.
// Links are followed as long as they stay inside.
type files struct {
	base string
	root *os.Root // nil: all
}

func (p *parser) openFiles() (*files, error) {
	f := &files{base: filepath.Dir(p.file)}
	if p.config.allowOutside {
		return f, nil
	}
	var err error
	f.root, err = os.OpenRoot(f.base)
	return f, err
}

func (f *files) close() {
	if f.root != nil {
		_ = f.root.Close()
	}
}

// dir is the path of a folder, or "" for what isn't one.
func (f *files) dir(path string) (string, error) {
	info, err := f.stat(filepath.FromSlash(path))
	if err != nil {
		return "", f.explain(path, err)
	}
	switch {
	case info.Mode().IsRegular():
		return "", nil
	case !info.IsDir():
		return "", &pathError{path, "isn't a regular file", errNotRegular}
	}
	return filepath.Abs(f.full(path))
}

func (f *files) stat(path string) (fs.FileInfo, error) {
	if f.root == nil {
		return os.Stat(f.full(path))
	}
	return f.root.Stat(path)
}

func (f *files) read(path string) ([]byte, error) {
	file, err := f.open(path)
	if err != nil {
		return nil, err
	}
	data, err := readAll(file, maxModule)
	if errors.Is(err, errNotRegular) {
		err = &pathError{path, "isn't a regular file", err}
	}
	return data, err
}

// open opens a file, which needn't be a regular one.
func (f *files) open(path string) (*os.File, error) {
	path = filepath.FromSlash(path)
	if f.root == nil {
		return os.OpenFile(f.full(path), openFlags, 0)
	}
	file, err := f.root.OpenFile(path, openFlags, 0)
	return file, f.explain(path, err)
}

// openFlags open a file without waiting, as for the writer of a named pipe.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

var errNotRegular = errors.New("it isn't a regular file")

// maxModule is the length of the longest module, in bytes.
const maxModule = 1 << 30

// readFile reads a script.
func readFile(path string) ([]byte, error) {
	file, err := os.OpenFile(path, openFlags, 0)
	if err != nil {
		return nil, err
	}
	return readAll(file, maxFile+1) // one more is found to be too long
}

// readAll reads and closes a file. Others than regular files could take for ever.
func readAll(file *os.File, limit int64) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit && limit != maxFile+1 {
		err = fmt.Errorf("%s is longer than %d MiB", file.Name(), limit>>20)
	}
	return data, err
}

func (f *files) full(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.base, path)
}

// A pathError says what is wrong with a path, in fewer words than its cause.
type pathError struct {
	path    string
	problem string
	err     error
}

func (e *pathError) Error() string { return e.path + " " + e.problem }

func (e *pathError) Unwrap() error { return e.err }

// explain says why a path can't be used. A path may lead outside by itself or
// through a link.
func (f *files) explain(path string, err error) error {
	if err == nil {
		return nil
	}
	if f.root != nil && !errors.Is(err, fs.ErrPermission) {
		_, there := os.Stat(f.full(path))
		if !filepath.IsLocal(path) || there == nil {
			return &pathError{path, "is outside of the script's folder; --allow-outside on the command line, AllowOutside in Go, allows that", err}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &pathError{path, "doesn't exist", err}
	}
	return err
}
