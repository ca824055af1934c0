package host

import (
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A Grant lets a session use paths outside of its root (S6.66, S6.67).
type Grant = workspace.Grant

// A ManifestEntry is a file or folder that a session with a workspace makes when it
// starts (S6.90).
type ManifestEntry struct {
	Path      string // relative to the root
	Folder    bool
	Content   []byte      // of a file
	Mode      fs.FileMode // 0: 0644 for a file, 0755 for a folder
	Owner     string      // "": root, or whoever owns what is there
	Group     string
	Ephemeral bool // never persisted, and made again after a snapshot is restored
}

func (e ManifestEntry) clone() ManifestEntry {
	e.Content = slices.Clone(e.Content)
	return e
}

// A Group is a group of users.
type Group struct {
	Name    string
	Members []string
}

// validateEntries normalises the paths of the entries. Those that are ephemeral are
// skipped when the workspace is persisted.
func (m *Manifest) validateEntries() error {
	for i, e := range m.Entries {
		rel, err := relativePath(e.Path)
		if err != nil {
			return err
		}
		m.Entries[i].Path = rel
		if e.Ephemeral {
			m.Ephemeral = append(m.Ephemeral, rel)
		}
	}
	return nil
}

// groupsOf are the groups of a user: its own, which has its name, and those that
// list it (S6.91).
func (m *Manifest) groupsOf(user string) []string {
	groups := []string{user}
	for _, g := range m.Groups {
		if slices.Contains(g.Members, user) {
			groups = append(groups, g.Name)
		}
	}
	return groups
}

// apply makes the entries in their order, or the ephemeral ones only (S6.91).
func (m *Manifest) apply(files *workspace.Tree, ephemeralOnly bool) error {
	for i, e := range m.Entries {
		if ephemeralOnly && !e.Ephemeral {
			continue
		}
		if err := e.apply(files); err != nil {
			return &ManifestEntryError{Index: i, Path: e.Path, Err: err}
		}
	}
	return nil
}

func (e ManifestEntry) apply(files *workspace.Tree) error {
	name := path.Join(files.Policy().Root(), e.Path)
	if e.Folder {
		if err := files.MkdirAll(name, 0); err != nil {
			return err
		}
	} else {
		if err := files.MkdirAll(path.Dir(name), 0); err != nil {
			return err
		}
		if err := files.WriteFile(name, e.Content, 0); err != nil {
			return err
		}
	}
	if e.Mode != 0 {
		if err := files.Chmod(name, e.Mode); err != nil {
			return err
		}
	}
	return files.Chown(name, e.Owner, e.Group)
}

// A ManifestEntryError is an entry of a manifest that can't be made.
type ManifestEntryError struct {
	Index int // of the entry, from zero
	Path  string
	Err   error
}

func (e *ManifestEntryError) Error() string {
	return "host: the manifest's entry #" + strconv.Itoa(e.Index+1) + " can't be made: " + e.Err.Error()
}

func (e *ManifestEntryError) Unwrap() error { return e.Err }
