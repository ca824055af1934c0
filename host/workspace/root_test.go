package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// pathOperations are what a tree and an os.Root can both do with clean paths.
var pathOperations = []struct {
	name    string
	onTree  func(w *workspace.Tree, name, to string) error
	onDisk  func(r *os.Root, name, to string) error
	compare bool // which error it is
}{
	{"mkdir", func(w *workspace.Tree, name, _ string) error { return w.Mkdir(name, 0) },
		func(r *os.Root, name, _ string) error { return r.Mkdir(name, 0o755) }, true},
	{"mkdir -p", func(w *workspace.Tree, name, _ string) error { return w.MkdirAll(name, 0) },
		func(r *os.Root, name, _ string) error { return r.MkdirAll(name, 0o755) }, false},
	{"rm", func(w *workspace.Tree, name, _ string) error { return w.Remove(name) },
		func(r *os.Root, name, _ string) error { return r.Remove(name) }, true},
	{"rm -rf", func(w *workspace.Tree, name, _ string) error { return ignoring(w.RemoveAll(name), nil) },
		func(r *os.Root, name, _ string) error { return ignoring(r.RemoveAll(name), workspace.ENOTDIR) }, false},
	{"write", func(w *workspace.Tree, name, to string) error { return w.WriteFile(name, []byte(to), 0) },
		func(r *os.Root, name, to string) error { return r.WriteFile(name, []byte(to), 0o644) }, true},
	{"read", func(w *workspace.Tree, name, _ string) error { return second(w.ReadFile(name)) },
		func(r *os.Root, name, _ string) error { return second(r.ReadFile(name)) }, true},
	{"mv", func(w *workspace.Tree, name, to string) error { return w.Rename(name, to) },
		func(r *os.Root, name, to string) error { return r.Rename(name, to) }, true},
	{"ln", func(w *workspace.Tree, name, to string) error { return w.Link(name, to) },
		func(r *os.Root, name, to string) error { return r.Link(name, to) }, false}, // which looks at the target first
	{"ln -s", func(w *workspace.Tree, name, to string) error { return w.Symlink(to, name) },
		func(r *os.Root, name, to string) error { return r.Symlink(to, name) }, true},
	{"readlink", func(w *workspace.Tree, name, _ string) error { return second(w.Readlink(name)) },
		func(r *os.Root, name, _ string) error { return second(r.Readlink(name)) }, true},
	{"stat", func(w *workspace.Tree, name, _ string) error { return second(w.Stat(name)) },
		func(r *os.Root, name, _ string) error { return second(r.Stat(name)) }, true},
	{"lstat", func(w *workspace.Tree, name, _ string) error { return second(w.Lstat(name)) },
		func(r *os.Root, name, _ string) error { return second(r.Lstat(name)) }, true},
	{"chmod", func(w *workspace.Tree, name, _ string) error { return w.Chmod(name, 0o700) },
		func(r *os.Root, name, _ string) error { return r.Chmod(name, 0o700) }, true},
}

func ignoring(err, ignored error) error {
	if ignored != nil && err != nil && reason(err).Error() == ignored.Error() {
		return nil
	}
	return err
}

// playWithRoot does operations to a tree and to an os.Root.
func playWithRoot(t *testing.T, data []byte) {
	t.Helper()
	dir := t.TempDir()
	disk := must(os.OpenRoot(dir))(t)
	defer func() { _ = disk.Close() }()
	w, c := workspace.New(workspace.Config{}), &choice{data}
	var log strings.Builder
	for c.more() {
		o, name, to := pathOperations[c.of(len(pathOperations))], path.Clean(c.path()), path.Clean(c.path())
		if name == "." || to == "." || strings.HasPrefix(name, "..") || strings.HasPrefix(to, "..") && o.name != "ln -s" {
			continue // the root, which both treat in their own way
		}
		if info, err := w.Lstat(to); o.name == "mv" && err == nil && info.Mode.IsDir() {
			continue // os.Root replaces no folder, which POSIX does if it is empty
		}
		got := o.onTree(w, name, to)
		if o.name == "mkdir -p" && errors.Is(got, workspace.EEXIST) {
			continue // os.Root makes what a symlink leads to, the command and os.MkdirAll don't
		}
		want := o.onDisk(disk, name, to)
		fmt.Fprintf(&log, "%s %s %s: %v; os.Root: %v\n", o.name, name, to, got, want)
		escapes := errors.As(got, new(*workspace.EscapeError))
		if (got == nil) != (want == nil) || o.compare && !escapes && text(got) != text(want) {
			t.Fatal(log.String())
		}
		check(t, w.Invariants())
	}
	var there, here []string
	for _, e := range w.Snapshot() {
		here = append(here, fmt.Sprint(e.Path, e.Mode.Type(), e.Target, string(e.Content)))
	}
	check(t, fs.WalkDir(disk.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		var content []byte
		target := ""
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular():
			content, err = disk.ReadFile(name)
		case d.Type() == fs.ModeSymlink:
			target, err = disk.Readlink(name)
		}
		there = append(there, fmt.Sprint(name, d.Type(), target, string(content)))
		return err
	}))
	if !slices.Equal(here, there) {
		t.Errorf("the tree has\n%q\nand the folder\n%q\nafter\n%s", here, there, log.String())
	}
}

// text is why an error is, in short.
func text(err error) string {
	if err == nil {
		return ""
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

func TestRandomOperationsDoWhatAnOSRootDoes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other errors")
	}
	random := rand.New(rand.NewPCG(26, 11))
	for range 40 {
		data := make([]byte, 2000)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		t.Run("", func(t *testing.T) { playWithRoot(t, data) })
		if t.Failed() {
			return
		}
	}
}
