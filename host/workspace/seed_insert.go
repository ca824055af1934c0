package workspace

import (
	"io/fs"
	"path"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// insert puts files below a folder that is always there, all or none: folders come
// before what is in them.
func (t *Tree) insert(base *node, files []seedFile) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	bytes, count, err := checkInsert(base, files)
	if err != nil {
		return err
	}
	if err := t.used.reserve(bytes, count); err != nil {
		return pathError("copy", base.area.path, err)
	}
	folders := map[string]*node{".": base}
	for _, f := range files {
		parent, name := folders[path.Dir(f.path)], path.Base(f.path)
		n := parent.entries.get(name)
		if n == nil {
			n = t.newSeedNode(f)
			t.attach(n, parent, name)
		}
		if n.isDir() {
			folders[f.path] = n
		}
	}
	return nil
}

// checkInsert says why files can't be inserted, and counts those that aren't there yet.
// What is there must be a folder that is to be one. A file system that lists a name twice, or one that is a path, is refused.
func checkInsert(base *node, files []seedFile) (bytes int64, count int, err error) {
	folders, seen := map[string]*node{".": base}, map[string]bool{} // nil: it is to be made
	for _, f := range files {
		parent, known := folders[path.Dir(f.path)]
		if !known || !fs.ValidPath(f.path) {
			return 0, 0, pathError("copy", f.path, EINVAL)
		}
		var n *node
		if parent != nil {
			n = parent.entries.get(path.Base(f.path))
		}
		switch {
		case seen[f.path], n != nil && (!n.isDir() || !f.mode.IsDir()):
			return 0, 0, pathError("copy", f.path, EEXIST)
		case n == nil:
			count++
			bytes = saturating.Add(bytes, int64(len(f.content)+len(f.target)))
		}
		seen[f.path] = true
		if f.mode.IsDir() {
			folders[f.path] = n
		}
	}
	return bytes, count, nil
}

// newSeedNode makes the node of a file that has been counted.
func (t *Tree) newSeedNode(f seedFile) *node {
	t.touch()
	switch {
	case f.mode.IsDir():
		return t.newNode(fs.ModeDir|orMode(f.mode, DefaultDirMode), "")
	case f.mode.Type() == fs.ModeSymlink:
		n := t.newNode(fs.ModeSymlink|fs.ModePerm, "")
		n.target = f.target
		return n
	default:
		n := t.newNode(orMode(f.mode, DefaultFileMode), "")
		n.content.replace(f.content)
		return n
	}
}
