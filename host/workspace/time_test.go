package workspace_test

import (
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestNoTwoChangesAreAtTheSameTime(t *testing.T) {
	w := workspace.New(workspace.Config{Now: 1000})
	check(t, w.Mkdir("dir", 0))
	check(t, w.WriteFile("dir/file", []byte("x"), 0))
	h := must(w.Open("dir/file", readWrite))(t)
	last := w.Now()
	for name, c := range map[string]struct {
		do   func() error
		path string
	}{
		"write":    {func() error { return w.WriteFile("dir/file", []byte("x"), 0) }, "dir/file"},
		"in place": {func() error { return second(h.WriteAt([]byte("x"), 0)) }, "dir/file"},
		"append":   {func() error { return second(h.Append([]byte("x"))) }, "dir/file"},
		"truncate": {func() error { return h.Truncate(5) }, "dir/file"},
		"open to truncate": {func() error {
			return opening("dir/file", workspace.OpenOptions{Write: true, Truncate: true})(w)
		}, "dir/file"},
		"create":  {func() error { return w.WriteFile("dir/new", nil, 0) }, "dir/new"},
		"mkdir":   {func() error { return w.Mkdir("dir/sub", 0) }, "dir"},
		"symlink": {func() error { return w.Symlink("dir", "link") }, "."},
		"link":    {func() error { return w.Link("dir/file", "dir/other") }, "dir"},
		"rename":  {func() error { return w.Rename("dir/file", "dir/moved") }, "dir"},
	} {
		check(t, c.do())
		now, info := w.Now(), must(w.Stat(c.path))(t)
		if now <= last || info.Modified <= last || info.Modified > now {
			t.Errorf("%s: modified at %d, from %d to %d", name, info.Modified, last, now)
		}
		last = now
		if name == "rename" {
			check(t, w.Rename("dir/moved", "dir/file"))
			last = w.Now()
		}
	}
}

func TestReadingTakesNoTime(t *testing.T) {
	w := newTree(t, "link -> dir")
	before := state(w)
	_, _, _, _ = second(w.ReadFile("dir/file")), second(w.ReadDir("dir")), second(w.Stat("link")), second(w.Readlink("link"))
	check(t, opening("dir/file", workspace.OpenOptions{Read: true})(w))
	check(t, w.Access("dir", workspace.Actor{User: "a"}, workspace.MayRead))
	if state(w) != before {
		t.Error("something changed")
	}
}

func TestTimeOnlyMovesOn(t *testing.T) {
	w := workspace.New(workspace.Config{Now: 5000})
	w.AdvanceTo(4000)
	if w.Now() != 5000 {
		t.Errorf("%d", w.Now())
	}
	w.AdvanceTo(math.MaxInt64 - 1)
	check(t, w.WriteFile("a", nil, 0))
	check(t, w.WriteFile("b", nil, 0))
	if w.Now() != math.MaxInt64 {
		t.Errorf("%d", w.Now())
	}
}

func TestTimesAreSet(t *testing.T) {
	w := newTree(t, "link -> dir/file")
	check(t, w.SetTimes("dir/file", new(int64(1)), nil))
	check(t, w.SetTimes("link", nil, new(int64(2)))) // the symlink's own
	file, link := must(w.Stat("dir/file"))(t), must(w.Lstat("link"))(t)
	if file.Accessed != 1 || file.Modified < 1000 || link.Modified != 2 || link.ModTime().UnixNano() != 2 {
		t.Errorf("%+v %+v", file, link)
	}
	h := rootOf(t, w)
	check(t, h.SetTimesAt("link", true, nil, new(int64(3))))
	if info := must(w.Stat("dir/file"))(t); info.Modified != 3 {
		t.Errorf("%+v", info)
	}
}
