package workspace_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// newTree makes a tree with a file, dir/file, and with symlinks, such as
// "link -> dir". It has the grants /rw, and /ro for reading only.
func newTree(t testing.TB, symlinks ...string) *workspace.Tree {
	t.Helper()
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/rw"}, workspace.Grant{Path: "/ro", ReadOnly: true}))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	check(t, tree.Mkdir("dir", 0))
	check(t, tree.WriteFile("dir/file", []byte("content"), 0))
	for _, symlink := range symlinks {
		name, target, _ := strings.Cut(symlink, " -> ")
		check(t, tree.Symlink(target, name))
	}
	return tree
}

// rootOf opens the root.
func rootOf(t testing.TB, tree *workspace.Tree) *workspace.Handle {
	t.Helper()
	h := must(tree.Open(".", workspace.OpenOptions{Read: true, Directory: true}))(t)
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// wants says what is wrong with an error, and with a tree whose operation failed.
func wants(t testing.TB, tree *workspace.Tree, before string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
	if err != nil {
		if _, ok := errors.AsType[*fs.PathError](err); !ok {
			t.Errorf("%T isn't a PathError", err)
		}
		if state(tree) != before {
			t.Error("it failed, and changed something")
		}
	}
	check(t, tree.Invariants())
}
