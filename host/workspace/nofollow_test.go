package workspace_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestWhatFollowsNoSymlinkStopsAtTheFirst(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	check(t, tree.MkdirAll("real/deep", 0))
	check(t, tree.WriteFile("file", nil, 0))
	check(t, tree.Symlink("real", "l"))
	check(t, tree.Symlink("../file", "real/f"))
	check(t, tree.Symlink("nowhere", "real/deep/gone"))
	check(t, tree.Symlink("/etc", "out"))
	before := tree.Snapshot()
	for name, link := range map[string]string{
		"l": "/workspace/l", "l/new": "/workspace/l", "l/deep/gone/x": "/workspace/l", "real/f": "/workspace/real/f",
		"real/deep/gone": "/workspace/real/deep/gone", "real/deep/gone/x/y": "/workspace/real/deep/gone", "out/x": "/workspace/out",
	} {
		for how, err := range map[string]error{
			"write": tree.WriteFileNoFollow(name, []byte("x"), 0), "mkdir": tree.MkdirAllNoFollow(name, 0),
		} {
			symlink, ok := errors.AsType[*workspace.SymlinkError](err)
			if !ok || symlink.Path != link || workspace.ErrnoOf(err) != workspace.ELOOP {
				t.Errorf("%s %s: got %v", how, name, err)
			}
		}
	}
	if changes := workspace.Compare(before, tree.Snapshot()); len(changes) > 0 {
		t.Errorf("it changed: %v", changes)
	}
}

func TestWhatFollowsNoSymlinkMakesFoldersAsOthersDo(t *testing.T) {
	tree := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: 10, Files: 6}})
	check(t, tree.WriteFileNoFollow("a/b/c", []byte("1"), 0o600))
	check(t, tree.WriteFileNoFollow("a/b/c", []byte("22"), 0))
	check(t, tree.MkdirAllNoFollow("a/d", 0))
	check(t, tree.MkdirAllNoFollow("a/d", 0))
	for name, want := range map[string]error{
		"a/b/c/d": workspace.ENOTDIR, "a/b": workspace.EISDIR, "n/e/w": workspace.ENOSPC, "../x": workspace.EPERM,
	} {
		if err := tree.WriteFileNoFollow(name, nil, 0); !errors.Is(err, want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := tree.WriteFileNoFollow("e/f", make([]byte, 9), 0); !errors.Is(err, workspace.ENOSPC) {
		t.Errorf("got %v", err)
	}
	info, err := tree.Stat("a/b/c")
	check(t, err)
	if bytes, files := tree.Usage(); bytes != 2 || files != 4 || info.Mode != 0o600 {
		t.Errorf("there are %d bytes in %d files: %v", bytes, files, info)
	}
	check(t, tree.Invariants())
}
