// Package paths tells where the paths of a workspace lead, and those of the folders above it.
package paths

import (
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Real is [workspace.Tree.Realpath] of an absolute path that may also be one of
// the folders that lead to the workspace.
func Real(files *workspace.Tree, name string) (string, error) {
	found, err := files.Realpath(name)
	if clean := path.Clean(name); err != nil && IsAbove(files, clean) {
		return clean, nil
	}
	return found, err
}

// IsAbove reports whether a path leads to an area of the tree, and is not in one.
func IsAbove(files *workspace.Tree, at string) bool {
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
