package workspace_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func lines(changes []workspace.Change) []string {
	var texts []string
	for _, c := range changes {
		texts = append(texts, c.String())
	}
	return texts
}

func TestCompareTellsWhatChanged(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	for _, name := range []string{"same", "content", "mode", "both", "gone", "kind", "touched"} {
		check(t, tree.WriteFile(name, []byte(name), 0))
	}
	check(t, tree.Symlink("old", "link"))
	check(t, tree.MkdirAll("dir/sub", 0))
	before := tree.Snapshot()
	check(t, tree.WriteFile("same", []byte("same"), 0))
	check(t, tree.WriteFile("content", nil, 0))
	check(t, tree.Chmod("mode", 0o600))
	check(t, tree.WriteFile("both", nil, 0))
	check(t, tree.Chmod("both", 0o600))
	check(t, tree.Chown("touched", "alice", "alice"))
	check(t, tree.Remove("gone"))
	check(t, tree.Remove("kind"))
	check(t, tree.Mkdir("kind", 0))
	check(t, tree.Remove("link"))
	check(t, tree.Symlink("new", "link"))
	check(t, tree.Rename("dir/sub", "dir-sub"))
	check(t, tree.Chmod(".", 0o700))
	after := tree.Snapshot()

	want := []string{
		"changed . (mode)", "changed both (content, mode)", "changed content (content)", "added dir-sub", "removed dir/sub",
		"removed gone", "changed kind (kind)", "changed link (target)", "changed mode (mode)",
	}
	changes := workspace.Compare(before, after)
	if got := lines(changes); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, c := range changes {
		hasBefore, hasAfter := c.Before.Path == c.Path, c.After.Path == c.Path
		if hasBefore == (c.What == workspace.Added) || hasAfter == (c.What == workspace.Removed) {
			t.Errorf("%v: before %+v, after %+v", c, c.Before, c.After)
		}
	}
	if changes := workspace.Compare(after, tree.Snapshot()); changes != nil {
		t.Errorf("without a change: %v", changes)
	}
}

// What was added one way was removed the other way.
func TestCompareIsSymmetric(t *testing.T) {
	one, other := workspace.New(workspace.Config{}), workspace.New(workspace.Config{})
	check(t, one.WriteFile("a", []byte("1"), 0))
	check(t, one.WriteFile("b", nil, 0))
	check(t, other.WriteFile("a", []byte("2"), 0))
	there, back := workspace.Compare(one.Snapshot(), other.Snapshot()), workspace.Compare(other.Snapshot(), one.Snapshot())
	for i, c := range back {
		c.Before, c.After = c.After, c.Before
		switch c.What {
		case workspace.Added:
			c.What = workspace.Removed
		case workspace.Removed:
			c.What = workspace.Added
		}
		back[i] = c
	}
	if !reflect.DeepEqual(there, back) {
		t.Errorf("there %v, back %v", there, back)
	}
}

func ExampleCompare() {
	w := workspace.New(workspace.Config{})
	_ = w.WriteFile("kept.txt", []byte("old"), 0)
	_ = w.WriteFile("gone.txt", nil, 0)
	before := w.Snapshot()

	_ = w.WriteFile("kept.txt", []byte("new"), 0)
	_ = w.Remove("gone.txt")
	_ = w.WriteFile("made.txt", nil, 0)
	for _, change := range workspace.Compare(before, w.Snapshot()) {
		fmt.Println(change)
	}
	// Output:
	// removed gone.txt
	// changed kept.txt (content)
	// added made.txt
}
