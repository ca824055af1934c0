package workspace_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAFileIsOpenedByItsNumber(t *testing.T) {
	w := workspace.New(workspace.Config{})
	if err := errors.Join(w.MkdirAll("a/b", 0), w.WriteFile("a/b/c", []byte("content"), 0)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "a", "a/b/c"} {
		info, err := w.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		h, err := w.Clone().OpenInode(info.Inode, workspace.OpenOptions{Read: true, Create: true, Truncate: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Info(); got.Inode != info.Inode || got.Size != info.Size || h.IsDir() != info.Mode.IsDir() {
			t.Errorf("%s: got %+v, want %+v", name, got, info)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.OpenInode(1<<40, workspace.OpenOptions{Read: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// What Open refuses, the number of a file doesn't open either.
func TestWhatCantBeOpenedCantBeByItsNumber(t *testing.T) {
	w := newTree(t, "link -> dir")
	check(t, w.CopyFSTo("/ro", fstest.MapFS{"file": {Data: []byte("content")}}))
	for name, want := range map[string]error{"/ro/file": fs.ErrPermission, "link": workspace.ELOOP, "dir": workspace.EISDIR} {
		info, err := w.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.OpenInode(info.Inode, workspace.OpenOptions{Read: true, Write: true}); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
}
