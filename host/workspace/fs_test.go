package workspace_test

import (
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestTheViewIsAFileSystem(t *testing.T) {
	w := workspace.New(workspace.Config{})
	for _, name := range []string{"a.txt", "b/c.txt", "b/d/e.txt", "empty"} {
		if err := w.MkdirAll(name+"/..", 0); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteFile(name, []byte("content of "+name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Symlink("b/c.txt", "link"); err != nil {
		t.Fatal(err)
	}
	if err := w.Symlink("b/d", "folder"); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(w.FS(), "a.txt", "b/c.txt", "b/d/e.txt", "empty", "link"); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(w.Clone().FS(), "a.txt", "b/c.txt", "b/d/e.txt", "empty", "link"); err != nil {
		t.Fatal(err)
	}
}

func TestAFileOfTheViewStaysAsItWasOpened(t *testing.T) {
	w := newTree(t)
	file := must(w.FS().Open("dir/file"))(t)
	dir := must(w.FS().Open("dir"))(t).(fs.ReadDirFile)
	first := must(dir.ReadDir(1))(t)
	check(t, w.WriteFile("dir/file", []byte("changed"), 0))
	check(t, w.WriteFile("dir/new", nil, 0))
	if got := string(must(io.ReadAll(file))(t)); got != "content" {
		t.Errorf("content %q", got)
	}
	if rest := must(dir.ReadDir(-1))(t); len(first) != 1 || len(rest) != 0 {
		t.Errorf("listed %v, then %v", first, rest)
	}
	content := must(fs.ReadFile(w.FS(), "dir/file"))(t)
	content[0] = 'X'
	if got := must(w.ReadFile("dir/file"))(t); string(got) != "changed" {
		t.Errorf("content %q: the reader changed it", got)
	}
	for name, err := range map[string]error{
		"close": errors.Join(file.Close(), dir.Close()), "close again": file.Close(), "close the folder again": dir.Close(),
		"read": second(file.Read(make([]byte, 1))), "list": second(dir.ReadDir(1)),
	} {
		if want := name != "close"; errors.Is(err, fs.ErrClosed) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsOfTheViewAreThoseOfPackageFS(t *testing.T) {
	w := newTree(t, "out -> /etc/passwd", "loop -> loop")
	view := w.FS()
	for name, want := range map[string]error{
		"none": fs.ErrNotExist, "/dir": fs.ErrInvalid, "../x": fs.ErrInvalid, "dir/": fs.ErrInvalid, "": fs.ErrInvalid,
		"out": fs.ErrPermission, "loop": workspace.ELOOP, "dir/file/x": workspace.ENOTDIR,
	} {
		for what, err := range map[string]error{
			"open": second(view.Open(name)), "read": second(fs.ReadFile(view, name)), "list": second(fs.ReadDir(view, name)), "stat": second(fs.Stat(view, name)),
		} {
			if _, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, want) {
				t.Errorf("%s %q: %v, want %v", what, name, err, want)
			}
		}
	}
	if target := must(fs.ReadLink(view, "out"))(t); target != "/etc/passwd" {
		t.Errorf("target %q", target)
	}
}
