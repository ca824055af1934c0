package workspace_test

import (
	"errors"
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestLimitsOfBytes(t *testing.T) {
	w := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: 10}})
	check(t, w.WriteFile("a", make([]byte, 6), 0))
	check(t, w.Symlink("xyz", "link"))
	h := must(w.Open("a", readWrite))(t)
	before := state(w)
	for name, err := range map[string]error{
		"a new file":         w.WriteFile("new", make([]byte, 2), 0),
		"an old file":        w.WriteFile("a", make([]byte, 8), 0),
		"a symlink":          w.Symlink("xx", "new"),
		"a longer file":      second(h.WriteAt(make([]byte, 2), 6)),
		"behind the end":     second(h.WriteAt(make([]byte, 1), 7)),
		"the end of numbers": second(h.WriteAt(make([]byte, 2), math.MaxInt64-1)),
		"truncate":           h.Truncate(8),
		"grow":               h.Grow(8),
		"append":             second(h.Append(make([]byte, 2))),
	} {
		limit, ok := errors.AsType[*workspace.LimitError](err)
		if !ok || limit.Limit != "bytes" || limit.Max != 10 || limit.Actual <= 10 || !errors.Is(err, workspace.ENOSPC) || state(w) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(h.WriteAt(make([]byte, 1), 6))(t) // the last one
	check(t, w.WriteFile("a", make([]byte, 7), 0))
	check(t, w.WriteFile("empty", nil, 0))
	check(t, w.Remove("a")) // which is still open
	wants(t, w.Clone(), state(w.Clone()), w.Clone().WriteFile("b", make([]byte, 7), 0), nil)
	if err := w.WriteFile("b", make([]byte, 1), 0); !errors.Is(err, workspace.ENOSPC) {
		t.Error(err)
	}
	check(t, h.Close())
	check(t, w.WriteFile("b", make([]byte, 7), 0))
	check(t, w.Invariants())
}

func TestLimitsOfFiles(t *testing.T) {
	policy := must(workspace.NewPolicy("/a/b/c", workspace.Grant{Path: "/d/e"}))(t)
	w := workspace.New(workspace.Config{Policy: policy, Limits: workspace.Limits{Files: 4}})
	check(t, w.WriteFile("file", []byte("x"), 0))
	check(t, w.Mkdir("dir", 0))
	check(t, w.Symlink("x", "link"))
	check(t, w.WriteFile("/d/e/granted", nil, 0))
	h := rootOf(t, w)
	before := state(w)
	for name, err := range map[string]error{
		"file": w.WriteFile("new", []byte("x"), 0), "folder": w.Mkdir("new", 0), "folders": w.MkdirAll("dir/x/y", 0), "symlink": w.Symlink("x", "new"),
		"link": w.Link("file", "new"), "open": second(h.Open("new", readWrite)),
	} {
		limit, ok := errors.AsType[*workspace.LimitError](err)
		if !ok || limit.Limit != "files" || limit.Max != 4 || limit.Actual <= 4 || state(w) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, w.Rename("file", "link")) // over one
	check(t, w.Mkdir("new", 0))
	w.Clear()
	check(t, w.Remove("/d/e/granted"))
	if bytes, files := w.Usage(); bytes != 0 || files != 0 {
		t.Errorf("%d bytes in %d files are left", bytes, files)
	}
	check(t, w.Invariants(h))
}

func TestMakingFoldersIsAllOrNothing(t *testing.T) {
	w := workspace.New(workspace.Config{Limits: workspace.Limits{Files: 3}})
	check(t, w.Mkdir("a", 0))
	before := state(w)
	wants(t, w, before, w.MkdirAll("a/b/c/d", 0), workspace.ENOSPC)
	check(t, w.MkdirAll("a/b/c", 0))
	wants(t, w, "", w.MkdirAll("a/b/c", 0), nil)
}

func TestLimitsThatAreNotAboveZeroAreTheDefaults(t *testing.T) {
	for _, unset := range []workspace.Limits{{}, {Bytes: -1, Files: -1}} {
		got := workspace.New(workspace.Config{Limits: unset}).Limits()
		if want := (workspace.Limits{Bytes: workspace.DefaultMaxBytes, Files: workspace.DefaultMaxFiles}); got != want {
			t.Errorf("%+v are %+v", unset, got)
		}
	}
	if got := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: math.MaxInt64}}).Limits().Bytes; got != math.MaxInt {
		t.Errorf("%d bytes", got)
	}
}
