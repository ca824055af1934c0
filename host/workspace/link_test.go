package workspace_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAFileHasSeveralNames(t *testing.T) {
	w := newTree(t)
	check(t, w.Link("dir/file", "other"))
	if bytes, files := w.Usage(); bytes != 7 || files != 3 {
		t.Errorf("%d bytes in %d files", bytes, files)
	}
	check(t, w.WriteFile("other", []byte("new"), 0))
	if got := must(w.ReadFile("dir/file"))(t); string(got) != "new" {
		t.Errorf("content %q", got)
	}
	one, other := must(w.Stat("other"))(t), must(w.Stat("dir/file"))(t)
	if one.Inode != other.Inode || one.Links != 2 || other.Links != 2 {
		t.Errorf("%+v %+v", one, other)
	}
	check(t, w.RemoveAll("dir"))
	if bytes, files := w.Usage(); bytes != 3 || files != 1 {
		t.Errorf("%d bytes in %d files", bytes, files)
	}
	if info := must(w.Stat("other"))(t); info.Links != 1 {
		t.Errorf("%+v", info)
	}
	check(t, w.Invariants())
}

func TestANameIsntMovedOntoAnotherOfTheSameFile(t *testing.T) {
	w := newTree(t)
	check(t, w.Link("dir/file", "other"))
	before := state(w)
	check(t, w.Rename("dir/file", "other"))
	if state(w) != before {
		t.Error("something changed")
	}
}

func TestALinkToASymlinkIsAnotherSymlink(t *testing.T) {
	w := newTree(t, "link -> dir/file")
	check(t, w.Link("link", "again"))
	if got := must(w.Readlink("again"))(t); got != "dir/file" {
		t.Errorf("target %q", got)
	}
	h := rootOf(t, w)
	check(t, h.Link("link", true, h, "followed"))
	if info := must(w.Lstat("followed"))(t); !info.Mode.IsRegular() || info.Links != 2 {
		t.Errorf("%+v", info)
	}
	check(t, w.Invariants(h))
}

func TestNamesAreCountedAsFiles(t *testing.T) {
	w := workspace.New(workspace.Config{Limits: workspace.Limits{Files: 3}})
	for _, name := range []string{"a", "b", "c"} {
		if name == "a" {
			check(t, w.WriteFile(name, nil, 0))
		} else {
			check(t, w.Link("a", name))
		}
	}
	before := state(w)
	wants(t, w, before, w.Link("a", "d"), workspace.ENOSPC)
	check(t, w.Remove("a"))
	check(t, w.Link("b", "d"))
	check(t, w.Invariants())
}

func TestWhatIsMovedOverIsGone(t *testing.T) {
	w := newTree(t)
	check(t, w.WriteFile("a", []byte("a"), 0))
	check(t, w.Mkdir("empty", 0))
	check(t, w.Rename("a", "dir/file"))
	check(t, w.Rename("dir", "empty"))
	if got := must(w.ReadFile("empty/file"))(t); string(got) != "a" {
		t.Errorf("content %q", got)
	}
	if bytes, files := w.Usage(); bytes != 1 || files != 2 {
		t.Errorf("%d bytes in %d files", bytes, files)
	}
	check(t, w.Symlink("x", "link"))
	check(t, w.Rename("empty/file", "link")) // the symlink itself
	if info := must(w.Lstat("link"))(t); !info.Mode.IsRegular() {
		t.Errorf("%+v", info)
	}
	check(t, w.Invariants())
}

func TestAFolderWithAGrantInItStays(t *testing.T) {
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/rw"}, workspace.Grant{Path: "/rw/a/b"}))(t)
	w := workspace.New(workspace.Config{Policy: policy})
	check(t, w.Symlink("/rw/a", "link"))
	before := state(w)
	for name, err := range map[string]error{
		"rename": w.Rename("/rw/a", "/rw/c"), "remove": w.RemoveAll("/rw/a"), "rename the grant": w.Rename("/rw/a/b", "/rw/c"),
		"through a symlink": w.RemoveAll("link/b"),
	} {
		if !errors.Is(err, workspace.EBUSY) || state(w) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, w.Mkdir("empty", 0))
	if err := w.Rename("empty", "/rw/a/b"); !errors.Is(err, workspace.EBUSY) {
		t.Error(err)
	}
	check(t, w.Invariants())
}
