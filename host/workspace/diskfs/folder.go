// Package diskfs reads a folder of the disk from its top to its bottom, as
// [github.com/wasmsandbox/wasmsandbox/host/workspace.Tree.CopyFS] does.
package diskfs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// A Folder is a folder of the disk, to be read. It implements [fs.ReadDirFS],
// [fs.StatFS] and [fs.ReadLinkFS].
//
// Unlike the file system of an [os.Root], which opens all folders of a path each time,
// it keeps those open that lead to where it was last: what is far down takes no longer
// than what is near. It fails with the context's error when that ends, between two
// reads of a file as well. It isn't safe for concurrent use.
type Folder struct {
	ctx context.Context

	// levels are the folders on the way to the last one that was used, the top first.
	// Their roots are nil where they were closed again, so that not all are open.
	levels []level
}

type level struct {
	name string
	root *os.Root
}

// Of the folders on the way so many of the last ones are kept open, and one of so many
// of the others.
const span = 32

var (
	_ fs.ReadDirFS  = (*Folder)(nil)
	_ fs.StatFS     = (*Folder)(nil)
	_ fs.ReadLinkFS = (*Folder)(nil)
)

// New gives a folder as a file system, which the caller closes. So does Close with the
// root.
func New(ctx context.Context, root *os.Root) *Folder {
	return &Folder{ctx: ctx, levels: []level{{root: root}}}
}

// Close closes all that is open, but not files.
func (f *Folder) Close() error {
	f.leave(1)
	return f.levels[0].root.Close()
}

// Open opens a file or folder. No path leads out, through symlinks either.
func (f *Folder) Open(name string) (fs.File, error) {
	folder, base, err := f.in("open", name)
	if err != nil {
		return nil, err
	}
	opened, err := folder.Open(base)
	if err != nil {
		return nil, f.explain(name, err)
	}
	return file{opened, f.ctx}, nil
}

// ReadDir lists a folder, in the order of the bytes of the names.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	folder, err := f.folder(name)
	if err != nil {
		return nil, f.explain(name, err)
	}
	list, err := fs.ReadDir(folder.FS(), ".")
	if err != nil {
		return nil, f.explain(name, err)
	}
	return list, nil
}

// Stat tells of what a path leads to.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	return at(f, "stat", name, (*os.Root).Stat)
}

// Lstat tells of what is at a path, be it a symlink.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) {
	return at(f, "lstat", name, (*os.Root).Lstat)
}

// ReadLink gives the target of a symlink.
func (f *Folder) ReadLink(name string) (string, error) {
	return at(f, "readlink", name, (*os.Root).Readlink)
}

// at asks the folder that something is in.
func at[T any](f *Folder, op, name string, ask func(*os.Root, string) (T, error)) (answer T, err error) {
	folder, base, err := f.in(op, name)
	if err == nil {
		answer, err = ask(folder, base)
	}
	return answer, f.explain(name, err)
}

// explain gives an error the whole path.
func (f *Folder) explain(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path != name {
		return &fs.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	return err
}

// in opens the folder that something is in.
func (f *Folder) in(op, name string) (folder *os.Root, base string, err error) {
	if !fs.ValidPath(name) {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	folder, err = f.folder(path.Dir(name))
	return folder, path.Base(name), f.explain(name, err)
}

// folder opens a folder, from the nearest one above it that is open.
func (f *Folder) folder(name string) (*os.Root, error) {
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	var names []string
	if name != "." {
		names = strings.Split(name, "/")
	}
	same := 0
	for same < len(names) && same+1 < len(f.levels) && f.levels[same+1].name == names[same] {
		same++
	}
	f.leave(same + 1)
	open := same
	for f.levels[open].root == nil {
		open--
	}
	f.levels = f.levels[:open+1]
	for _, name := range names[open:] {
		root, err := f.levels[len(f.levels)-1].root.OpenRoot(name)
		if err != nil {
			return nil, err
		}
		f.levels = append(f.levels, level{name, root})
		if thin := len(f.levels) - span; thin > 0 && thin%span != 0 {
			f.shut(thin)
		}
	}
	return f.levels[len(f.levels)-1].root, nil
}

// leave closes the levels from one on.
func (f *Folder) leave(from int) {
	for i := from; i < len(f.levels); i++ {
		f.shut(i)
	}
	f.levels = f.levels[:min(from, len(f.levels))]
}

func (f *Folder) shut(i int) {
	if root := f.levels[i].root; root != nil {
		_ = root.Close() // nothing was written
		f.levels[i].root = nil
	}
}

// A file is read no longer than a context lasts.
type file struct {
	*os.File
	ctx context.Context
}

func (f file) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}
