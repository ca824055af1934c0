package wasi

import (
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// preopens gives the names of what is open from the start.
func (w *world) preopens() (names []string) {
	for fd := uint64(3); w.call("fd_prestat_get", fd, 0) == success; fd++ {
		if w.u32(0) != 0 {
			w.t.Errorf("fd %d isn't a folder", fd)
		}
		n := uint64(w.u32(4))
		w.put(100, "xxxxxxxxxxxxxxxxxxxx")
		w.wants(success, "fd_prestat_dir_name", fd, 100, n)
		w.wants(success, "fd_prestat_dir_name", fd, 100, n+1)
		w.wants(enametoolong, "fd_prestat_dir_name", fd, 100, n-1)
		if w.in.Bytes()[100+n] != 'x' {
			w.t.Errorf("fd %d: more is written than the name", fd)
		}
		names = append(names, string(w.in.Bytes()[100:100+n]))
	}
	return names
}

func TestTheFilesAreOpenFromTheStart(t *testing.T) {
	policy := func(root string, grants ...workspace.Grant) workspace.Policy {
		p, err := workspace.NewPolicy(root, grants...)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for name, test := range map[string]struct {
		policy workspace.Policy
		dir    string
		want   []string
	}{
		"the standard":     {workspace.Policy{}, "", []string{".", "/workspace", "/", "."}},
		"a grant":          {policy("/work", workspace.Grant{Path: "/tmp/x"}), "/work", []string{".", "/work", "/tmp/x", "/", "."}},
		"all":              {policy("/"), "", []string{".", "/", "."}},
		"a grant as dir":   {policy("/work", workspace.Grant{Path: "/tmp"}), "/tmp", []string{".", "/work", "/tmp", "/", "."}},
		"no such folder":   {workspace.Policy{}, "/workspace/x", []string{"/workspace", "/"}},
		"a folder outside": {workspace.Policy{}, "/etc", []string{"/workspace", "/"}},
	} {
		w := newWorld(t, Config{Files: workspace.New(workspace.Config{Policy: test.policy}), Dir: test.dir})
		if got := w.preopens(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		w.wants(ebadf, "fd_prestat_get", 0, 0)
		w.wants(ebadf, "fd_prestat_dir_name", 0, 100, 10)
		w.wants(efault, "fd_prestat_get", 3, memorySize-7)
		w.wants(efault, "fd_prestat_dir_name", 3, memorySize, 10)
	}
}

func TestTheWorkingFolderIsInTheEnvironment(t *testing.T) {
	files := workspace.New(workspace.Config{})
	given := make([]string, 1, 10)
	given[0] = "A=b"
	for name, test := range map[string]struct {
		config Config
		want   []string
	}{
		"no files": {Config{Env: given}, []string{"A=b"}},
		"the root": {Config{Env: given, Files: files}, []string{"A=b", "PWD=/workspace"}},
		"a folder": {Config{Env: given, Files: files, Dir: "/workspace/a"}, []string{"A=b", "PWD=/workspace/a"}},
		"relative": {Config{Files: files, Dir: "a/../b"}, []string{"PWD=/workspace/b"}},
		"given":    {Config{Env: []string{"PWD=/x"}, Files: files}, []string{"PWD=/x"}},
	} {
		if got := NewEnv(test.config).environ; !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	if got := given[:2][1]; got != "" {
		t.Errorf("the given environment was changed: %q", got)
	}
}

func TestWhatIsAboveTheFilesIsOnlyTheWayToThem(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	for path, want := range map[string]errno{
		"work/sub/file": success, "work/../work/sub/file": success, "granted": success, "work": success,
		".": enotcapable, "etc": enotcapable, "etc/passwd": enotcapable, "..": enotcapable, "worker": enotcapable,
		"work/sub/x": enoent, "/work/sub/file": success, "/etc": enotcapable,
	} {
		at, n := w.path(path)
		w.wants(want, "path_open", fdTop, lookupFollow, at, n, 0, forReading, 0, 0, atOut)
	}
	w.wants(enotcapable, "fd_filestat_get", fdTop, atOut)
	w.wants(enotcapable, "fd_readdir", fdTop, atOut, 100, 0, atOut+100)
	w.wants(enotcapable, "fd_filestat_set_times", fdTop, 0, 0, setModifiedNow)
}

func TestClosingAWorldGivesUpWhatIsOpen(t *testing.T) {
	files := newFiles(t, workspace.Limits{})
	w := newWorld(t, Config{Files: files, Dir: "/work/sub"})
	w.create("file", "content")
	fd := w.mustOpen("file", 0, forReading)
	if err := w.unlink("file"); err != success {
		t.Fatal(err)
	}
	if n, _ := files.Usage(); n != 7 {
		t.Errorf("%d bytes are in use while the file is open, want 7", n)
	}
	w.env.Close()
	if n, _ := files.Usage(); n != 0 {
		t.Errorf("%d bytes are in use after the end", n)
	}
	for fd := range fd + 1 {
		w.wants(ebadf, "fd_fdstat_get", fd, 0)
	}
	w.env.Close()
}
