package wasi

import (
	"encoding/binary"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Where in the guest's memory the tests keep what.
const (
	atPath    = 30_000
	atTarget  = 36_000
	atVectors = 42_000
	atOut     = 43_000
	atData    = 44_000
)

const (
	// What is open in a world with the root "/work", the grant "/granted" and the
	// working folder "/work/sub".
	fdDir     = 3
	fdRoot    = 4
	fdGranted = 5
	fdTop     = 6
	fdDirLast = 7
	fdFirst   = 8 // what the guest opens

	forReading = rightFdRead
	forWriting = rightFdWrite
	forBoth    = rightFdRead | rightFdWrite

	testNow = 1_767_225_600_000_000_000
)

// newFiles makes a tree with the folder "sub".
func newFiles(t testing.TB, limits workspace.Limits) *workspace.Tree {
	t.Helper()
	policy, err := workspace.NewPolicy("/work", workspace.Grant{Path: "/granted", ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	tree := workspace.New(workspace.Config{Policy: policy, Now: testNow, Limits: limits})
	if err := tree.Mkdir("sub", 0); err != nil {
		t.Fatal(err)
	}
	return tree
}

func newFilesWorld(t testing.TB) *world {
	t.Helper()
	return newWorld(t, Config{Files: newFiles(t, workspace.Limits{}), Dir: "/work/sub", Now: testNow})
}

// path writes a path to memory, and gives its place and length.
func (w *world) path(s string) (at, n uint64) {
	w.put(atPath, s)
	return atPath, uint64(len(s))
}

// open opens a file in the working folder, and gives the error number.
func (w *world) open(name string, flags, rights uint64) (fd uint64, err errno) {
	at, n := w.path(name)
	err = w.call("path_open", fdDir, lookupFollow, at, n, flags, rights, ^uint64(0), 0, atOut)
	return uint64(w.u32(atOut)), err
}

func (w *world) mustOpen(name string, flags, rights uint64) (fd uint64) {
	w.t.Helper()
	fd, err := w.open(name, flags, rights)
	if err != success {
		w.t.Fatalf("open %s: error number %d", name, err)
	}
	return fd
}

// write writes a file with one vector.
func (w *world) write(fd uint64, text string) errno {
	w.put(atData, text)
	w.vectors(atVectors, atData, uint32(len(text)))
	return w.call("fd_write", fd, atVectors, 1, atOut)
}

// read reads a file with one vector.
func (w *world) read(fd uint64, n uint32) (string, errno) {
	w.vectors(atVectors, atData, n)
	err := w.call("fd_read", fd, atVectors, 1, atOut)
	if err != success {
		return "", err
	}
	return string(w.in.Bytes()[atData : atData+int(w.u32(atOut))]), success
}

// create makes a file with a content.
func (w *world) create(name, content string) {
	w.t.Helper()
	fd := w.mustOpen(name, openCreate|openTruncate, forWriting)
	if err := w.write(fd, content); err != success {
		w.t.Fatalf("write %s: error number %d", name, err)
	}
	w.wants(success, "fd_close", fd)
}

// content is what the tree has.
func (w *world) content(path string) string {
	w.t.Helper()
	b, err := w.env.files.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

// at1 calls a function on a path in the working folder; the path's place and length
// follow the given parameters.
func (w *world) at1(name, path string, before []uint64, after ...uint64) errno {
	w.t.Helper()
	at, n := w.path(path)
	params := append(append([]uint64{}, before...), at, n)
	return w.call(name, append(params, after...)...)
}

func (w *world) mkdir(path string) errno {
	return w.at1("path_create_directory", path, []uint64{fdDir})
}
func (w *world) rmdir(path string) errno {
	return w.at1("path_remove_directory", path, []uint64{fdDir})
}
func (w *world) unlink(path string) errno { return w.at1("path_unlink_file", path, []uint64{fdDir}) }

func (w *world) symlink(target, path string) errno {
	w.put(atTarget, target)
	return w.at1("path_symlink", path, []uint64{atTarget, uint64(len(target)), fdDir})
}

func (w *world) rename(from, to string) errno {
	w.put(atTarget, to)
	at, n := w.path(from)
	return w.call("path_rename", fdDir, at, n, fdDir, atTarget, uint64(len(to)))
}

func (w *world) link(from, to string, flags uint64) errno {
	w.put(atTarget, to)
	at, n := w.path(from)
	return w.call("path_link", fdDir, flags, at, n, fdDir, atTarget, uint64(len(to)))
}

// A filestat is what there is to know of a file.
type filestat struct {
	inode, links, size, accessed, modified, changed uint64
	filetype                                        byte
}

func (w *world) stat(path string, follow uint64) (filestat, errno) {
	err := w.at1("path_filestat_get", path, []uint64{fdDir, follow}, atOut)
	return w.filestat(), err
}

func (w *world) filestat() filestat {
	b := w.in.Bytes()[atOut:]
	u64 := binary.LittleEndian.Uint64
	return filestat{
		inode: u64(b[8:]), filetype: b[16], links: u64(b[24:]), size: u64(b[32:]),
		accessed: u64(b[40:]), modified: u64(b[48:]), changed: u64(b[56:]),
	}
}

// isErrno compares the error number of what was done.
func (w *world) isErrno(got, want errno, what string) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("%s: error number %d, want %d", what, got, want)
	}
}
