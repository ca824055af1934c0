package workspace_test

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func configOf(w *workspace.Tree) workspace.Config {
	return workspace.Config{Policy: w.Policy(), Limits: w.Limits()}
}

func TestATreeOfAnImageIsTheSame(t *testing.T) {
	w := newTree(t, "link -> dir")
	check(t, w.Link("dir/file", "again"))
	check(t, w.Symlink("/rw/elsewhere", "out"))
	check(t, w.WriteFile("/rw/x", []byte("granted"), 0))
	check(t, w.Chown("dir", "alice", "staff"))
	check(t, w.Chmod(".", 0o1700))
	check(t, w.Remove("dir/file"))
	w.AdvanceTo(1_000_000)
	im := w.Image()
	c, err := workspace.FromImage(configOf(w), im)
	if err != nil {
		t.Fatal(err)
	}
	if state(c) != state(w) {
		t.Errorf("got %s\nwant %s", state(c), state(w))
	}
	check(t, c.Invariants())
	if diff := cmp.Diff(im, c.Image()); diff != "" {
		t.Errorf("(-image +image of its tree):\n%s", diff)
	}
	for name, change := range changes { // both go on in the same way
		if a, b := change(w), change(c); (a == nil) != (b == nil) {
			t.Errorf("%s: %v, and %v", name, a, b)
		}
	}
	if diff := cmp.Diff(w.Image(), c.Image()); diff != "" {
		t.Errorf("after changes (-tree +tree of its image):\n%s", diff)
	}
	check(t, c.Invariants())
}

func TestImagesOfNoTreeAreRefused(t *testing.T) {
	w := newTree(t, "link -> dir")
	check(t, w.Link("dir/file", "again"))
	at := func(im *workspace.Image, name string) *workspace.Entry {
		i := slices.IndexFunc(im.Entries, func(e workspace.Entry) bool { return e.Path == name })
		if i < 0 {
			t.Fatalf("there is no %s", name)
		}
		return &im.Entries[i]
	}
	root := w.Policy().Root()
	without := func(im *workspace.Image, name string) {
		im.Entries = slices.DeleteFunc(im.Entries, func(e workspace.Entry) bool { return e.Path == name })
	}
	for name, damage := range map[string]func(*workspace.Image){
		"nothing":                        func(im *workspace.Image) { im.Entries = nil },
		"the root is missing":            func(im *workspace.Image) { without(im, root) },
		"a folder comes after":           func(im *workspace.Image) { slices.Reverse(im.Entries) },
		"a name is there twice":          func(im *workspace.Image) { im.Entries = append(im.Entries, *at(im, root+"/link")) },
		"the root is a file":             func(im *workspace.Image) { at(im, root).Mode = 0o644 },
		"a folder is a file":             func(im *workspace.Image) { at(im, root+"/dir").Mode = 0o644 },
		"a device":                       func(im *workspace.Image) { at(im, root+"/again").Mode = fs.ModeDevice },
		"a mode that no file has":        func(im *workspace.Image) { at(im, root+"/again").Mode = fs.ModeAppend },
		"an inode of the future":         func(im *workspace.Image) { at(im, root+"/link").Inode = im.LastInode + 1 },
		"no inode":                       func(im *workspace.Image) { at(im, root+"/link").Inode = 0 },
		"a link and a file are the same": func(im *workspace.Image) { at(im, root+"/link").Inode = at(im, root+"/again").Inode },
		"two folders are the same":       func(im *workspace.Image) { at(im, root+"/dir").Inode = at(im, root).Inode },
		"two names differ":               func(im *workspace.Image) { at(im, root+"/again").Owner = "bob" },
		"two names' contents differ":     func(im *workspace.Image) { at(im, root+"/again").Content = []byte("other") },
		"no owner":                       func(im *workspace.Image) { at(im, root+"/link").Owner = "" },
		"no target":                      func(im *workspace.Image) { at(im, root+"/link").Target = "" },
		"a target that can't be":         func(im *workspace.Image) { at(im, root+"/link").Target = "a\x00" },
		"a folder with content":          func(im *workspace.Image) { at(im, root+"/dir").Content = []byte("x") },
		"no inode is left":               func(im *workspace.Image) { im.LastInode = math.MaxUint64 },
		"a relative path":                func(im *workspace.Image) { at(im, root+"/link").Path = "link" },
		"a path with dots":               func(im *workspace.Image) { at(im, root+"/link").Path = root + "/dir/../link" },
	} {
		im := w.Image()
		damage(im)
		if _, err := workspace.FromImage(configOf(w), im); !errors.Is(err, workspace.ErrImage) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestAnImageKeepsToTheLimits(t *testing.T) {
	w := newTree(t, "link -> dir")
	bytes, files := w.Usage()
	for _, limits := range []workspace.Limits{{Bytes: bytes - 1}, {Files: files - 1}} {
		_, err := workspace.FromImage(workspace.Config{Policy: w.Policy(), Limits: limits}, w.Image())
		if _, ok := errors.AsType[*workspace.LimitError](err); !ok {
			t.Errorf("%+v: error %v", limits, err)
		}
	}
	exact, err := workspace.FromImage(workspace.Config{Policy: w.Policy(), Limits: workspace.Limits{Bytes: bytes, Files: files}}, w.Image())
	if err != nil {
		t.Fatal(err)
	}
	check(t, exact.Invariants())
}
