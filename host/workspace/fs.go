package workspace

import (
	"io/fs"
	"path"
)

// FS is the tree below its root, to be read. It implements [fs.ReadFileFS],
// [fs.ReadDirFS], [fs.StatFS] and [fs.ReadLinkFS]. Files stay as they are while
// they are open, folders as they were when they were first read.
func (t *Tree) FS() fs.FS { return treeFS{t} }

type treeFS struct{ tree *Tree }

var (
	_ fs.ReadFileFS = treeFS{}
	_ fs.ReadDirFS  = treeFS{}
	_ fs.StatFS     = treeFS{}
	_ fs.ReadLinkFS = treeFS{}
)

func valid(op, name string) error {
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

func (f treeFS) Open(name string) (fs.File, error) {
	content, info, err := f.read(name)
	switch {
	case err == nil:
		return &openFile{name: name, info: info, content: content}, nil
	case info.Mode.IsDir():
		return &openDir{fs: f, name: name, info: info}, nil
	default:
		return nil, err
	}
}

// read gives the content of a file, and what there is to tell of it, or of a folder
// that can't be read.
func (f treeFS) read(name string) ([]byte, Info, error) {
	if err := valid("open", name); err != nil {
		return nil, Info{}, err
	}
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	content, info, err := f.tree.readFile(f.tree.root, name)
	info.Name = path.Base(name)
	return content, info, err
}

func (f treeFS) ReadFile(name string) ([]byte, error) {
	content, _, err := f.read(name)
	if err != nil {
		return nil, err
	}
	return append(make([]byte, 0, len(content)), content...), nil // callers may change it
}

func (f treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := valid("open", name); err != nil {
		return nil, err
	}
	list, err := f.list(name)
	if err != nil {
		return nil, err
	}
	entries := make([]fs.DirEntry, len(list))
	for i, info := range list {
		entries[i] = fileInfo{info}
	}
	return entries, nil
}

func (f treeFS) list(name string) ([]Info, error) {
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	return f.tree.readDir(f.tree.root, name)
}

func (f treeFS) Stat(name string) (fs.FileInfo, error)  { return f.stat(name, true) }
func (f treeFS) Lstat(name string) (fs.FileInfo, error) { return f.stat(name, false) }

func (f treeFS) stat(name string, follow bool) (fs.FileInfo, error) {
	if err := valid("stat", name); err != nil {
		return nil, err
	}
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	info, err := f.tree.info(f.tree.root, name, follow)
	if err != nil {
		return nil, err
	}
	info.Name = path.Base(name)
	return info.FileInfo(), nil
}

func (f treeFS) ReadLink(name string) (string, error) {
	if err := valid("readlink", name); err != nil {
		return "", err
	}
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	return f.tree.readlink(f.tree.root, name)
}
