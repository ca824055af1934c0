package workspace_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestACloneIsTheSame(t *testing.T) {
	w := newTree(t, "link -> dir")
	check(t, w.Link("dir/file", "again"))
	check(t, w.WriteFile("/rw/x", []byte("granted"), 0))
	check(t, w.Chown("dir", "alice", "staff"))
	w.AdvanceTo(1_000_000)
	c := w.Clone()
	if state(c) != state(w) || c.Limits() != w.Limits() || c.Policy().Root() != w.Policy().Root() {
		t.Errorf("got %s\nwant %s", state(c), state(w))
	}
	check(t, c.Invariants())
	check(t, c.WriteFile("again", []byte("x"), 0))
	if got := must(c.ReadFile("dir/file"))(t); string(got) != "x" {
		t.Errorf("content %q of the other name", got)
	}
	if got := must(c.ReadFile("/rw/x"))(t); string(got) != "granted" {
		t.Errorf("content %q", got)
	}
}

// changes are all ways to change a tree like that of newTree.
var changes = map[string]func(*workspace.Tree) error{
	"write":     func(w *workspace.Tree) error { return w.WriteFile("dir/file", []byte("x"), 0) },
	"create":    func(w *workspace.Tree) error { return w.WriteFile("dir/new", nil, 0) },
	"remove":    func(w *workspace.Tree) error { return w.RemoveAll("dir") },
	"rename":    func(w *workspace.Tree) error { return w.Rename("dir", "moved") },
	"link":      func(w *workspace.Tree) error { return w.Link("dir/file", "new") },
	"mkdir":     func(w *workspace.Tree) error { return w.MkdirAll("a/b/c", 0) },
	"chmod":     func(w *workspace.Tree) error { return w.Chmod("dir/file", 0) },
	"chown":     func(w *workspace.Tree) error { return w.Chown("dir", "a", "b") },
	"times":     func(w *workspace.Tree) error { return w.SetTimes("dir", new(int64(5)), new(int64(6))) },
	"the clock": func(w *workspace.Tree) error { w.AdvanceTo(1 << 60); return nil },
	"clear":     func(w *workspace.Tree) error { w.Clear(); return nil },
	"in place":  func(w *workspace.Tree) error { return writing(w, "CON", 0) },
	"append":    func(w *workspace.Tree) error { return writing(w, "more", 7) },
	"cut": func(w *workspace.Tree) error {
		h, err := w.Open("dir/file", readWrite)
		if err != nil {
			return err
		}
		return errors.Join(h.Truncate(3), h.Close())
	},
}

func writing(w *workspace.Tree, text string, offset int64) error {
	h, err := w.Open("dir/file", readWrite)
	if err != nil {
		return err
	}
	_, err = h.WriteAt([]byte(text), offset)
	return errors.Join(err, h.Close())
}

func TestAChangeOfOneTreeIsntSeenInTheOther(t *testing.T) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				w := newTree(t)
				check(t, writing(w, "some room to grow", 7))
				check(t, writing(w, "!", 24))
				changed, other := w, w.Clone()
				if t.Failed() {
					return
				}
				for range 2 { // first the old one is changed, then the clone
					before := state(other)
					check(t, change(changed))
					if state(other) != before {
						t.Errorf("the other one was\n%s\nand is\n%s", before, state(other))
					}
					changed, other = other, changed
				}
				if state(w) != state(changed) && state(w) != state(other) {
					t.Error("lost")
				}
			}
		})
	}
}

func TestOpenHandlesStayWithTheOldTree(t *testing.T) {
	w := newTree(t)
	h := must(w.Open("dir/file", readWrite))(t)
	must(h.WriteAt([]byte("1"), 7))(t)
	clones := []*workspace.Tree{w.Clone()}
	for i := range 20 {
		must(h.WriteAt(fmt.Append(nil, i%10), 8+int64(i)))(t)
		clones = append(clones, w.Clone())
		check(t, writing(clones[i], "?", 8+int64(i))) // where the old one has the digit
	}
	for i, c := range clones[:20] {
		want := ("content1" + "01234567890123456789")[:8+i] + "?"
		if got := must(c.ReadFile("dir/file"))(t); string(got) != want {
			t.Errorf("clone %d has %q, want %q", i, got, want)
		}
		check(t, c.Invariants())
	}
	if got := contentOf(t, h); got != "content101234567890123456789" {
		t.Errorf("the old one has %q", got)
	}
	check(t, w.Remove("dir/file"))
	c := w.Clone()
	check(t, c.Invariants())
	if bytes, _ := c.Usage(); bytes != 0 {
		t.Errorf("a clone has %d bytes of what is removed", bytes)
	}
}
