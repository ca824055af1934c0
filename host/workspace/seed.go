package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// A KindError is something that a tree can't have: a device, a socket, a pipe. It
// matches [EINVAL].
type KindError struct {
	Path string
	Mode fs.FileMode
}

func (e *KindError) Error() string {
	return fmt.Sprintf("the file %q is of a kind that a workspace can't have: %v", e.Path, e.Mode.Type())
}

// Is reports true for EINVAL and what that matches.
func (e *KindError) Is(target error) bool { return target == EINVAL || EINVAL.Is(target) }

// CopyFS copies folders, files, symlinks and their permissions below the root. It
// reads no more than the tree's limits allow, and copies all or nothing. Folders
// that are there stay as they are; anything else that is there already is EEXIST,
// as it is for [os.CopyFS]. What a tree can't have is a *[KindError].
//
// Symlinks need an [fs.ReadLinkFS], and aren't followed. Owners and times are the
// tree's. A mode without permissions is the default one, as elsewhere.
func (t *Tree) CopyFS(fsys fs.FS) error { return t.CopyFSTo(t.policy.root, fsys) }

// CopyFSTo is CopyFS to the root or to where a grant begins, which may be one for
// reading only.
func (t *Tree) CopyFSTo(dir string, fsys fs.FS) error {
	base, err := t.base(dir)
	if err != nil {
		return pathError("copy", dir, err)
	}
	s := seed{tree: t, base: base, fsys: fsys, room: t.room()}
	if err := fs.WalkDir(fsys, ".", s.plan); err != nil {
		return err
	}
	for i := range s.files {
		if err := s.files[i].read(fsys, &s.room); err != nil {
			return err
		}
	}
	return t.insert(base, s.files)
}

// base gives the folder of a root or grant, which is always there.
func (t *Tree) base(dir string) (*node, error) {
	clean, err := t.policy.Normalize(dir)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p, err := t.resolve(t.top, clean, access{})
	switch {
	case err != nil:
		return nil, err
	case p.node == nil || !p.node.isDir() || p.node.area.path != clean:
		return nil, EINVAL
	default:
		return p.node, nil
	}
}

// room gives what may be added.
func (t *Tree) room() usage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used
}

// A seed is what is to be copied into a tree.
type seed struct {
	tree  *Tree
	base  *node // in the tree
	fsys  fs.FS
	files []seedFile
	room  usage // what the tree has, and what has been read
	sizes int64 // of all files and symlinks, as far as they told
	count int   // of what isn't there
}

type seedFile struct {
	path    string
	mode    fs.FileMode
	size    int64
	content []byte
	target  string
}

// plan adds a file, if it is one that can be copied.
func (s *seed) plan(name string, d fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case name == "." && !d.IsDir():
		return pathError("copy", name, ENOTDIR)
	case name == ".":
		return nil
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	f := seedFile{path: name, mode: info.Mode().Type() | info.Mode().Perm()}
	switch f.mode.Type() {
	case 0:
		f.size = max(info.Size(), 0)
	case fs.ModeSymlink:
		if f.target, err = fs.ReadLink(s.fsys, name); err != nil {
			return err
		}
		f.size = int64(len(f.target))
	case fs.ModeDir:
	default:
		return &KindError{Path: name, Mode: info.Mode()}
	}
	if err := f.check(s.base.area.path); err != nil {
		return pathError("copy", name, err)
	}
	s.files = append(s.files, f)
	s.sizes = saturating.Add(s.sizes, f.size)
	if !f.mode.IsDir() || !s.hasFolder(name) {
		s.count++
	}
	return pathError("copy", name, s.room.room(s.sizes, s.count))
}

// hasFolder reports whether a path, without symlinks, is a folder already.
func (s *seed) hasFolder(rel string) bool {
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	n := s.base
	for name, rest := nextName(rel); name != "" && n != nil; name, rest = nextName(rest) {
		n = n.entries.get(name)
	}
	return n != nil && n.isDir()
}

func (f *seedFile) check(root string) error {
	if err := checkPathText(path.Join(root, f.path)); err != nil {
		return err
	}
	if len(path.Base(f.path)) > maxName {
		return ENAMETOOLONG
	}
	if f.mode.Type() == fs.ModeSymlink {
		return checkPathText(f.target)
	}
	return nil
}

// read gets the content, which can be longer than the file said, but not longer
// than there is room.
func (f *seedFile) read(fsys fs.FS, room *usage) error {
	if !f.mode.IsRegular() {
		return pathError("copy", f.path, room.reserve(f.size, 0))
	}
	file, err := fsys.Open(f.path)
	if err != nil {
		return err
	}
	f.content, err = readAtMost(file, f.size, room.limits.Bytes-room.bytes)
	err = errors.Join(err, file.Close())
	if err != nil {
		return pathError("copy", f.path, err)
	}
	return pathError("copy", f.path, room.reserve(int64(len(f.content)), 0))
}

// maxGuess is how much memory is got for a file that only says how long it is.
const maxGuess = 16 << 20

// readAtMost reads to the end, or one byte more than a limit. The size is a guess.
func readAtMost(r io.Reader, size, limit int64) ([]byte, error) {
	content := make([]byte, 0, min(size, limit, maxGuess)+1)
	for int64(len(content)) <= limit {
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		end := min(int64(cap(content)), limit+1)
		n, err := r.Read(content[len(content):end])
		content = content[:len(content)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if cap(content)-len(content) > len(content)/8 {
		content = bytes.Clone(content)
	}
	return content, nil
}
