package wasi

import (
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestOpeningFollowsTheFlags(t *testing.T) {
	const create, folder, exclusive, truncate = openCreate, openDirectory, openExclusive, openTruncate
	for _, test := range []struct {
		path          string
		flags, rights uint64
		want          errno
	}{
		{"file", 0, forReading, success},
		{"file", 0, forBoth, success},
		{"file", 0, 0, success},
		{"file/", 0, forReading, enotdir},
		{"file/x", create, forWriting, enotdir},
		{"file", folder, forReading, enotdir},
		{"file", create | exclusive, forWriting, eexist},
		{"file", exclusive, forReading, success},
		{"file", create, forReading, success},
		{"missing", 0, forReading, enoent},
		{"missing/x", create, forWriting, enoent},
		{"new", create, forReading, success},
		{"newer", create | exclusive | truncate, forWriting, success},
		{"folder", 0, forReading, success},
		{"folder", folder, forReading, success},
		{"folder", folder, forBoth, eisdir},
		{"folder/", folder, forReading, success},
		{"folder", 0, forWriting, eisdir},
		{"folder", truncate, forReading, eisdir},
		{"folder", create, forReading, eisdir},
		{"folder", folder | create, forReading, einval},
		{"folder", folder | truncate, forReading, einval},
		{"folder", folder | exclusive, forReading, einval},
		{".", folder, forReading, success},
		{"..", folder, forReading, success},
		{"../..", folder, forReading, enotcapable},
		{"../../granted", folder, forReading, success},
		{"../../granted/x", create, forWriting, erofs},
		{"../../etc/x", create, forWriting, enotcapable},
		{"/work", folder, forReading, success},
		{"/", folder, forReading, enotcapable},
		{"/etc/passwd", 0, forReading, enotcapable},
		{"/work/sub/x", create, forWriting, success},
		{"", 0, forReading, enoent},
		{"a\x00b", create, forWriting, einval},
		{"\xff", create, forWriting, eilseq},
		{strings.Repeat("a", 256), create, forWriting, enametoolong},
		{strings.Repeat("a/", 2500), create, forWriting, enametoolong},
		{"link", 0, forReading, success},
		{"dangling", 0, forReading, enoent},
		{"dangling", create | exclusive, forWriting, eexist},
		{"dangling", create, forWriting, success},
		{"loop", 0, forReading, eloop},
		{"out", 0, forReading, enotcapable},
		{"out", create, forWriting, enotcapable},
		{"file", openAll + 1, forReading, einval},
	} {
		w := newFilesWorld(t)
		w.create("file", "content")
		w.mkdir("folder")
		for name, target := range map[string]string{"link": "file", "dangling": "nowhere", "loop": "loop", "out": "../../etc/x"} {
			w.symlink(target, name)
		}
		if _, err := w.open(test.path, test.flags, test.rights); err != test.want {
			t.Errorf("%.20q with flags %d and rights %#x: error number %d, want %d", test.path, test.flags, test.rights, err, test.want)
		}
		if test.want != success && len(w.env.fds.open) != fdFirst+1 { // one was open for a while
			t.Errorf("%.20q with flags %d: a descriptor is left open", test.path, test.flags)
		}
	}
}

func TestALinkAtTheEndIsFollowedOnDemand(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	w.symlink("file", "link")
	at, n := w.path("link")
	w.wants(eloop, "path_open", fdDir, 0, at, n, 0, forReading, 0, 0, atOut)
	w.wants(einval, "path_open", fdDir, 2, at, n, 0, forReading, 0, 0, atOut)
	w.wants(einval, "path_open", fdDir, 1, at, n, 0, forReading, 0, fdflagsAll+1, atOut)
	w.wants(success, "path_open", fdDir, 1, at, n, 0, forReading, 0, 0, atOut)
}

func TestAFailedOpenLeavesNothing(t *testing.T) {
	w := newFilesWorld(t)
	at, n := w.path("new")
	w.wants(efault, "path_open", fdDir, 0, at, n, openCreate, forWriting, 0, 0, memorySize-3)
	w.wants(efault, "path_open", fdDir, 0, memorySize-1, 2, openCreate, forWriting, 0, 0, atOut)
	w.wants(efault, "path_open", fdDir, 0, 0xffff_ffff, 2, openCreate, forWriting, 0, 0, atOut)
	w.wants(ebadf, "path_open", 99, 0, at, n, openCreate, forWriting, 0, 0, atOut)
	w.wants(enotdir, "path_open", 0, 0, at, n, openCreate, forWriting, 0, 0, atOut)
	if _, err := w.stat("new", 0); err != enoent {
		t.Errorf("error number %d: the file was created", err)
	}
	if got := len(w.env.fds.open); got != fdFirst {
		t.Errorf("%d descriptors are open", got)
	}
}

func TestDescriptorsAreLimited(t *testing.T) {
	w := newWorld(t, Config{Files: newFiles(t, workspace.Limits{}), Dir: "/work/sub", MaxDescriptors: fdFirst + 2})
	w.mustOpen("a", openCreate, forWriting)
	b := w.mustOpen("b", openCreate, forWriting)
	if _, err := w.open("c", openCreate, forWriting); err != emfile {
		t.Errorf("error number %d, want EMFILE", err)
	}
	if _, err := w.stat("c", 0); err != enoent {
		t.Error("the file was created")
	}
	w.wants(success, "fd_close", b)
	if got := w.mustOpen("c", openCreate, forWriting); got != b {
		t.Errorf("the descriptor is %d, want the free one, %d", got, b)
	}
	w.wants(success, "fd_close", 0)
	w.wants(success, "fd_close", fdFirst)
	for _, want := range []uint64{0, fdFirst} {
		if got := w.mustOpen("a", 0, forReading); got != want {
			t.Errorf("the descriptor is %d, want the lowest, %d", got, want)
		}
	}
}

func TestRightsAreWhatWasAskedFor(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	w.mkdir("folder")
	rights := func(fd uint64) (base, inheriting uint64) {
		w.wants(success, "fd_fdstat_get", fd, atOut)
		return w.u64(atOut + 8), w.u64(atOut + 16)
	}
	reading, _ := rights(w.mustOpen("file", 0, forReading))
	writing, _ := rights(w.mustOpen("file", 0, forWriting))
	if reading != rightsFile|rightFdRead || writing != rightsFile|rightsWrite {
		t.Errorf("the rights are %#x and %#x", reading, writing)
	}
	if base, inheriting := rights(w.mustOpen("folder", 0, forReading)); base != rightsFolder || inheriting != rightsInFolder {
		t.Errorf("the rights of a folder are %#x and %#x", base, inheriting)
	}
}

func TestRightsThatAFolderLacksAreNotPassedOn(t *testing.T) {
	w := newFilesWorld(t)
	w.mkdir("folder")
	w.create("folder/x", "x")
	outer := w.mustOpen(".", openDirectory, forReading)
	w.wants(success, "fd_fdstat_set_rights", outer, rightOpen, rightOpen|forReading)
	at, n := w.path("folder")
	w.wants(success, "path_open", outer, 0, at, n, 0, forReading, ^uint64(0), 0, atOut)
	inner := uint64(w.u32(atOut))
	w.wants(enotcapable, "fd_readdir", inner, atData, 100, 0, atOut)
	at, n = w.path("x")
	w.wants(success, "path_open", inner, 0, at, n, 0, forReading, 0, 0, atOut)
	file := uint64(w.u32(atOut))
	w.wants(enotcapable, "fd_tell", file, atOut)
	w.wants(enotcapable, "path_open", inner, 0, at, n, 0, forWriting, 0, 0, atOut)
	w.wants(enotcapable, "path_open", inner, 0, at, n, openCreate, forReading, 0, 0, atOut)
}

func TestRightsCanBeTakenAway(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	fd := w.mustOpen("file", 0, forBoth)
	w.wants(enotcapable, "fd_fdstat_set_rights", fd, 1<<29, 0)
	w.wants(enotcapable, "fd_fdstat_set_rights", fd, 0, 1)
	w.wants(ebadf, "fd_fdstat_set_rights", 99, 0, 0)
	w.wants(success, "fd_fdstat_set_rights", fd, rightFdRead, 0)
	w.isErrno(w.write(fd, "x"), ebadf, "write")
	if text, err := w.read(fd, 10); text != "content" || err != success {
		t.Errorf("read %q, error number %d", text, err)
	}
	for name, params := range map[string][]uint64{
		"fd_seek": {fd, 0, 0, atOut}, "fd_tell": {fd, atOut}, "fd_filestat_get": {fd, atOut}, "fd_sync": {fd},
		"fd_datasync": {fd}, "fd_advise": {fd, 0, 0, 0}, "fd_filestat_set_times": {fd, 0, 0, 0}, "fd_fdstat_set_flags": {fd, 0},
	} {
		w.wants(enotcapable, name, params...)
	}
	w.wants(ebadf, "fd_allocate", fd, 0, 10)
	w.wants(einval, "fd_filestat_set_size", fd, 0)
	w.wants(success, "fd_fdstat_set_rights", fd, 0, 0)
	if _, err := w.read(fd, 10); err != ebadf {
		t.Errorf("read: error number %d", err)
	}
	w.wants(success, "fd_fdstat_set_rights", fdDir, rightOpen, forReading)
	for name, err := range map[string]errno{
		"mkdir": w.mkdir("x"), "rmdir": w.rmdir("x"), "unlink": w.unlink("file"), "symlink": w.symlink("x", "y"),
		"rename": w.rename("file", "x"), "link": w.link("file", "x", 0),
		"readlink": w.at1("path_readlink", "file", []uint64{fdDir}, atOut, 10, atData),
		"stat":     w.at1("path_filestat_get", "file", []uint64{fdDir, 0}, atOut),
		"times":    w.at1("path_filestat_set_times", "file", []uint64{fdDir, 0}, 0, 0, 0),
		"readdir":  w.call("fd_readdir", fdDir, atOut, 10, 0, atData),
	} {
		w.isErrno(err, enotcapable, name)
	}
	for _, flags := range []uint64{openCreate, openTruncate} {
		if _, err := w.open("file", flags, forReading); err != enotcapable {
			t.Errorf("open with flags %d: error number %d", flags, err)
		}
	}
	w.mustOpen("file", 0, forReading)
	w.wants(success, "fd_fdstat_set_rights", fdDir, 0, 0)
	if _, err := w.open("file", 0, 0); err != enotcapable {
		t.Errorf("open: error number %d", err)
	}
}

func TestNumbersMoveFromOneDescriptorToAnother(t *testing.T) {
	w := newFilesWorld(t)
	w.create("a", "content of a")
	w.create("b", "content of b")
	a, b := w.mustOpen("a", 0, forReading), w.mustOpen("b", 0, forReading)
	w.wants(success, "fd_renumber", a, b)
	w.wants(ebadf, "fd_tell", a, atOut)
	if text, _ := w.read(b, 100); text != "content of a" {
		t.Errorf("read %q", text)
	}
	w.wants(ebadf, "fd_renumber", a, b)
	w.wants(success, "fd_renumber", b, fdRoot)
	w.wants(ebadf, "fd_prestat_get", fdRoot, 0)
	if got := w.mustOpen("b", 0, forReading); got != a {
		t.Errorf("the descriptor is %d, want %d", got, a)
	}
}
