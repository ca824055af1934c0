package wasi

import (
	"math"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAFileIsReadAndWrittenAtItsPosition(t *testing.T) {
	w := newFilesWorld(t)
	fd := w.mustOpen("file", openCreate, forBoth)
	w.isErrno(w.write(fd, "hello world"), success, "write")
	if got := w.u32(atOut); got != 11 {
		t.Errorf("%d bytes were written", got)
	}
	for _, seek := range []struct {
		offset int64
		whence uint64
		want   uint64
		err    errno
	}{
		{0, seekCurrent, 11, success}, {6, seekStart, 6, success}, {-1, seekCurrent, 5, success},
		{5, seekEnd, 16, success}, {-12, seekEnd, 16, einval}, {-1, seekStart, 16, einval},
		{math.MaxInt64, seekCurrent, 16, einval}, {0, 3, 16, einval}, {6, seekStart, 6, success},
	} {
		w.isErrno(w.call("fd_seek", fd, uint64(seek.offset), seek.whence, atOut), seek.err, "seek")
		w.wants(success, "fd_tell", fd, atOut)
		if got := w.u64(atOut); got != seek.want {
			t.Errorf("seek %d from %d: the position is %d, want %d", seek.offset, seek.whence, got, seek.want)
		}
	}
	for _, want := range []string{"world", ""} {
		if got, err := w.read(fd, 100); got != want || err != success {
			t.Errorf("read %q, error number %d, want %q", got, err, want)
		}
	}
	w.wants(efault, "fd_seek", fd, 0, 0, memorySize-7)
	w.wants(efault, "fd_tell", fd, memorySize-7)
	w.wants(success, "fd_tell", fd, atOut)
	if got := w.u64(atOut); got != 11 {
		t.Errorf("the position is %d after a failed seek", got)
	}
}

func TestVectorsAreFilledInTurn(t *testing.T) {
	w := newFilesWorld(t)
	fd := w.mustOpen("file", openCreate, forBoth)
	w.put(100, "hello world")
	w.vectors(0, 100, 5, 0, 0, 106, 5)
	w.wants(success, "fd_write", fd, 0, 3, 50)
	if got := w.content("sub/file"); got != "helloworld" || w.u32(50) != 10 {
		t.Errorf("the file is %q, %d bytes were written", got, w.u32(50))
	}
	w.vectors(0, 200, 3, 0, 0, 300, 20)
	w.wants(success, "fd_pread", fd, 0, 3, 2, 50)
	if got := string(w.in.Bytes()[200:203]) + string(w.in.Bytes()[300:305]); got != "lloworld" || w.u32(50) != 8 {
		t.Errorf("read %q, %d bytes", got, w.u32(50))
	}
	w.vectors(0, 100, 2)
	w.wants(success, "fd_pwrite", fd, 0, 1, 12, 50)
	if got := w.content("sub/file"); got != "helloworld\x00\x00he" {
		t.Errorf("the file is %q", got)
	}
	w.wants(success, "fd_tell", fd, 50)
	if got := w.u64(50); got != 10 {
		t.Errorf("the position is %d, want 10", got)
	}
}

func TestABadReadOrWriteMovesNothing(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	w.mkdir("folder")
	fd := w.mustOpen("file", 0, forBoth)
	folder := w.mustOpen("folder", 0, forReading)
	for _, name := range []string{"fd_read", "fd_write", "fd_pread", "fd_pwrite"} {
		onFolder := ebadf
		if strings.HasSuffix(name, "read") {
			onFolder = eisdir
		}
		for _, test := range []struct {
			fd, vectors, count, out uint64
			want                    errno
		}{
			{fd, 0, 2, 50, efault}, {fd, memorySize - 8, 2, 50, efault}, {fd, 0, 1, memorySize - 3, efault},
			{fd, 0, maxVectors + 1, 50, einval}, {99, 0, 1, 50, ebadf}, {folder, 0, 1, 50, onFolder}, {fdDir, 0, 1, 50, onFolder},
		} {
			w.vectors(0, 100, 5, memorySize-1, 2)
			params := []uint64{test.fd, test.vectors, test.count, test.out}
			if strings.HasPrefix(name, "fd_p") {
				params = []uint64{test.fd, test.vectors, test.count, 0, test.out}
			}
			w.wants(test.want, name, params...)
		}
	}
	w.vectors(0, 100, 5)
	w.wants(einval, "fd_pread", fd, 0, 1, 1<<63, 50)
	w.wants(einval, "fd_pwrite", fd, 0, 1, 1<<63, 50)
	w.wants(success, "fd_tell", fd, 50)
	if got := w.content("sub/file"); got != "content" || w.u64(50) != 0 {
		t.Errorf("the file is %q, the position %d", got, w.u64(50))
	}
}

func TestAReadOverItsOwnVectorsInAFileIsNoCrash(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", strings.Repeat("\xff", 100))
	fd := w.mustOpen("file", 0, forReading)
	w.vectors(0, 8, 16, 100, 8, 200, 8) // the first vector covers the other two
	w.wants(success, "fd_read", fd, 0, 3, 50)
	if got := w.u32(50); got != 16 {
		t.Errorf("read %d bytes, want 16", got)
	}
}

func TestWritesGoToTheEndOnDemand(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "one")
	fd := w.mustOpen("file", 0, forBoth)
	w.wants(success, "fd_fdstat_set_flags", fd, fdAppend)
	w.wants(success, "fd_fdstat_get", fd, atOut)
	if got := w.u32(atOut); got != filetypeRegularFile|fdAppend<<16 {
		t.Errorf("the status begins with %#x", got)
	}
	w.isErrno(w.write(fd, " two"), success, "write")
	w.wants(success, "fd_tell", fd, atOut)
	if got := w.u64(atOut); got != 7 {
		t.Errorf("the position is %d, want 7", got)
	}
	w.wants(success, "fd_seek", fd, 0, seekStart, atOut)
	w.isErrno(w.write(fd, " three"), success, "write")
	w.put(atData, "O")
	w.vectors(atVectors, atData, 1)
	w.wants(success, "fd_pwrite", fd, atVectors, 1, 0, atOut)
	w.wants(success, "fd_fdstat_set_flags", fd, 0)
	w.wants(success, "fd_seek", fd, 1, seekStart, atOut)
	w.isErrno(w.write(fd, "N"), success, "write")
	if got := w.content("sub/file"); got != "ONe two three" {
		t.Errorf("the file is %q", got)
	}
	w.wants(einval, "fd_fdstat_set_flags", fd, fdflagsAll+1)
	w.wants(ebadf, "fd_fdstat_set_flags", 99, 0)
	at, n := w.path("file")
	w.wants(success, "path_open", fdDir, 0, at, n, 0, forWriting, 0, fdAppend, atOut)
	w.isErrno(w.write(uint64(w.u32(atOut)), "!"), success, "write")
	if got := w.content("sub/file"); got != "ONe two three!" {
		t.Errorf("the file is %q", got)
	}
}

func TestAFullTreeIsAFullDevice(t *testing.T) {
	w := newWorld(t, Config{Files: newFiles(t, workspace.Limits{Bytes: 10, Files: 3}), Dir: "/work/sub"})
	fd := w.mustOpen("file", openCreate, forBoth)
	w.isErrno(w.write(fd, "12345678"), success, "write")
	w.isErrno(w.write(fd, "1234"), enospc, "write too much")
	w.vectors(0, atData, 2, atData, 2)
	w.wants(success, "fd_write", fd, 0, 2, atOut)
	if got := w.u32(atOut); got != 2 {
		t.Errorf("%d bytes were written, want the 2 that there was room for", got)
	}
	w.wants(success, "fd_fdstat_set_flags", fd, fdAppend)
	w.isErrno(w.write(fd, "1"), enospc, "append too much")
	w.wants(success, "fd_fdstat_set_flags", fd, 0)
	w.wants(success, "fd_tell", fd, atOut)
	if got := w.u64(atOut); got != 10 {
		t.Errorf("the position is %d, want 10", got)
	}
	w.wants(enospc, "fd_filestat_set_size", fd, 11)
	w.wants(enospc, "fd_filestat_set_size", fd, math.MaxInt64)
	w.wants(enospc, "fd_allocate", fd, 5, 6)
	w.wants(success, "fd_seek", fd, 0, seekStart, atOut)
	w.isErrno(w.mkdir("folder"), success, "mkdir")
	w.isErrno(w.mkdir("another"), enospc, "mkdir")
	w.isErrno(w.symlink("x", "link"), enospc, "symlink")
	if _, err := w.open("other", openCreate, forWriting); err != enospc {
		t.Errorf("open: error number %d", err)
	}
	if got := len(w.content("sub/file")); got != 10 {
		t.Errorf("the file has %d bytes", got)
	}
}

func TestAFileGetsTheLengthThatIsSet(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	fd := w.mustOpen("file", 0, forBoth)
	for _, test := range []struct {
		name   string
		params []uint64
		err    errno
		want   string
	}{
		{"fd_filestat_set_size", []uint64{3}, success, "con"},
		{"fd_filestat_set_size", []uint64{5}, success, "con\x00\x00"},
		{"fd_filestat_set_size", []uint64{1 << 63}, einval, "con\x00\x00"},
		{"fd_allocate", []uint64{2, 2}, success, "con\x00\x00"},
		{"fd_allocate", []uint64{4, 3}, success, "con\x00\x00\x00\x00"},
		{"fd_allocate", []uint64{0, 0}, einval, "con\x00\x00\x00\x00"},
		{"fd_allocate", []uint64{1 << 63, 1}, einval, "con\x00\x00\x00\x00"},
		{"fd_allocate", []uint64{1, math.MaxInt64}, efbig, "con\x00\x00\x00\x00"},
	} {
		w.wants(test.err, test.name, append([]uint64{fd}, test.params...)...)
		if got := w.content("sub/file"); got != test.want {
			t.Errorf("%s%v: the file is %q, want %q", test.name, test.params, got, test.want)
		}
	}
	for _, fd := range []uint64{fdDir, w.mustOpen("file", 0, forReading)} {
		w.wants(einval, "fd_filestat_set_size", fd, 0)
		w.wants(ebadf, "fd_allocate", fd, 0, 10)
	}
}

func TestAdviceAndSynchronisationAreAccepted(t *testing.T) {
	w := newFilesWorld(t)
	fd := w.mustOpen("file", openCreate, forReading)
	for advice := range uint64(adviceMax + 1) {
		w.wants(success, "fd_advise", fd, 0, 100, advice)
	}
	w.wants(einval, "fd_advise", fd, 0, 100, adviceMax+1)
	w.wants(einval, "fd_advise", fd, 1<<63, 0, 0)
	w.wants(einval, "fd_advise", fd, 1, math.MaxInt64, 0)
	w.wants(ebadf, "fd_advise", fdDir, 0, 0, 0)
	for _, name := range []string{"fd_sync", "fd_datasync"} {
		w.wants(success, name, fd)
		w.wants(success, name, fdDir)
	}
	for _, name := range []string{"fd_seek", "fd_tell"} {
		params := []uint64{fdDir, 0, 0, 0}[:len(all[name].Type.Params)]
		w.wants(ebadf, name, params...)
	}
}

func TestAFileIsAlwaysReady(t *testing.T) {
	w := newFilesWorld(t)
	w.create("file", "content")
	fd := uint32(w.mustOpen("file", 0, forReading))
	w.read(uint64(fd), 2)
	w.waitFor(0, kindFdRead, fd, 0, 0)
	w.waitFor(1, kindFdWrite, fd, 0, 0)
	w.waitFor(2, kindFdRead, fdDir, 0, 0)
	w.waitFor(3, kindFdWrite, uint32(w.mustOpen("file", 0, forWriting)), 0, 0)
	w.waitFor(4, kindClock, clockRealtime, 100, 0)
	wantEvents(t, w.poll(5), got{0, success, kindFdRead}, got{1, ebadf, kindFdWrite}, got{2, ebadf, kindFdRead}, got{3, success, kindFdWrite})
	if n := w.u64(pollOut + 16); n != 5 {
		t.Errorf("%d bytes can be read, want 5", n)
	}
}
