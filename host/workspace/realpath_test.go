package workspace_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestRealpath(t *testing.T) {
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/data/in", ReadOnly: true}))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	check(t, tree.MkdirAll("a/b", 0))
	check(t, tree.WriteFile("a/file", nil, 0))
	for name, target := range map[string]string{
		"deep": "a/b", "abs": "/workspace/a/file", "loop": "loop", "dangling": "a/nothing", "out": "/etc", "data": "/data/in", "around": "../data/in/x",
	} {
		check(t, tree.Symlink(target, name))
	}
	for name, want := range map[string]string{
		".": "/workspace", "/workspace/": "/workspace", "a//b/.": "/workspace/a/b", "deep": "/workspace/a/b",
		"deep/..": "/workspace/a", "deep/../file": "/workspace/a/file", "deep/../..": "/workspace", "abs": "/workspace/a/file",
		"new": "/workspace/new", "deep/new": "/workspace/a/b/new", "deep/../new": "/workspace/a/new", "dangling": "/workspace/a/nothing",
		"data": "/data/in", "data/new": "/data/in/new", "around": "/data/in/x", "/workspace/../data/in": "/data/in", `a\b`: "/workspace/a/b",
	} {
		if got, err := tree.Realpath(name); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]error{
		"": workspace.ENOENT, "nothing/new": workspace.ENOENT, "dangling/new": workspace.ENOENT, "a/file/x": workspace.ENOTDIR,
		"a/file/": workspace.ENOTDIR, "loop": workspace.ELOOP, "..": workspace.EPERM, "out": workspace.EPERM, "/": workspace.EPERM,
		"/data": workspace.EPERM, strings.Repeat("x", 256): workspace.ENAMETOOLONG, "a\x00": workspace.EINVAL,
	} {
		if got, err := tree.Realpath(name); !errors.Is(err, want) || got != "" {
			t.Errorf("%q: got %q, %v, want %v", name, got, err, want)
		}
	}
}
