package wasi

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// An entry is what a guest reads of a folder.
type entry struct {
	next, inode uint64
	filetype    byte
	name        string
}

// readdir reads entries from a cookie on with a buffer of n bytes, and gives those
// that are whole.
func (w *world) readdir(fd, cookie uint64, n int) (entries []entry, used int) {
	w.t.Helper()
	w.wants(success, "fd_readdir", fd, atData, uint64(n), cookie, atOut)
	used = int(w.u32(atOut))
	for b := w.in.Bytes()[atData : atData+used]; len(b) >= direntSize; {
		length := int(binary.LittleEndian.Uint32(b[16:]))
		if len(b) < direntSize+length {
			break
		}
		entries = append(entries, entry{
			next: binary.LittleEndian.Uint64(b), inode: binary.LittleEndian.Uint64(b[8:]),
			filetype: b[20], name: string(b[direntSize : direntSize+length]),
		})
		b = b[direntSize+length:]
	}
	return entries, used
}

// readAll reads a folder with a buffer of n bytes as a C library does: from the
// cookie of the last whole entry, until the buffer isn't full.
func (w *world) readAll(fd uint64, n int, between func()) (names []string) {
	w.t.Helper()
	var cookie uint64
	for range 10_000 {
		entries, used := w.readdir(fd, cookie, n)
		for _, e := range entries {
			names = append(names, e.name)
			cookie = e.next
		}
		if used < n {
			return names
		}
		if between != nil {
			between()
		}
		if len(entries) == 0 {
			w.t.Fatalf("a buffer of %d bytes has no room for one entry", n)
		}
	}
	w.t.Fatal("there is no end")
	return nil
}

func TestAFolderIsReadWithABufferOfAnySize(t *testing.T) {
	w := newFilesWorld(t)
	w.create("b", "")
	w.mkdir("a folder")
	w.symlink("b", "c")
	w.create("a much longer name than the other names", "")
	fd := w.mustOpen(".", openDirectory, forReading)
	want := []string{".", "..", "a folder", "a much longer name than the other names", "b", "c"}
	for n := 24 + 39; n < 400; n++ {
		if got := w.readAll(fd, n, nil); !slices.Equal(got, want) {
			t.Fatalf("with a buffer of %d bytes: %q", n, got)
		}
	}
	for n := range 24 + 1 {
		if entries, used := w.readdir(fd, 0, n); used != n || len(entries) != n/25 {
			t.Errorf("with a buffer of %d bytes: %v in %d bytes", n, entries, used)
		}
	}
}

func TestAnEntrySaysWhatItIs(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "")
	w.mkdir("folder")
	w.symlink("file", "link")
	inode := func(path string) uint64 {
		s, err := w.stat(path, 0)
		if err != success || s.inode == 0 {
			t.Errorf("%s has inode %d, error number %d", path, s.inode, err)
		}
		return s.inode
	}
	got, _ := w.readdir(fdDir, 0, 1000)
	want := []entry{
		{1, inode("."), filetypeDirectory, "."}, {2, inode(".."), filetypeDirectory, ".."},
		{3, inode("file"), filetypeRegularFile, "file"}, {4, inode("folder"), filetypeDirectory, "folder"},
		{5, inode("link"), filetypeSymbolicLink, "link"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, cookie := range []uint64{5, 6, 1 << 40, ^uint64(0)} {
		if entries, used := w.readdir(fdDir, cookie, 1000); used != 0 {
			t.Errorf("from %d there is %v", cookie, entries)
		}
	}
	if got, _ := w.readdir(fdRoot, 0, 1000); got[1].inode != got[0].inode {
		t.Errorf("the inode of what is above the root is %d", got[1].inode)
	}
	w.wants(enotdir, "fd_readdir", w.mustOpen("file", 0, forReading), atData, 10, 0, atOut)
}

func TestAFolderStaysTheSameWhileItIsRead(t *testing.T) {
	w := newFilesWorld(t)
	var want []string
	for i := range 100 {
		want = append(want, fmt.Sprintf("file %02d", i))
		w.create(want[i], "")
	}
	fd := w.mustOpen(".", openDirectory, forReading)
	changes := 0
	got := w.readAll(fd, 200, func() {
		w.unlink(fmt.Sprintf("file %02d", changes))
		w.create(fmt.Sprintf("another %02d", changes), "")
		changes++
	})
	if !slices.Equal(got[2:], want) {
		t.Errorf("got %q", got)
	}
	if got := w.readAll(fd, 4000, nil); len(got) != 102 || got[2] != "another 00" {
		t.Errorf("read anew: %q", got)
	}
}

func TestWhatIsReadOfFoldersIsBounded(t *testing.T) {
	w := newFilesWorld(t)
	for i := range 10 {
		w.create(fmt.Sprintf("file %d", i), "")
	}
	a, b := w.mustOpen(".", openDirectory, forReading), w.mustOpen(".", openDirectory, forReading)
	w.readdir(a, 0, 100)
	if w.env.listed != 12 {
		t.Errorf("%d entries are kept", w.env.listed)
	}
	w.env.listed = maxListed
	w.readdir(b, 0, 100)
	if da := w.env.fds.get(uint32(a)); da.listing != nil {
		t.Error("the other descriptor hasn't forgotten what it has read")
	}
	if names, _ := w.readdir(a, 5, 1000); len(names) != 7 || names[0].name != "file 3" {
		t.Errorf("going on it reads %v", names)
	}
	w.env.listed -= maxListed - 12 // as it would be
	w.wants(success, "fd_close", a)
	w.wants(success, "fd_close", b)
	if w.env.listed != 0 {
		t.Errorf("%d entries are kept in the end", w.env.listed)
	}
}
