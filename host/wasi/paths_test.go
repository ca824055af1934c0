package wasi

import (
	"math"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestPathsAreMadeAndRemoved(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	for _, step := range []struct {
		what string
		got  errno
		want errno
	}{
		{"mkdir", w.mkdir("folder"), success},
		{"mkdir again", w.mkdir("folder"), eexist},
		{"mkdir nowhere", w.mkdir("missing/x"), enoent},
		{"mkdir in a file", w.mkdir("file/x"), enotdir},
		{"mkdir outside", w.mkdir("../../x"), enotcapable},
		{"mkdir in a grant", w.mkdir("../../granted/x"), erofs},
		{"mkdir from the top", w.mkdir("/work/x"), success},
		{"mkdir with a slash", w.mkdir("folder/inner/"), success},
		{"rmdir of what is full", w.rmdir("folder"), enotempty},
		{"rmdir of a file", w.rmdir("file"), enotdir},
		{"rmdir of nothing", w.rmdir("missing"), enoent},
		{"rmdir", w.rmdir("folder/inner"), success},
		{"rmdir of the root", w.rmdir("../../work"), ebusy},
		{"unlink of a folder", w.unlink("folder"), eisdir},
		{"unlink of nothing", w.unlink("missing"), enoent},
		{"unlink with a slash", w.unlink("file/"), enotdir},
		{"rename", w.rename("file", "folder/file"), success},
		{"rename of nothing", w.rename("file", "x"), enoent},
		{"rename into itself", w.rename("folder", "folder/x"), einval},
		{"rename over a folder", w.rename("folder/file", "folder"), enotempty},
		{"rename to the outside", w.rename("folder/file", "../../x"), enotcapable},
		{"rename into a grant", w.rename("folder/file", "../../granted/x"), erofs},
		{"rename of a folder with a slash", w.rename("folder/", "moved"), success},
		{"rename of a folder to one with a slash", w.rename("moved", "folder/"), success},
		{"rename of a file to one with a slash", w.rename("folder/file", "x/"), enotdir},
		{"link with a slash", w.link("folder/file", "x/", 0), enoent},
		{"symlink with a slash", w.symlink("file", "x/"), enoent},
		{"link", w.link("folder/file", "link", 0), success},
		{"link again", w.link("folder/file", "link", 0), eexist},
		{"link of nothing", w.link("missing", "x", 0), enoent},
		{"link of a folder", w.link("folder", "x", 0), eperm},
		{"link with bad flags", w.link("link", "x", 2), einval},
		{"symlink", w.symlink("folder/file", "symlink"), success},
		{"symlink again", w.symlink("folder/file", "symlink"), eexist},
		{"symlink to nothing", w.symlink("", "x"), enoent},
		{"symlink to the outside", w.symlink("/etc/passwd", "out"), success},
		{"symlink to too much", w.symlink(strings.Repeat("a", 5000), "x"), enametoolong},
		{"link of a symlink", w.link("symlink", "symlink2", 0), success},
		{"link through a symlink", w.link("symlink", "file2", lookupFollow), success},
		{"an empty path", w.mkdir(""), enoent},
		{"unlink", w.unlink("link"), success},
	} {
		w.isErrno(step.got, step.want, step.what)
	}
	for path, want := range map[string]byte{"symlink": filetypeSymbolicLink, "symlink2": filetypeSymbolicLink,
		"file2": filetypeRegularFile, "folder": filetypeDirectory} {
		if got, err := w.stat(path, 0); got.filetype != want || err != success {
			t.Errorf("%s is a %d, error number %d, want %d", path, got.filetype, err, want)
		}
	}
	if got, _ := w.stat("symlink", lookupFollow); got.links != 2 || got.size != 7 || got.changed != got.modified {
		t.Errorf("the file has %+v", got)
	}
	if _, err := w.stat("out", lookupFollow); err != enotcapable {
		t.Errorf("what is outside is looked at: error number %d", err)
	}
}

func TestALinksTargetIsReadAsFarAsThereIsRoom(t *testing.T) {
	w := newFilesWorld(t)
	w.symlink("target", "link")
	w.create("file", "")
	for _, n := range []uint64{0, 3, 6, 100} {
		w.put(atData, "xxxxxxxxxx")
		w.isErrno(w.at1("path_readlink", "link", []uint64{fdDir}, atData, n, atOut), success, "readlink")
		want := "target"[:min(n, 6)]
		if got := string(w.in.Bytes()[atData : atData+7]); got != (want + "xxxxxxx")[:7] || w.u32(atOut) != uint32(len(want)) {
			t.Errorf("with room for %d: %q of %d", n, got, w.u32(atOut))
		}
	}
	w.isErrno(w.at1("path_readlink", "file", []uint64{fdDir}, atData, 10, atOut), einval, "readlink of a file")
	w.isErrno(w.at1("path_readlink", "missing", []uint64{fdDir}, atData, 10, atOut), enoent, "readlink of nothing")
	w.isErrno(w.at1("path_readlink", "link", []uint64{fdDir}, memorySize-9, 10, atOut), efault, "readlink")
	w.isErrno(w.at1("path_readlink", "link", []uint64{fdDir}, atData, 10, memorySize-3), efault, "readlink")
}

func TestABadPointerIsAnErrorAndChangesNothing(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	at, n := w.path("file")
	const bad, size = memorySize - 1, 4
	for _, test := range []struct {
		name   string
		params []uint64
	}{
		{"path_create_directory", []uint64{fdDir, bad, size}},
		{"path_remove_directory", []uint64{fdDir, bad, size}},
		{"path_unlink_file", []uint64{fdDir, bad, size}},
		{"path_unlink_file", []uint64{fdDir, at, 0xffff_ffff}},
		{"path_rename", []uint64{fdDir, bad, size, fdDir, at, n}},
		{"path_rename", []uint64{fdDir, at, n, fdDir, bad, size}},
		{"path_link", []uint64{fdDir, 0, bad, size, fdDir, at, n}},
		{"path_link", []uint64{fdDir, 0, at, n, fdDir, bad, size}},
		{"path_symlink", []uint64{bad, size, fdDir, at, n}},
		{"path_symlink", []uint64{at, n, fdDir, bad, size}},
		{"path_filestat_get", []uint64{fdDir, 0, bad, size, atOut}},
		{"path_filestat_get", []uint64{fdDir, 0, at, n, memorySize - 63}},
		{"path_filestat_set_times", []uint64{fdDir, 0, bad, size, 0, 0, 0}},
		{"fd_filestat_get", []uint64{fdDir, memorySize - 63}},
		{"fd_fdstat_get", []uint64{fdDir, memorySize - 23}},
		{"fd_readdir", []uint64{fdDir, memorySize - 99, 100, 0, atOut}},
		{"fd_readdir", []uint64{fdDir, atOut, 100, 0, memorySize - 3}},
	} {
		w.wants(efault, test.name, test.params...)
	}
	if got := w.content("sub/file"); got != "content" {
		t.Errorf("the file is %q", got)
	}
	w.wants(einval, "path_filestat_get", fdDir, 2, at, n, atOut)
	w.wants(einval, "path_filestat_set_times", fdDir, 2, at, n, 0, 0, 0)
}

func TestTimesAreSetAsGiven(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	w.symlink("file", "link")
	fd := w.mustOpen("file", 0, forReading)
	before, _ := w.stat("file", 0)
	for _, test := range []struct {
		accessed, modified uint64
		flags              uint64
		err                errno
		want               [2]uint64 // 0: as before, 1: now
	}{
		{5, 6, 0, success, [2]uint64{0, 0}},
		{5, 6, setAccessed, success, [2]uint64{5, 0}},
		{5, 6, setModified, success, [2]uint64{5, 6}},
		{7, 8, setAccessed | setModified, success, [2]uint64{7, 8}},
		{9, 9, setAccessedNow | setModified, success, [2]uint64{1, 9}},
		{9, 9, setModifiedNow, success, [2]uint64{1, 1}},
		{9, 9, setAccessed | setAccessedNow, einval, [2]uint64{1, 1}},
		{9, 9, setModified | setModifiedNow, einval, [2]uint64{1, 1}},
		{9, 9, setTimesAll + 1, einval, [2]uint64{1, 1}},
		{1 << 63, 9, setAccessed | setModified, einval, [2]uint64{1, 1}},
		{9, math.MaxInt64, setAccessed | setModified, success, [2]uint64{9, math.MaxInt64}},
	} {
		w.env.AdvanceTo(w.env.Now() + 1_000_000)
		w.wants(test.err, "fd_filestat_set_times", fd, test.accessed, test.modified, test.flags)
		got, _ := w.stat("file", 0)
		for i, value := range []uint64{got.accessed, got.modified} {
			old := []uint64{before.accessed, before.modified}[i]
			switch want := test.want[i]; {
			case want == 0 && value != old, want == 1 && value < testNow, want > 1 && value != want:
				t.Errorf("flags %d: time %d is %d, want %d", test.flags, i, value, want)
			}
		}
	}
	set := func(path string, follow uint64) errno {
		return w.at1("path_filestat_set_times", path, []uint64{fdDir, follow}, 1, 2, setAccessed|setModified)
	}
	w.isErrno(set("link", 0), success, "set the times of a link")
	if got, _ := w.stat("file", 0); got.accessed != 9 {
		t.Errorf("the times of the link's target were set: %+v", got)
	}
	if got, _ := w.stat("link", 0); got.accessed != 1 || got.modified != 2 {
		t.Errorf("the times of the link are %+v", got)
	}
	w.isErrno(set("link", lookupFollow), success, "set the times through a link")
	if got, _ := w.stat("file", 0); got.accessed != 1 || got.modified != 2 {
		t.Errorf("the times of the link's target are %+v", got)
	}
	w.isErrno(set("missing", 0), enoent, "set the times of nothing")
	w.wants(success, "fd_filestat_set_times", fdDir, 1, 2, setModified)
	w.wants(erofs, "fd_filestat_set_times", fdGranted, 1, 2, setModified)
}

func TestNoFileIsFromTheFuture(t *testing.T) {
	files := newFiles(t, workspace.Limits{})
	w := newWorld(t, Config{Files: files, Dir: "/work/sub", Now: testNow - 1e9, Tick: -1})
	if got := w.env.Now(); got < testNow {
		t.Errorf("the guest's time is %d before the files'", testNow-got)
	}
	w.env.AdvanceTo(testNow + 1e9)
	w.create("file", "content")
	if got, _ := w.stat("file", 0); got.modified < testNow+1e9 {
		t.Errorf("the file's time is %d before the guest's", testNow+1e9-got.modified)
	}
	for range 1000 {
		w.create("file", "content")
	}
	if got, _ := w.stat("file", 0); int64(got.modified) > w.env.Now() {
		t.Errorf("the file's time is %d after the guest's", int64(got.modified)-w.env.Now())
	}
}
