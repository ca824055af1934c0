package workspace_test

import (
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// S6.12
func TestWhatIsMadeForSomebodyIsTheirs(t *testing.T) {
	tree := newShared(t)
	alice := tree.As(workspace.Actor{User: "alice"})
	check(t, alice.MkdirAll("open/a/b", 0))
	check(t, alice.Mkdir("open/c", 0o700))
	check(t, alice.WriteFile("open/d", []byte("d"), 0o600))
	check(t, alice.WriteFileAll("open/e/f/g", []byte("g"), 0))
	h := must(alice.Open("open/h", workspace.OpenOptions{Write: true, Create: true, Exclusive: true}))(t)
	check(t, h.Close())
	for name, mode := range map[string]fs.FileMode{
		"open/a": 0o755, "open/a/b": 0o755, "open/c": 0o700, "open/d": 0o600, "open/e": 0o755, "open/e/f": 0o755, "open/e/f/g": 0o644, "open/h": 0o644,
	} {
		info := must(tree.Stat(name))(t)
		if info.Owner != "alice" || info.Group != "alice" || info.Mode.Perm() != mode {
			t.Errorf("%s is of %s and %s, with %v", name, info.Owner, info.Group, info.Mode)
		}
	}
	check(t, alice.WriteFile("open/all", []byte("more"), 0))
	if info := must(tree.Stat("open/all"))(t); info.Owner != workspace.DefaultOwner {
		t.Errorf("a file that was there is of %s now", info.Owner)
	}
	check(t, tree.As(workspace.Actor{}).WriteFileAll("x/y", nil, 0))
	if info := must(tree.Stat("x/y"))(t); info.Owner != workspace.DefaultOwner {
		t.Errorf("a file of nobody is of %s", info.Owner)
	}
}

// S6.12
func TestSomebodyWithoutRightsChangesNothing(t *testing.T) {
	tree := newShared(t)
	before := tree.Snapshot()
	carol := tree.As(workspace.Actor{User: "carol"})
	open := func(name string, o workspace.OpenOptions) error {
		h, err := carol.Open(name, o)
		if err == nil {
			check(t, h.Close())
		}
		return err
	}
	for what, err := range map[string]error{
		"a file in a closed folder":   carol.WriteFile("closed/all", []byte("x"), 0),
		"a new one":                   carol.WriteFile("closed/new", nil, 0),
		"one below new folders":       carol.WriteFileAll("closed/a/b/c", nil, 0),
		"a folder":                    carol.Mkdir("hers/a", 0),
		"folders":                     carol.MkdirAll("hers/a/b", 0),
		"a file of somebody's":        carol.WriteFile("open/file", nil, 0),
		"one that is to be read":      open("open/file", workspace.OpenOptions{Read: true}),
		"its content":                 second(carol.ReadFile("open/file")),
		"a file to be removed":        carol.Unlink("closed/all"),
		"a folder to be removed":      carol.RemoveAll("hers"),
		"one that is to be cut":       open("open/file", workspace.OpenOptions{Write: true, Truncate: true}),
		"one that is to be made":      open("listed/new", workspace.OpenOptions{Read: true, Write: true, Create: true}),
		"what a symlink points to":    carol.WriteFile("open/link", []byte("x"), 0),
		"in a folder that isn't hers": carol.WriteFileAll("new/file", nil, 0),
	} {
		path, isPath := errors.AsType[*fs.PathError](err)
		if !errors.Is(err, workspace.EACCES) || !isPath || path.Op != "access" {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if changes := workspace.Compare(before, tree.Snapshot()); len(changes) > 0 {
		t.Errorf("it has changed: %v", changes)
	}
	check(t, open("open/all", workspace.OpenOptions{Read: true, Write: true}))
}

func TestWriteFileAllMakesAllOrNothing(t *testing.T) {
	tree := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: 4, Files: 4}})
	check(t, tree.Chmod(".", 0o777))
	check(t, tree.WriteFile("file", nil, 0))
	view := tree.As(workspace.Actor{User: "alice"})
	long := strings.Repeat("n", 256)
	for name, want := range map[string]error{
		"a/b/c/d": workspace.ENOSPC, "a/" + long: workspace.ENAMETOOLONG, long + "/a": workspace.ENAMETOOLONG,
		"file/a": workspace.ENOTDIR, "file/a/b": workspace.ENOTDIR,
		strings.Repeat("a/", 2050) + "a": workspace.ENAMETOOLONG,
	} {
		if err := view.WriteFileAll(name, nil, 0); workspace.ErrnoOf(err) != want {
			t.Errorf("%.20s: got %v, want %v", name, err, want)
		}
	}
	if err := view.WriteFileAll("a/b", []byte("12345"), 0); !errors.Is(err, workspace.ENOSPC) {
		t.Errorf("too many bytes: got %v", err)
	}
	if bytes, files := tree.Usage(); bytes != 0 || files != 1 {
		t.Errorf("there are %d bytes and %d files", bytes, files)
	}
	check(t, view.WriteFileAll("a/b/c", []byte("1234"), 0))
	check(t, view.WriteFileAll("a/b/c", []byte("1"), 0))
}

func TestOnlyOneMakesAFile(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	check(t, tree.Chmod(".", 0o777))
	var all sync.WaitGroup
	for _, name := range []string{"alice", "bob"} {
		view := tree.As(workspace.Actor{User: name})
		all.Go(func() { _ = view.WriteFileAll("a/b", []byte(name), 0) })
	}
	all.Wait()
	folder, file := must(tree.Stat("a"))(t), must(tree.Stat("a/b"))(t)
	if content := string(must(tree.ReadFile("a/b"))(t)); folder.Owner != file.Owner || content != file.Owner {
		t.Errorf("%s has a folder with %s's file by %s", folder.Owner, file.Owner, content)
	}
}

// S6.8, S6.9
func TestSomebodyListsAndRemovesWhatTheyMay(t *testing.T) {
	tree := newShared(t)
	bob := tree.As(workspace.Actor{User: "bob"})
	list, folder, err := bob.List("listed")
	if err != nil || !folder || len(list) != 3 {
		t.Errorf("%d entries, folder %v, %v", len(list), folder, err)
	}
	if _, _, err := bob.List("closed"); !errors.Is(err, workspace.EACCES) {
		t.Errorf("a closed folder is listed: %v", err)
	}
	if list, folder, err := bob.List("open/link"); err != nil || folder || len(list) != 1 || list[0].Mode.Type() != fs.ModeSymlink {
		t.Errorf("a symlink is listed as %v, folder %v, %v", list, folder, err)
	}
	if err := bob.Unlink("open"); !errors.Is(err, workspace.EACCES) {
		t.Errorf("a folder in one of somebody else's: %v", err)
	}
	check(t, bob.Unlink("open/all"))
	check(t, tree.Mkdir("open/d", 0))
	if err := bob.Unlink("open/d"); !errors.Is(err, workspace.EISDIR) {
		t.Errorf("a folder is removed as a file: %v", err)
	}
	check(t, bob.RemoveAll("open/d"))
	check(t, bob.RemoveAll("open/nothing"))
}
