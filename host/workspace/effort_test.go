package workspace_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A handle tells what its operations went through that can't be seen from their paths.
func TestOperationsTellOfTheirEffort(t *testing.T) {
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
		want workspace.Effort
	}{
		{"a path without symlinks", stat("dir/file"), nil, workspace.Effort{}},
		{"a symlink", stat("to/file"), nil, workspace.Effort{Bytes: 3}},
		{"one after the other", stat("again/../to"), nil, workspace.Effort{Bytes: 2 + 3 + 3}},
		{"one to itself", stat("loop"), workspace.ELOOP, workspace.Effort{Bytes: 40 * 4}},
		{"one that isn't followed", func() error { return second(h.Stat("to", false)) }, nil, workspace.Effort{}},
		{"a folder that gets no longer path", rename("dir", "new"), nil, workspace.Effort{}},
		{"a longer one", rename("new", "longer"), nil, workspace.Effort{Nodes: 3}},
		{"a longer one of a file", rename("longer/file", "longer/longer"), nil, workspace.Effort{}},
		{"another area", rename("longer", "/rw/x"), nil, workspace.Effort{Nodes: 3}},
		{"another area and a longer path", rename("/rw/x", "as-long-as-that"), nil, workspace.Effort{Nodes: 2 * 3}},
	} {
		if err := test.do(); !errors.Is(err, test.err) {
			t.Errorf("%s: %v, want %v", test.name, err, test.err)
		}
		if got := h.TakeEffort(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if left := h.TakeEffort(); left != (workspace.Effort{}) {
		t.Errorf("what was taken is there again: %+v", left)
	}
	if idle := other.TakeEffort(); idle != (workspace.Effort{}) {
		t.Errorf("the second folder has %+v", idle)
	}
}

// Several operations add up, and those on another handle or the tree don't count.
func TestEffortAddsUp(t *testing.T) {
	w := newTree(t, "to -> dir")
	h, other := rootOf(t, w), rootOf(t, w)
	for range 3 {
		must(h.Stat("to", true))(t)
		must(other.Stat("to", true))(t)
		must(w.Stat("to"))(t)
	}
	if got, want := h.TakeEffort(), (workspace.Effort{Bytes: 9}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
