package diskfs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// newFolder writes files to a folder of the disk, and opens it.
func newFolder(ctx context.Context, t testing.TB, files ...string) *Folder {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(name), 0o755))
		check(t, os.WriteFile(name, []byte(path.Base(name)), 0o644))
	}
	root, err := os.OpenRoot(dir)
	check(t, err)
	f := New(ctx, root)
	t.Cleanup(func() { check(t, f.Close()) })
	return f
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// deep is a path of so many folders.
func deep(levels int) string { return strings.TrimSuffix(strings.Repeat("d/", levels), "/") }

func TestAFolderIsAFileSystem(t *testing.T) {
	names := []string{"a", "b/c", "b/d/e", "z/x", deep(100) + "/low", deep(40) + "/middle", deep(3) + "/high"}
	if err := fstest.TestFS(newFolder(t.Context(), t, names...), names...); err != nil {
		t.Error(err)
	}
}

func TestWhereItWasLastStaysOpen(t *testing.T) {
	f := newFolder(t.Context(), t, deep(300)+"/x/a", deep(300)+"/y/b")
	open := func() (roots []*os.Root) {
		for _, l := range f.levels {
			if l.root != nil {
				roots = append(roots, l.root)
			}
		}
		return roots
	}
	for _, name := range []string{deep(300) + "/x", deep(300) + "/y"} {
		before := open()
		if _, err := f.ReadDir(name); err != nil {
			t.Fatal(err)
		}
		after := open()
		if shared := len(before) - 1; shared > 0 && !slices.Equal(before[:shared], after[:shared]) {
			t.Errorf("%d folders were opened again", shared)
		}
		if len(after) > span+300/span+1 {
			t.Errorf("%d folders are open", len(after))
		}
	}
	for levels := 299; levels > 0; levels-- { // and on the way back from it
		list, err := f.ReadDir(deep(levels))
		if err != nil || len(list) != 1 || list[0].Name() != "d" {
			t.Fatal(levels, list, err)
		}
		if len(open()) > span+300/span+1 {
			t.Fatalf("%d folders are open", len(open()))
		}
	}
}

func TestNoPathLeadsOut(t *testing.T) {
	f := newFolder(t.Context(), t, "a/b", "secret/s")
	for link, target := range map[string]string{"out": "../../..", "a/up": "../secret", "absolute": "/"} {
		if err := f.levels[0].root.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		if got, err := f.ReadLink(link); err != nil || got != target {
			t.Errorf("%s leads to %q, %v", link, got, err)
		}
		if info, err := f.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("%s is %v, %v", link, info, err)
		}
	}
	for _, name := range []string{"out", "absolute", "a/up"} {
		if list, err := f.ReadDir(name); err == nil {
			t.Errorf("%s has %v", name, list)
		}
	}
	for _, name := range []string{"../x", "/a", "a/../b", ""} {
		if _, err := f.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := f.ReadDir(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
	var failed *fs.PathError
	if _, err := f.Open("a/missing/x"); !errors.As(err, &failed) || failed.Path != "a/missing/x" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestItEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFolder(ctx, t, "a/b")
	opened, err := f.Open("a/b")
	check(t, err)
	defer opened.Close()
	cancel()
	if _, err := io.ReadAll(opened); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v", err)
	}
	if err := workspace.New(workspace.Config{}).CopyFS(f); !errors.Is(err, context.Canceled) {
		t.Errorf("copying: %v", err)
	}
}

func BenchmarkCopyDeepFolders(b *testing.B) {
	f := newFolder(b.Context(), b, deep(1500)+"/x")
	for name, fsys := range map[string]fs.FS{"folder": f, "root": f.levels[0].root.FS()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				check(b, workspace.New(workspace.Config{}).CopyFS(fsys))
			}
		})
	}
}
