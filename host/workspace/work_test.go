package workspace_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A handle tells what its operations went through that can't be seen from their paths.
func TestOperationsTellOfTheirWork(t *testing.T) {
	w := newTree(t, "to -> dir", "again -> to", "loop -> loop")
	check(t, w.MkdirAll("dir/sub/sub", 0))
	h := rootOf(t, w)
	other := rootOf(t, w)
	stat := func(name string) func() error {
		return func() error { return second(h.Stat(name, true)) }
	}
	rename := func(from, to string) func() error {
		return func() error { return h.Rename(from, other, to) }
	}
	for _, test := range []struct {
		name string
		do   func() error
		err  error
		want workspace.Work
	}{
		{"a path without symlinks", stat("dir/file"), nil, workspace.Work{}},
		{"a symlink", stat("to/file"), nil, workspace.Work{Bytes: 3}},
		{"one after the other", stat("again/../to"), nil, workspace.Work{Bytes: 2 + 3 + 3}},
		{"one to itself", stat("loop"), workspace.ELOOP, workspace.Work{Bytes: 40 * 4}},
		{"one that isn't followed", func() error { return second(h.Stat("to", false)) }, nil, workspace.Work{}},
		{"a folder that gets no longer path", rename("dir", "new"), nil, workspace.Work{}},
		{"a longer one", rename("new", "longer"), nil, workspace.Work{Nodes: 3}},
		{"a longer one of a file", rename("longer/file", "longer/longer"), nil, workspace.Work{}},
		{"another area", rename("longer", "/rw/x"), nil, workspace.Work{Nodes: 3}},
		{"another area and a longer path", rename("/rw/x", "as-long-as-that"), nil, workspace.Work{Nodes: 2 * 3}},
	} {
		if err := test.do(); !errors.Is(err, test.err) {
			t.Errorf("%s: %v, want %v", test.name, err, test.err)
		}
		if got := h.TakeWork(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if left := h.TakeWork(); left != (workspace.Work{}) {
		t.Errorf("what was taken is there again: %+v", left)
	}
	if idle := other.TakeWork(); idle != (workspace.Work{}) {
		t.Errorf("the second folder has %+v", idle)
	}
}

// Several operations add up, and those on another handle or the tree don't count.
func TestWorkAddsUp(t *testing.T) {
	w := newTree(t, "to -> dir")
	h, other := rootOf(t, w), rootOf(t, w)
	for range 3 {
		must(h.Stat("to", true))(t)
		must(other.Stat("to", true))(t)
		must(w.Stat("to"))(t)
	}
	if got, want := h.TakeWork(), (workspace.Work{Bytes: 9}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
