package workspace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestASnapshotListsAllInOrder(t *testing.T) {
	w := newTree(t, "link -> dir")
	for _, name := range []string{"a", "a-b", "a/b", "a/b/c", "B", "é", ".hidden"} {
		check(t, w.MkdirAll(name, 0))
	}
	check(t, w.WriteFile("/rw/x", nil, 0))
	paths := func(skip ...string) (paths []string) {
		for _, e := range w.Snapshot(skip...) {
			paths = append(paths, e.Path)
			if e.Path != "." && e.Name != e.Path[strings.LastIndexByte(e.Path, '/')+1:] {
				t.Errorf("%q is called %q", e.Path, e.Name)
			}
		}
		return paths
	}
	if got, want := paths(), []string{".", ".hidden", "B", "a", "a/b", "a/b/c", "a-b", "dir", "dir/file", "link", "é"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := paths("a/b", "dir", "none", "a/b/c"), []string{".", ".hidden", "B", "a", "a-b", "link", "é"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func entriesText(entries []workspace.Entry) string { return fmt.Sprintf("%+v", entries) }

func TestASnapshotStaysAsItWas(t *testing.T) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			w := newTree(t)
			check(t, writing(w, "some room to grow", 7))
			snapshot := w.Snapshot()
			content := must(w.ReadFile("dir/file"))(t)
			before, text := entriesText(snapshot), string(content)
			check(t, change(w))
			if _, err := w.Stat("dir/file"); err == nil {
				_ = writing(w, "XXXXX", 2)
			}
			if got := entriesText(snapshot); got != before || string(content) != text {
				t.Errorf("it was\n%s\nand is\n%s", before, got)
			}
		})
	}
}

// Readers may keep what they read while others write.
func TestWhatWasReadStaysWhileAFileGrows(t *testing.T) {
	w := newTree(t)
	h := must(w.Open("log", readWrite))(t)
	var read [][]byte
	want := ""
	for i := range 200 {
		must(h.Append([]byte{byte('a' + i%26)}))(t)
		want += string(rune('a' + i%26))
		read = append(read, must(w.ReadFile("log"))(t))
		if i%50 == 49 {
			check(t, h.Truncate(int64(len(want)-10)))
			want = want[:len(want)-10]
		}
		_ = append(read[len(read)-1], "overwritten"...) // which must not matter
	}
	for _, r := range read {
		if !strings.HasPrefix(string(r), "abcdefghij"[:min(len(r), 10)]) {
			t.Errorf("%q", r)
		}
	}
	if got := contentOf(t, h); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
