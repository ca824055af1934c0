package shell

import (
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Realpath is [workspace.Tree.Realpath] of an absolute path that may also be one of
// the folders that lead to the workspace.
func Realpath(files *workspace.Tree, name string) (string, error) {
	found, err := files.Realpath(name)
	if clean := path.Clean(name); err != nil && above(files, clean) {
		return clean, nil
	}
	return found, err
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
