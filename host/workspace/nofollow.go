package workspace

import (
	"fmt"
	"io/fs"
	"strings"
)

// A SymlinkError is a symlink where none may be. It matches [ELOOP].
type SymlinkError struct{ Path string } // of the symlink, absolute

func (e *SymlinkError) Error() string { return fmt.Sprintf("%q is a symlink", e.Path) }

// Unwrap gives ELOOP.
func (e *SymlinkError) Unwrap() error { return ELOOP }

// WriteFileNoFollow is [Tree.WriteFile] that makes the folders that lead to the file
// and fails with a *[SymlinkError] if one of them, or the file, is a symlink. If it fails,
// no folder is made.
func (t *Tree) WriteFileNoFollow(name string, content []byte, mode fs.FileMode) error {
	return t.on("open", name, true, func(clean string) error {
		if err := t.noSymlink(clean); err != nil {
			return pathError("open", clean, err)
		}
		if err := t.makeParents(clean, int64(len(content)), ""); err != nil {
			return pathError("mkdir", clean, err)
		}
		return t.writeFile(t.top, clean, content, mode, "")
	})
}

// MkdirAllNoFollow is [Tree.MkdirAll] that fails with a *[SymlinkError] if the path goes
// through a symlink.
func (t *Tree) MkdirAllNoFollow(name string, mode fs.FileMode) error {
	return t.on("mkdir", name, true, func(clean string) error {
		err := t.noSymlink(clean)
		if err == nil {
			err = t.mkdirAll(clean, mode, "")
		}
		return pathError("mkdir", clean, err)
	})
}

// noSymlink reports the first symlink on a clean and absolute path.
func (t *Tree) noSymlink(clean string) error {
	at := t.top
	for name, rest := nextName(clean); name != ""; name, rest = nextName(rest) {
		switch at = at.entries.get(name); {
		case at == nil:
			return nil
		case at.isSymlink():
			return &SymlinkError{Path: strings.TrimSuffix(clean, rest)}
		}
	}
	return nil
}
