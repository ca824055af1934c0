package shell

import (
	"io/fs"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Resolve gives the path without symlinks of what an absolute path of a tree leads
// to. All of it has to be there.
func Resolve(files *workspace.Tree, name string) (string, error) {
	done, rest := "/", strings.TrimPrefix(name, "/")
	for links := 0; rest != ""; {
		var next string
		next, rest, _ = strings.Cut(rest, "/")
		switch next {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		at := path.Join(done, next)
		info, err := files.Lstat(at)
		if err != nil {
			if above(files, at) {
				done = at
				continue
			}
			return "", err
		}
		if info.Mode&fs.ModeSymlink == 0 {
			done = at
			continue
		}
		if links++; links > maxLinks {
			return "", &fs.PathError{Op: "readlink", Path: name, Err: workspace.ELOOP}
		}
		rest = info.Target + "/" + rest
		if path.IsAbs(info.Target) {
			done = "/"
		}
	}
	return done, nil
}

// above reports whether a path leads to an area of the tree, and is not in one.
func above(files *workspace.Tree, at string) bool {
	prefix := strings.TrimSuffix(at, "/") + "/"
	if strings.HasPrefix(files.Policy().Root()+"/", prefix) {
		return true
	}
	for _, g := range files.Policy().Grants() {
		if strings.HasPrefix(g.Path+"/", prefix) {
			return true
		}
	}
	return false
}
