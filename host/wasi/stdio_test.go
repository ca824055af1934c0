package wasi

import (
	"errors"
	"strings"
	"testing"
)

func TestWritesAreCapturedByStream(t *testing.T) {
	w := newWorld(t, Config{})
	w.put(100, "hello world")
	w.vectors(0, 100, 5, 105, 0, 106, 5)
	w.wants(success, "fd_write", 1, 0, 3, 50)
	if got := w.u32(50); got != 10 {
		t.Errorf("%d bytes were written, want 10", got)
	}
	w.wants(success, "fd_write", 2, 0, 1, 50)
	if out := w.env.DrainStdout(); string(out.Bytes) != "helloworld" || out.Total != 10 {
		t.Errorf("stdout is %+v", out)
	}
	if out := w.env.DrainStderr(); string(out.Bytes) != "hello" {
		t.Errorf("stderr is %+v", out)
	}
	w.wants(success, "fd_write", 1, 0, 1, 50)
	if out := w.env.DrainStdout(); string(out.Bytes) != "hello" || out.Total != 5 {
		t.Errorf("stdout is %+v after a drain", out)
	}
}

func TestABadWriteWritesNothing(t *testing.T) {
	w := newWorld(t, Config{})
	for name, test := range map[string]struct {
		want   errno
		vector []uint32
		params []uint64
	}{
		"a vector outside":         {efault, []uint32{0, 8, memorySize - 1, 2}, []uint64{1, 0, 2, 50}},
		"a vector that overflows":  {efault, []uint32{0, 8, 8, 0xffff_ffff}, []uint64{1, 0, 2, 50}},
		"a list outside":           {efault, nil, []uint64{1, memorySize - 8, 2, 50}},
		"a list that overflows":    {efault, nil, []uint64{1, 0xffff_fff8, 1, 50}},
		"a length outside":         {efault, []uint32{0, 8}, []uint64{1, 0, 1, memorySize - 3}},
		"too many vectors":         {einval, nil, []uint64{1, 0, maxVectors + 1, 50}},
		"far too many vectors":     {einval, nil, []uint64{1, 0, 0xffff_ffff, 50}},
		"standard input":           {ebadf, []uint32{0, 8}, []uint64{0, 0, 1, 50}},
		"a descriptor not open":    {ebadf, []uint32{0, 8}, []uint64{3, 0, 1, 50}},
		"a descriptor far outside": {ebadf, []uint32{0, 8}, []uint64{0xffff_ffff, 0, 1, 50}},
	} {
		w.vectors(0, test.vector...)
		if got := w.call("fd_write", test.params...); got != test.want {
			t.Errorf("%s: error number %d, want %d", name, got, test.want)
		}
		if out := w.env.DrainStdout(); out.Total != 0 {
			t.Errorf("%s: %q was written", name, out.Bytes)
		}
	}
}

func TestStdoutKeepsTheFirstBytesAndStderrTheLast(t *testing.T) {
	w := newWorld(t, Config{MaxStdout: 8, MaxStderr: 8})
	var written strings.Builder
	for i := range 20 {
		piece := strings.Repeat(string(rune('a'+i)), i)
		written.WriteString(piece)
		w.put(100, piece)
		w.vectors(0, 100, uint32(i))
		w.wants(success, "fd_write", 1, 0, 1, 50)
		w.wants(success, "fd_write", 2, 0, 1, 50)
	}
	whole := written.String()
	for name, test := range map[string]struct {
		got  Output
		want string
	}{
		"stdout": {w.env.DrainStdout(), whole[:8]},
		"stderr": {w.env.DrainStderr(), whole[len(whole)-8:]},
	} {
		if string(test.got.Bytes) != test.want || test.got.Total != uint64(len(whole)) {
			t.Errorf("%s is %q of %d, want %q of %d",
				name, test.got.Bytes, test.got.Total, test.want, len(whole))
		}
	}
}

func TestANegativeLimitKeepsNothing(t *testing.T) {
	w := newWorld(t, Config{MaxStdout: -1, MaxStderr: -1})
	w.vectors(0, 100, 5)
	w.wants(success, "fd_write", 1, 0, 1, 50)
	w.wants(success, "fd_write", 2, 0, 1, 50)
	for _, out := range []Output{w.env.DrainStdout(), w.env.DrainStderr()} {
		if len(out.Bytes) != 0 || out.Total != 5 {
			t.Errorf("got %+v", out)
		}
	}
}

func TestATailKeepsItsLastBytesWhateverTheWrites(t *testing.T) {
	for limit := range 6 {
		for size := 1; size < 15; size++ {
			tail, want := tail{limit: limit}, ""
			for i := range 10 {
				piece := strings.Repeat(string(rune('a'+i)), size)
				tail.write([]byte(piece))
				want += piece
			}
			want = want[len(want)-limit:]
			if out := tail.drain(); string(out.Bytes) != want || out.Total != uint64(10*size) {
				t.Errorf("limit %d, writes of %d: %q, want %q", limit, size, out.Bytes, want)
			}
		}
	}
}

func TestInputIsReadOnceAndThenEnds(t *testing.T) {
	w := newWorld(t, Config{Stdin: []byte("hello world")})
	w.vectors(0, 100, 2, 200, 4)
	for _, want := range []string{"hello ", "world", ""} {
		w.wants(success, "fd_read", 0, 0, 2, 50)
		n := int(w.u32(50))
		got := string(w.in.Bytes()[100:102]) + string(w.in.Bytes()[200:204])
		if n != len(want) || got[:n] != want {
			t.Errorf("read %q (%d), want %q", got[:n], n, want)
		}
	}
}

func TestAWorldWithoutInputIsAtItsEnd(t *testing.T) {
	w := newWorld(t, Config{})
	w.vectors(0, 100, 2)
	w.put(50, "xxxx")
	w.wants(success, "fd_read", 0, 0, 1, 50)
	if got := w.u32(50); got != 0 {
		t.Errorf("read %d bytes", got)
	}
	w.wants(ebadf, "fd_read", 1, 0, 1, 50)
	w.wants(efault, "fd_read", 0, 0, 1, memorySize-3)
}

func TestAReadOverItsOwnVectorsIsNoCrash(t *testing.T) {
	w := newWorld(t, Config{Stdin: []byte(strings.Repeat("\xff", 100))})
	w.vectors(0, 8, 16, 100, 8, 200, 8) // the first vector covers the other two
	w.wants(success, "fd_read", 0, 0, 3, 50)
	if got := w.u32(50); got != 16 {
		t.Errorf("read %d bytes, want 16", got)
	}
}

func TestADescriptorIsGoneOnceClosed(t *testing.T) {
	for fd := range uint64(3) {
		w := newWorld(t, Config{})
		w.wants(success, "fd_fdstat_get", fd, 0)
		w.wants(success, "fd_close", fd)
		for _, name := range []string{"fd_close", "fd_sync"} {
			w.wants(ebadf, name, fd)
		}
		w.wants(ebadf, "fd_fdstat_get", fd, 0)
		w.wants(ebadf, "fd_filestat_get", fd, 0)
		w.wants(ebadf, "fd_write", fd, 0, 0, 50)
		w.wants(ebadf, "fd_read", fd, 0, 0, 50)
		w.wants(ebadf, "path_unlink_file", fd, 0, 0)
	}
	newWorld(t, Config{}).wants(ebadf, "fd_close", 3)
}

func TestADescriptorCanTakeThePlaceOfAnother(t *testing.T) {
	w := newWorld(t, Config{})
	w.put(100, "moved")
	w.vectors(0, 100, 5)
	w.wants(ebadf, "fd_renumber", 2, 3)
	w.wants(ebadf, "fd_renumber", 3, 2)
	w.wants(success, "fd_renumber", 1, 1)
	w.wants(success, "fd_renumber", 2, 1)
	w.wants(success, "fd_write", 1, 0, 1, 50)
	w.wants(ebadf, "fd_write", 2, 0, 1, 50)
	if out := w.env.DrainStderr(); string(out.Bytes) != "moved" {
		t.Errorf("stderr is %q", out.Bytes)
	}
}

func TestStreamsAreCharacterDevices(t *testing.T) {
	w := newWorld(t, Config{})
	for fd := range uint64(3) {
		w.put(0, strings.Repeat("x", 100))
		w.wants(success, "fd_fdstat_get", fd, 0)
		if w.in.Bytes()[0] != filetypeCharacterDevice || w.in.Bytes()[24] != 'x' {
			t.Errorf("fd %d: the status is % x", fd, w.in.Bytes()[:25])
		}
		if write := w.u64(8)&rightFdWrite != 0; write != (fd > 0) {
			t.Errorf("fd %d: the rights are %#x", fd, w.u64(8))
		}
		w.put(0, strings.Repeat("x", 100))
		w.wants(success, "fd_filestat_get", fd, 0)
		if w.in.Bytes()[16] != filetypeCharacterDevice || w.u64(24) != 1 || w.u64(32) != 0 || w.in.Bytes()[64] != 'x' {
			t.Errorf("fd %d: the status is % x", fd, w.in.Bytes()[:65])
		}
		w.wants(efault, "fd_fdstat_get", fd, memorySize-23)
		w.wants(efault, "fd_filestat_get", fd, memorySize-63)
		w.wants(einval, "fd_fdstat_set_flags", fd, 1<<5)
	}
}

func TestAWriteBeyondAStrictLimitEndsTheCall(t *testing.T) {
	for fd, config := range map[uint64]Config{
		1: {MaxStdout: 5, StrictStdout: true, MaxStderr: 1}, 2: {MaxStderr: 5, StrictStderr: true, MaxStdout: 1},
	} {
		w := newWorld(t, config)
		w.vectors(0, 100, 5)
		w.wants(success, "fd_write", fd, 0, 1, 50)
		w.wants(success, "fd_write", 3-fd, 0, 1, 50) // the other stream isn't strict
		w.vectors(0, 100, 1)
		err := all["fd_write"].Call(t.Context(), w.in, []uint64{fd, 0, 1, 50})
		if !errors.Is(err, ErrOutputLimit) {
			t.Errorf("fd %d: error %v", fd, err)
		}
	}
}
