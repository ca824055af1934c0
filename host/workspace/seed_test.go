package workspace_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAFileSystemIsCopied(t *testing.T) {
	tree := workspace.New(workspace.Config{Now: 5000, Owner: "alice"})
	check(t, tree.CopyFS(fstest.MapFS{
		"a.txt":    {Data: []byte("A")},
		"bin/tool": {Data: []byte("T"), Mode: 0o750},
		"empty":    {Mode: fs.ModeDir | 0o700},
		"link":     {Data: []byte("bin/tool"), Mode: fs.ModeSymlink},
		"out":      {Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink},
	}))
	want := ". drwxr-xr-x ,a.txt -rw-r--r-- A,bin dr-xr-xr-x ,bin/tool -rwxr-x--- T,empty drwx------ ," +
		"link Lrwxrwxrwx bin/tool,out Lrwxrwxrwx /etc/passwd,"
	var got strings.Builder
	times := map[int64]bool{}
	for _, e := range tree.Snapshot() {
		got.WriteString(e.Path + " " + e.Mode.String() + " " + string(e.Content) + e.Target + ",")
		if e.Owner != "alice" || e.Modified < 5000 || e.Modified > 5000+10*1000 || e.Path != "." && !e.Mode.IsDir() && times[e.Modified] {
			t.Errorf("%+v", e.Info)
		}
		times[e.Modified] = times[e.Modified] || !e.Mode.IsDir()
	}
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
	check(t, tree.Invariants())
}

func TestAFolderOfTheMachineIsCopied(t *testing.T) {
	dir := t.TempDir()
	check(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o750))
	check(t, os.WriteFile(filepath.Join(dir, "a", "b", "c"), []byte("C"), 0o640))
	tree := workspace.New(workspace.Config{})
	check(t, tree.CopyFS(os.DirFS(dir)))
	if got := must(tree.ReadFile("a/b/c"))(t); string(got) != "C" {
		t.Errorf("content %q", got)
	}
}

func TestATreeIsCopiedToItself(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	check(t, tree.MkdirAll("a/b", 0))
	sub := must(fs.Sub(tree.FS(), "a"))(t)
	check(t, tree.CopyFS(sub))
	if _, err := tree.Stat("b"); err != nil {
		t.Error(err)
	}
}

func TestCopyingMergesFoldersAndReplacesNothing(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	check(t, tree.MkdirAll("a", 0o711))
	check(t, tree.CopyFS(fstest.MapFS{"a/x": {Data: []byte("X")}}))
	if info := must(tree.Stat("a"))(t); info.Mode.Perm() != 0o711 {
		t.Errorf("mode %v", info.Mode)
	}
	for name, fsys := range map[string]fstest.MapFS{
		"a file over a file":      {"1": {}, "a/x": {}},
		"a folder over a file":    {"1": {}, "a/x/y": {}},
		"a file over a folder":    {"1": {}, "a": {}},
		"a symlink over a folder": {"1": {}, "a": {Mode: fs.ModeSymlink, Data: []byte("x")}},
	} {
		before := state(tree)
		if err := tree.CopyFS(fsys); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
		if state(tree) != before {
			t.Errorf("%s changed something", name)
		}
	}
}

func TestCopyingNamesWhatATreeCantHave(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	before := state(tree)
	for _, mode := range []fs.FileMode{fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice, fs.ModeIrregular} {
		err := tree.CopyFS(fstest.MapFS{"a": {}, "dir/odd": {Mode: mode}})
		kind, ok := errors.AsType[*workspace.KindError](err)
		if !ok || kind.Path != "dir/odd" || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "dir/odd") {
			t.Errorf("%v: %v", mode, err)
		}
	}
	for name, want := range map[string]error{
		strings.Repeat("n", 256):                                workspace.ENAMETOOLONG,
		strings.Repeat(strings.Repeat("n", 200)+"/", 20) + "12": nil,
		strings.Repeat(strings.Repeat("n", 200)+"/", 21) + "12": workspace.ENAMETOOLONG,
		"a\x00b": workspace.EINVAL,
	} {
		if err := workspace.New(workspace.Config{}).CopyFS(fstest.MapFS{name: {}}); !errors.Is(err, want) {
			t.Errorf("a name of %d bytes: %v, want %v", len(name), err, want)
		}
	}
	if state(tree) != before {
		t.Error("something was copied")
	}
}

// A huge file says how long it is, and must not be read.
type hugeFS struct {
	fstest.MapFS
	size  int64 // that it says
	bytes int64 // that it has
	read  *int64
}

type hugeFile struct {
	fs.File
	fs hugeFS
}

type hugeInfo struct {
	fs.FileInfo
	size int64
}

func (i hugeInfo) Size() int64 { return i.size }

func (h hugeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := h.MapFS.ReadDir(name)
	for i, e := range entries {
		if info, infoErr := e.Info(); infoErr == nil && !e.IsDir() {
			entries[i] = fs.FileInfoToDirEntry(hugeInfo{info, h.size})
		}
	}
	return entries, err
}

func (h hugeFS) Open(name string) (fs.File, error) {
	file, err := h.MapFS.Open(name)
	return &hugeFile{file, h}, err
}

func (h *hugeFile) Read(p []byte) (int, error) {
	n := min(int64(len(p)), h.fs.bytes)
	h.fs.bytes -= n
	*h.fs.read += n
	if n == 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

func TestCopyingReadsNoMoreThanTheLimitsAllow(t *testing.T) {
	const limit = 1000
	for _, c := range []struct {
		name        string
		says, bytes int64
		mostRead    int64
		fits        bool
	}{
		{"too much, as it says", 1 << 62, 1 << 62, 0, false},
		{"one too many", limit + 1, limit + 1, 0, false},
		{"more than it says", 10, 1 << 62, limit + 1, false},
		{"one more than it says", limit, limit + 1, limit + 1, false},
		{"as much as there may be", limit, limit, limit, true},
		{"less than it says", limit, 3, 3, true},
		{"a size below zero", -5, 3, 3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: limit}})
			before, read := state(tree), int64(0)
			err := tree.CopyFS(hugeFS{fstest.MapFS{"a/file": {}}, c.says, c.bytes, &read})
			if c.fits != (err == nil) || read > c.mostRead {
				t.Errorf("read %d bytes: %v", read, err)
			}
			if c.fits {
				if bytes, files := tree.Usage(); bytes != c.bytes || files != 2 {
					t.Errorf("%d bytes in %d files", bytes, files)
				}
				return
			}
			limitError, ok := errors.AsType[*workspace.LimitError](err)
			if !ok || limitError.Limit != "bytes" || state(tree) != before {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestCopyingCountsFiles(t *testing.T) {
	tree := workspace.New(workspace.Config{Limits: workspace.Limits{Files: 3}})
	check(t, tree.Mkdir("a", 0))
	before := state(tree)
	if err := tree.CopyFS(fstest.MapFS{"a/1": {}, "a/2": {}, "a/3": {}}); !errors.Is(err, workspace.ENOSPC) {
		t.Error(err)
	}
	if state(tree) != before {
		t.Error("something was copied")
	}
	check(t, tree.CopyFS(fstest.MapFS{"a/1": {}, "a/2": {}}))
}

func TestAGrantForReadingIsFilled(t *testing.T) {
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/data/set", ReadOnly: true}))(t)
	tree := workspace.New(workspace.Config{Policy: policy})
	check(t, tree.CopyFSTo("/data/set", fstest.MapFS{"dir/x": {Data: []byte("X")}}))
	if got := must(tree.ReadFile("/data/set/dir/x"))(t); string(got) != "X" {
		t.Errorf("content %q", got)
	}
	for name, want := range map[string]error{
		"/data": workspace.EPERM, "/data/set/dir": workspace.EINVAL, "/data/set/dir/x": workspace.EINVAL, "nowhere": workspace.EINVAL, "../x": workspace.EPERM,
	} {
		if err := tree.CopyFSTo(name, fstest.MapFS{}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// An odd file system lists what no file system has.
type oddFS struct {
	fstest.MapFS
	names []string
}

type oddEntry struct {
	fs.DirEntry
	name string
}

func (e oddEntry) Name() string { return e.name }

func (o oddFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return o.MapFS.ReadDir("dir")
	}
	var entries []fs.DirEntry
	files, err := o.MapFS.ReadDir(".")
	for _, name := range o.names {
		entries = append(entries, oddEntry{files[0], name})
	}
	return entries, err
}

func (o oddFS) Open(string) (fs.File, error) { return o.MapFS.Open("file") }

func TestCopyingRefusesWhatIsListedWrongly(t *testing.T) {
	for _, names := range [][]string{{"a", "a"}, {".."}, {"../x"}, {"a", "a/b"}, {"a/b"}, {"a", "./a"}} {
		tree := workspace.New(workspace.Config{})
		before := state(tree)
		err := tree.CopyFS(oddFS{fstest.MapFS{"file": {Data: []byte("X")}}, names})
		if err == nil || state(tree) != before {
			t.Errorf("%q: %v", names, err)
		}
		check(t, tree.Invariants())
	}
}

func TestErrorsOfAFileSystemAreReported(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	dir := t.TempDir()
	if err := tree.CopyFS(os.DirFS(filepath.Join(dir, "missing"))); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	file := filepath.Join(dir, "file")
	check(t, os.WriteFile(file, nil, 0o600))
	if err := tree.CopyFS(os.DirFS(file)); err == nil {
		t.Error("a file was copied as a folder")
	}
}
