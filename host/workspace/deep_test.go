package workspace_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// nest makes folders in each other, until there can't be more.
func nest(t *testing.T, h *workspace.Handle, name string) (depth int) {
	t.Helper()
	for at := h; ; depth++ {
		err := at.Mkdir(name, 0)
		if errors.Is(err, workspace.ENAMETOOLONG) {
			check(t, at.Close())
			return depth
		}
		check(t, err)
		next := must(at.Open(name, workspace.OpenOptions{Directory: true}))(t)
		if at != h {
			check(t, at.Close())
		}
		at = next
	}
}

func TestNestingEndsWherePathsGetTooLong(t *testing.T) {
	w := workspace.New(workspace.Config{})
	depth := nest(t, rootOf(t, w), "d")
	if want := (4095 - len("/workspace")) / 2; depth != want {
		t.Errorf("%d folders, want %d", depth, want)
	}
	entries := w.Snapshot()
	deepest := entries[len(entries)-1].Path
	if len(deepest) != 2*depth-1 {
		t.Errorf("a path of %d bytes", len(deepest))
	}
	must(w.Stat(deepest))(t)
	check(t, w.MkdirAll(deepest, 0))
	if err := w.Clone().RemoveAll("d"); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"a file":    w.WriteFile(deepest+"/f", nil, 0),
		"a symlink": w.Symlink("x", deepest+"/f"),
	} {
		if !errors.Is(err, workspace.ENAMETOOLONG) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.Clear()
	if _, files := w.Usage(); files != 0 {
		t.Errorf("%d files are left", files)
	}
}

// A folder isn't moved to where what is in it would have too long a path.
func TestADeepFolderIsntMovedIntoAnother(t *testing.T) {
	w := workspace.New(workspace.Config{})
	half := strings.Repeat("a/", 1100) + "a"
	check(t, w.MkdirAll("one/"+half, 0))
	check(t, w.MkdirAll("two/"+half, 0))
	check(t, w.Mkdir("two/"+half+"/e", 0))
	before := state(w)
	wants(t, w, before, w.Rename("one", "two/"+half+"/one"), workspace.ENAMETOOLONG)
	wants(t, w, before, w.Rename("one", "two/"+half+"/e"), workspace.ENAMETOOLONG)
	check(t, w.Rename("one/"+half, "two/"+half+"/fits"))
	check(t, w.Rename("two", "t"))
	check(t, w.Invariants())
}

func TestALongPathIsMovedIfItGetsNoLonger(t *testing.T) {
	w := workspace.New(workspace.Config{})
	nest(t, rootOf(t, w), "d")
	check(t, w.Rename("d", "e"))
	if err := w.Rename("e", "longer"); !errors.Is(err, workspace.ENAMETOOLONG) {
		t.Error(err)
	}
	h := must(w.Open("e/d/d", workspace.OpenOptions{}))(t)
	check(t, w.Mkdir("long", 0))
	if err := w.Rename("e/d/d", "long/folder"); !errors.Is(err, workspace.ENAMETOOLONG) {
		t.Error(err)
	}
	check(t, w.Rename("e/d/d", "x"))
	check(t, h.Close())
}

// Many folders as deep as they may be: all at once is done in a moment, and without
// much of a stack.
func TestManyDeepFolders(t *testing.T) {
	const files = 20_000
	w := workspace.New(workspace.Config{Limits: workspace.Limits{Files: files}})
	deep := strings.Repeat("d/", 2000)
	check(t, w.MkdirAll(deep, 0))
	h := must(w.Open(deep, workspace.OpenOptions{}))(t)
	var err error
	count := 0
	for ; err == nil; count++ {
		err = h.Mkdir(fmt.Sprint(count), 0)
	}
	if !errors.Is(err, workspace.ENOSPC) || count != files-2000+1 {
		t.Errorf("%d folders: %v", count, err)
	}
	check(t, h.Close())
	check(t, w.Rename("d", "e"))
	c := w.Clone()
	check(t, c.RemoveAll("e"))
	w.Clear()
	check(t, c.Invariants())
	check(t, w.Invariants())
}
