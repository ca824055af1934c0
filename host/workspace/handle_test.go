package workspace_test

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

var readWrite = workspace.OpenOptions{Read: true, Write: true, Create: true}

func contentOf(t testing.TB, h *workspace.Handle) string {
	t.Helper()
	buffer := make([]byte, 1000)
	return string(buffer[:must(h.ReadAt(buffer, 0))(t)])
}

func TestAHandleReadsAndWrites(t *testing.T) {
	w := newTree(t)
	h := must(w.Open("new", readWrite))(t)
	for _, c := range []struct {
		text   string
		offset int64
		want   string
	}{{"abc", 0, "abc"}, {"X", 1, "aXc"}, {"de", 3, "aXcde"}, {"!", 7, "aXcde\x00\x00!"}, {"", 100, "aXcde\x00\x00!"}} {
		end, err := h.WriteAt([]byte(c.text), c.offset)
		if got := contentOf(t, h); err != nil || got != c.want || end != c.offset+int64(len(c.text)) {
			t.Errorf("%+v: %q to %d, %v", c, got, end, err)
		}
	}
	check(t, h.Truncate(2))
	check(t, h.Truncate(4))
	if got := contentOf(t, h); got != "aX\x00\x00" {
		t.Errorf("%q after it was cut", got)
	}
	for _, offset := range []int64{4, 5, math.MaxInt64} {
		if n, err := h.ReadAt(make([]byte, 1), offset); n != 0 || err != nil {
			t.Errorf("%d bytes at %d: %v", n, offset, err)
		}
	}
	check(t, w.Invariants(h))
	check(t, h.Close())
}

func TestAppendingIsToTheEnd(t *testing.T) {
	w := newTree(t)
	h := must(w.Open("dir/file", workspace.OpenOptions{Append: true}))(t)
	if end, err := h.WriteAt([]byte("!"), 0); end != 8 || err != nil {
		t.Errorf("to %d: %v", end, err)
	}
	check(t, w.WriteFile("dir/file", nil, 0))
	if end, err := h.WriteAt([]byte("?"), 5); end != 1 || err != nil {
		t.Errorf("to %d: %v", end, err)
	}
}

func TestAHandleDoesWhatItWasOpenedFor(t *testing.T) {
	w := newTree(t)
	reading := must(w.Open("dir/file", workspace.OpenOptions{Read: true}))(t)
	writing := must(w.Open("dir/file", workspace.OpenOptions{Write: true}))(t)
	folder := must(w.Open("dir", workspace.OpenOptions{Read: true}))(t)
	before := state(w)
	for name, c := range map[string]struct{ got, want error }{
		"write what is read":          {second(reading.WriteAt([]byte("x"), 0)), workspace.EBADF},
		"truncate what is read":       {reading.Truncate(0), workspace.EBADF},
		"read what is written":        {second(writing.ReadAt(nil, 0)), workspace.EBADF},
		"read a folder":               {second(folder.ReadAt(nil, 0)), workspace.EISDIR},
		"write a folder":              {second(folder.WriteAt(nil, 0)), workspace.EBADF},
		"truncate a folder":           {folder.Truncate(0), workspace.EBADF},
		"list a file":                 {second(reading.ReadDir()), workspace.ENOTDIR},
		"open in a file":              {second(reading.Open("x", readWrite)), workspace.ENOTDIR},
		"open a file itself":          {second(reading.Open(".", workspace.OpenOptions{})), workspace.ENOTDIR},
		"mkdir in a file":             {reading.Mkdir("x", 0), workspace.ENOTDIR},
		"rename into a file":          {folder.Rename("file", writing, "x"), workspace.ENOTDIR},
		"no path":                     {second(folder.Stat("", true)), workspace.ENOENT},
		"read before the beginning":   {second(reading.ReadAt(nil, -1)), workspace.EINVAL},
		"write before the beginning":  {second(writing.WriteAt([]byte("x"), -1)), workspace.EINVAL},
		"truncate to less than empty": {writing.Truncate(-1), workspace.EINVAL},
		"write at the end of numbers": {second(writing.WriteAt([]byte("xx"), math.MaxInt64-1)), workspace.ENOSPC},
		"a file of all numbers":       {writing.Truncate(math.MaxInt64), workspace.ENOSPC},
		"rename in another tree":      {folder.Rename("file", rootOf(t, newTree(t)), "x"), workspace.EXDEV},
		"link in another tree":        {folder.Link("file", false, rootOf(t, newTree(t)), "x"), workspace.EXDEV},
	} {
		if _, ok := errors.AsType[*fs.PathError](c.got); !ok || !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if state(w) != before {
		t.Error("something changed")
	}
}

func TestAClosedHandleDoesNothing(t *testing.T) {
	w := newTree(t)
	root, h, folder := rootOf(t, w), must(w.Open("dir/file", readWrite))(t), must(w.Open("dir", workspace.OpenOptions{}))(t)
	check(t, h.Close())
	check(t, folder.Close())
	before := state(w)
	for name, err := range map[string]error{
		"close": h.Close(), "read": second(h.ReadAt(nil, 0)), "write": second(h.WriteAt([]byte("x"), 0)), "truncate": h.Truncate(0),
		"append": second(h.Append([]byte("x"))), "grow": h.Grow(100), "times": h.SetTimes(nil, new(int64(1))), "list": second(folder.ReadDir()),
		"open": second(folder.Open("file", readWrite)), "stat": second(folder.Stat("file", true)), "mkdir": folder.Mkdir("x", 0),
		"unlink": folder.Unlink("file"), "rmdir": folder.Rmdir("file"), "rename": folder.Rename("file", root, "x"),
		"rename to": root.Rename("dir", folder, "x"), "link": folder.Link("file", true, root, "x"), "symlink": folder.Symlink("x", "y"),
		"readlink": second(folder.Readlink("file")), "times of": folder.SetTimesAt("file", true, nil, new(int64(1))),
	} {
		if !errors.Is(err, workspace.EBADF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if state(w) != before {
		t.Error("something changed")
	}
	check(t, w.Invariants(root))
}

func TestAHandleStaysWithItsFile(t *testing.T) {
	w := newTree(t)
	h := must(w.Open("dir/file", readWrite))(t)
	check(t, w.Rename("dir/file", "moved"))
	check(t, w.WriteFile("dir/file", []byte("another"), 0))
	must(h.WriteAt([]byte("C"), 0))(t)
	if got := must(w.ReadFile("moved"))(t); string(got) != "Content" {
		t.Errorf("content %q", got)
	}
	check(t, w.Remove("moved"))
	must(h.WriteAt([]byte(" of nothing"), 7))(t)
	if got := contentOf(t, h); got != "Content of nothing" || h.Info().Links != 0 {
		t.Errorf("content %q, %+v", got, h.Info())
	}
	if bytes, files := w.Usage(); bytes != int64(len("Content of nothing")+len("another")) || files != 3 {
		t.Errorf("%d bytes in %d files", bytes, files)
	}
	check(t, w.Invariants(h))
	check(t, h.Close())
	if bytes, files := w.Usage(); bytes != int64(len("another")) || files != 2 {
		t.Errorf("%d bytes in %d files once it is closed", bytes, files)
	}
	check(t, w.Invariants())
}

func TestAHandleStaysWithItsFolder(t *testing.T) {
	w := newTree(t)
	root, h := rootOf(t, w), must(w.Open("dir", workspace.OpenOptions{Read: true}))(t)
	check(t, w.Rename("dir", "moved"))
	check(t, h.Mkdir("sub", 0))
	must(w.Stat("moved/sub"))(t)
	if info := must(h.Stat("../moved/file", true))(t); info.Name != "file" {
		t.Errorf("%+v", info)
	}
	check(t, w.RemoveAll("moved"))
	check(t, w.MkdirAll("moved/sub", 0))
	if list := must(h.ReadDir())(t); len(list) != 0 {
		t.Errorf("listed %+v", list)
	}
	before := state(w)
	for name, err := range map[string]error{
		"mkdir": h.Mkdir("x", 0), "create": second(h.Open("x", readWrite)), "symlink": h.Symlink("x", "y"), "above": h.Mkdir("../x", 0),
		"stat": second(h.Stat("sub", true)), "itself": second(h.Stat(".", true)), "rename": root.Rename("moved/sub", h, "x"),
		"link": h.Link("x", false, h, "y"), "rmdir": h.Rmdir("sub"),
	} {
		if !errors.Is(err, workspace.ENOENT) || state(w) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, w.Invariants(root, h))
	check(t, h.Close())
	check(t, w.Invariants(root))
}

func TestWhatCanOnlyBeReadIsntChangedByHandle(t *testing.T) {
	w := newTree(t, "ro -> /ro")
	for _, name := range []string{"/ro", "ro"} {
		h := must(w.Open(name, workspace.OpenOptions{Read: true}))(t)
		before := state(w)
		for what, err := range map[string]error{
			"times": h.SetTimes(nil, new(int64(1))), "times of": h.SetTimesAt(".", true, nil, new(int64(1))), "mkdir": h.Mkdir("x", 0),
			"create": second(h.Open("x", readWrite)), "symlink": h.Symlink("a", "b"), "rmdir": h.Rmdir("x"), "rename": h.Rename("x", h, "y"),
		} {
			if !errors.Is(err, workspace.EROFS) || state(w) != before {
				t.Errorf("%s: %v", what, err)
			}
		}
		check(t, h.Close())
	}
}

func TestPathsOfAHandleEndInASlash(t *testing.T) {
	w := newTree(t, "link -> dir", "dangling -> none", "file-link -> dir/file")
	h := rootOf(t, w)
	check(t, h.Mkdir("empty", 0))
	for name, c := range map[string]struct{ got, want error }{
		"stat a folder":               {second(h.Stat("dir/", false)), nil},
		"stat a file":                 {second(h.Stat("dir/file/", true)), workspace.ENOTDIR},
		"stat a symlink":              {second(h.Stat("file-link/", false)), workspace.ENOTDIR},
		"create a file":               {second(h.Open("new/", readWrite)), workspace.EISDIR},
		"create a file that is there": {second(h.Open("dir/file/", readWrite)), workspace.EISDIR},
		"unlink a file":               {h.Unlink("dir/file/"), workspace.ENOTDIR},
		"unlink a symlink":            {h.Unlink("link/"), workspace.ENOTDIR},
		"rmdir a symlink":             {h.Rmdir("link/"), workspace.ENOTDIR},
		"rmdir a dot":                 {h.Rmdir("empty/."), workspace.EINVAL},
		"rmdir two dots":              {h.Rmdir("dir/.."), workspace.EBUSY},
		"mkdir a dangling symlink":    {h.Mkdir("dangling/", 0), workspace.EEXIST},
		"mkdir a dot":                 {h.Mkdir("new/.", 0), workspace.ENOENT},
		"symlink":                     {h.Symlink("x", "new/"), workspace.ENOENT},
		"link":                        {h.Link("dir/file", false, h, "new/"), workspace.ENOENT},
		"rename a file":               {h.Rename("dir/file", h, "new/"), workspace.ENOTDIR},
		"rename a file to a folder":   {h.Rename("dir/file", h, "empty/"), workspace.ENOTDIR},
		"rename a symlink":            {h.Rename("link/", h, "new"), workspace.ENOTDIR},
		"rename a dot":                {h.Rename("dir/.", h, "new"), workspace.EBUSY},
		"rename to two dots":          {h.Rename("dir", h, "empty/.."), workspace.EBUSY},
		"rename a folder":             {h.Rename("dir/", h, "moved//"), nil},
		"mkdir":                       {h.Mkdir("made//", 0), nil},
		"rmdir":                       {h.Rmdir("empty/"), nil},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	check(t, w.Invariants(h))
}
