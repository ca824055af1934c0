package workspace_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestSymlinksAreFollowed(t *testing.T) {
	w := newTree(t, "l1 -> dir/file", "l2 -> l1", "d1 -> dir", "abs -> /workspace/dir/file", "dir/up -> ../dir/file", "slash -> dir/",
		"rw -> /rw", "over -> ../workspace/dir/file", "root -> .", "out-in -> /workspace/../workspace/dir/file")
	check(t, w.WriteFile("/rw/x", []byte("granted"), 0))
	check(t, w.Symlink("/workspace/dir/file", "/rw/back"))
	for name, want := range map[string]string{
		"l1": "content", "l2": "content", "d1/file": "content", "abs": "content", "dir/up": "content", "slash/file": "content", "rw/x": "granted",
		"over": "content", "root/root/root/dir/file": "content", "out-in": "content", "d1/up": "content", "/rw/back": "content", "rw/back": "content",
	} {
		if got, err := w.ReadFile(name); string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

func TestSymlinksDontLeadOut(t *testing.T) {
	w := newTree(t, "etc -> /etc/passwd", "up -> ..", "above -> ../../other", "top -> /", "l -> up", "ro -> /ro", "new -> /etc/new")
	before := state(w)
	for name, resolved := range map[string]string{
		"etc": "/etc/passwd", "up": "/", "above": "/other", "top": "/", "l": "/", "up/x": "/x", "top/etc/passwd": "/etc/passwd", "l/x/y": "/x/y",
		"top/workspace": "", "up/workspace/dir": "", "top/rw": "",
	} {
		info, err := w.Stat(name)
		escape, escapes := errors.AsType[*workspace.EscapeError](err)
		if escapes != (resolved != "") || escapes && (escape.Resolved != resolved || escape.Reason != workspace.ReasonEscapeRoot) {
			t.Errorf("%s: %+v %+v %v", name, info, escape, err)
		}
	}
	// None of these is done outside, nor does it say what is there.
	for name, err := range map[string]error{
		"write":   w.WriteFile("new", nil, 0),
		"mkdir":   w.MkdirAll("top/tmp/x", 0),
		"into it": w.Rename("dir", "up/dir"),
		"from it": w.Rename("top/workspace/../ro", "x"),
		"list":    second(w.ReadDir("top")),
		"chmod":   w.Chmod("up", 0o777),
		"access":  w.Access("etc", workspace.Actor{}, workspace.MayRead),
		"fs":      second(w.FS().Open("etc")),
	} {
		if !errors.Is(err, workspace.EPERM) && name != "from it" || err == nil || state(w) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The error has the path as it was given, and where it led.
	escape, _ := errors.AsType[*workspace.EscapeError](w.MkdirAll("up/x/y", 0))
	if want := (workspace.EscapeError{Path: "/workspace/up/x/y", Reason: workspace.ReasonEscapeRoot, Resolved: "/x/y"}); escape == nil || *escape != want {
		t.Errorf("%+v", *escape)
	}
	if c := w.Clone(); c.MkdirAll("top/workspace/dir/made", 0) != nil || second(c.Stat("dir/made")) != nil {
		t.Error("a path didn't come back")
	}
	// S6.67
	for name, err := range map[string]error{
		"write":  w.WriteFile("ro/x", nil, 0),
		"mkdir":  w.MkdirAll("ro/x/y", 0),
		"rename": w.Rename("dir", "ro/dir"),
		"remove": w.RemoveAll("ro/x"),
		"chmod":  w.Chmod("ro", 0o777),
	} {
		readOnly, refused := errors.AsType[*workspace.ReadOnlyError](err)
		if !refused || readOnly.Grant != "/ro" || !strings.HasPrefix(readOnly.Resolved, "/ro") || state(w) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestSymlinksAtTheEnd(t *testing.T) {
	w := newTree(t, "link -> dir/file", "folder -> dir", "dangling -> dir/new", "deep -> none/new")
	if info := must(w.Lstat("link"))(t); info.Target != "dir/file" || info.Size != 8 || info.Mode.String() != "Lrwxrwxrwx" || info.Name != "link" {
		t.Errorf("%+v", info)
	}
	if info := must(w.Stat("link"))(t); info.Target != "" || info.Name != "file" {
		t.Errorf("%+v", info)
	}
	if err := w.WriteFile("deep", nil, 0); !errors.Is(err, workspace.ENOENT) {
		t.Error(err)
	}
	for name, err := range map[string]error{"mkdir": w.Mkdir("dangling", 0), "all": w.MkdirAll("dangling", 0), "below": w.MkdirAll("dangling/x", 0)} {
		if !errors.Is(err, workspace.EEXIST) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, w.WriteFile("dangling", []byte("made"), 0))
	if got := must(w.ReadFile("dir/new"))(t); string(got) != "made" {
		t.Errorf("content %q", got)
	}
	check(t, w.MkdirAll("folder/sub/sub", 0))
	must(w.Stat("dir/sub/sub"))(t)
	check(t, w.MkdirAll("folder", 0))
	for o, want := range map[workspace.OpenOptions]error{
		{NoFollow: true}:                  workspace.ELOOP,
		{NoFollow: true, Create: true}:    workspace.ELOOP,
		{NoFollow: true, Directory: true}: workspace.ENOTDIR,
		{Exclusive: true, Create: true}:   workspace.EEXIST,
		{Directory: true}:                 nil,
	} {
		if err := opening("folder", o)(w); !errors.Is(err, want) {
			t.Errorf("%+v: %v, want %v", o, err, want)
		}
	}
	check(t, w.RemoveAll("folder")) // the symlink, S6.11
	check(t, w.Remove("link"))
	must(w.Stat("dir/file"))(t)
	check(t, w.Invariants())
}

func TestChainsOfSymlinksEnd(t *testing.T) {
	w := newTree(t, "0 -> dir/file", "loop -> loop", "a -> b", "b -> a", "grow -> grow/x")
	for i := range 41 {
		check(t, w.Symlink(fmt.Sprint(i), fmt.Sprint(i+1)))
	}
	for name, want := range map[string]error{
		"39": nil, "40": workspace.ELOOP, "loop": workspace.ELOOP, "a": workspace.ELOOP, "loop/x": workspace.ELOOP, "grow": workspace.ELOOP,
	} {
		if _, err := w.ReadFile(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err := w.MkdirAll(name+"/sub", 0); want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

func TestManySymlinksInAPathAreTooMany(t *testing.T) {
	w := newTree(t, "l -> .")
	for count, want := range map[int]error{40: nil, 41: workspace.ELOOP, 3000: workspace.ENAMETOOLONG, 1_000_000: workspace.ENAMETOOLONG} {
		path := strings.Repeat("l/", count) + "dir"
		for name, err := range map[string]error{"stat": second(w.Stat(path)), "mkdir": w.MkdirAll(path, 0), "below": w.MkdirAll(path+"/new", 0)} {
			if !errors.Is(err, want) {
				t.Errorf("%s through %d symlinks: %v, want %v", name, count, err, want)
			}
		}
	}
}

// A Tree's paths are normalised before symlinks are looked at (S6.70), a handle's
// are not.
func TestDotsAfterSymlinks(t *testing.T) {
	w := newTree(t, "link -> dir/sub")
	check(t, w.Mkdir("dir/sub", 0))
	check(t, w.WriteFile("file", []byte("of the root"), 0))
	if got := must(w.ReadFile("link/../file"))(t); string(got) != "of the root" {
		t.Errorf("by path: %q", got)
	}
	if info := must(rootOf(t, w).Stat("link/../file", true))(t); info.Size != int64(len("content")) {
		t.Errorf("by handle: %+v", info)
	}
}

func TestAFolderIsntMovedIntoItselfThroughASymlink(t *testing.T) {
	w := newTree(t, "link -> dir")
	before := state(w)
	wants(t, w, before, w.Rename("dir", "link/new"), workspace.EINVAL)
}
