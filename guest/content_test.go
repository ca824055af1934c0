package guest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func TestReaderKeepsTheContractOfIO(t *testing.T) {
	const text = "0123456789abcdef"
	for name, step := range map[string]int{"whole": 100, "in pieces": 3} {
		t.Run(name, func(t *testing.T) {
			host := fresh(t)
			host.step = step
			for _, c := range []Content{String(text), Bytes([]byte(text)), host.give(text)} {
				if err := iotest.TestReader(c.Reader(), []byte(text)); err != nil {
					t.Error(err)
				}
				if got, err := c.Text(); got != text || err != nil || c.Size() != int64(len(text)) {
					t.Errorf("text %q, error %v, size %d", got, err, c.Size())
				}
			}
		})
	}
}

func TestReaderRefuses(t *testing.T) {
	host := fresh(t)
	r := host.give("abc").Reader()
	if _, err := r.Seek(-1, io.SeekStart); err != errNegative {
		t.Errorf("seek: %v", err)
	}
	if _, err := r.Seek(0, 9); err != errWhence {
		t.Errorf("whence: %v", err)
	}
	if _, err := r.ReadAt(make([]byte, 1), -1); err != errNegative {
		t.Errorf("read: %v", err)
	}
	host.blobs[0] = nil
	if _, err := r.Read(make([]byte, 1)); err != io.ErrUnexpectedEOF {
		t.Errorf("a blob shorter than announced: %v", err)
	}
	host.status = int32(abi.StatusBadHandle)
	var refused *HostError
	if _, err := r.Read(make([]byte, 1)); !errors.As(err, &refused) || err.Error() != "guest: blob_read: no such blob" {
		t.Errorf("host refuses: %v", err)
	}
}

func TestStreamIsReadFromItsPosition(t *testing.T) {
	fresh(t)
	tests := map[string]struct {
		position uint64
		want     string
	}{"start": {0, "abc"}, "middle": {1, "bc"}, "end": {3, ""}, "beyond": {9, ""}, "absurd": {1 << 63, ""}}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := TextStream("abc")
			s.Position = tt.position
			if got, err := s.ReadAll(); string(got) != tt.want || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestContentExpiresWithItsCall(t *testing.T) {
	host := fresh(t)
	blob, inline := host.give("abc"), borrow(abi.Content{Inline: []byte("abc")}, self.epoch)
	if c, err := blob.send(); err != nil || c.Blob == nil || c.Blob != blob.blob {
		t.Errorf("during the call: %+v, %v", c, err)
	}
	self.epoch++
	for _, c := range []Content{blob, inline} {
		if _, err := c.ReadAll(); err != ErrExpired {
			t.Errorf("read: %v", err)
		}
		if _, err := c.send(); err != ErrExpired {
			t.Errorf("returned: %v", err)
		}
		if c.SHA256() != nil {
			t.Error("it has a digest still")
		}
	}
}

func TestHugeContentIsNotReadAtOnce(t *testing.T) {
	fresh(t)
	c := Content{blob: &abi.Blob{Size: maxReadAll + 1}, epoch: self.epoch}
	if _, err := c.ReadAll(); err != errTooLarge {
		t.Errorf("content: %v", err)
	}
	if _, err := (&Stream{Content: c}).ReadAll(); err != errTooLarge {
		t.Errorf("stream: %v", err)
	}
}

func TestLargeContentOfAResultBecomesABlob(t *testing.T) {
	host := fresh(t)
	host.step = 10
	self.limits.InlineBytes = 16
	for _, n := range []int{0, 16, 17, 100} {
		text := strings.Repeat("a", n)
		c, err := String(text).send()
		if err != nil {
			t.Fatal(err)
		}
		got := c.Inline
		if n > 16 {
			got = host.blobs[c.Blob.Handle]
		}
		if string(got) != text || c.Len() != uint64(n) {
			t.Errorf("%d bytes became %+v", n, c)
		}
	}
	host.status = int32(abi.StatusLimit)
	result := &ExecResult{Stderr: String(strings.Repeat("a", 17))}
	if err := result.outcome(new(outcome)); err == nil || err.Error() != "guest: blob_write: a limit of the host is reached" {
		t.Errorf("over the host's limit: %v", err)
	}
}

func TestWriterCollectsWhatIsWritten(t *testing.T) {
	for _, size := range []int{0, 1, 5, 16, 17, 40, 1000} {
		host := fresh(t)
		self.limits.InlineBytes = 16
		host.step = 7
		var w Writer
		var want bytes.Buffer
		for i := 0; want.Len() < size; i++ {
			piece := strings.Repeat(string(rune('a'+i%26)), min(i, size-want.Len()))
			want.WriteString(piece)
			switch i % 3 {
			case 0:
				must(io.WriteString(&w, piece))
			case 1:
				must(w.Write([]byte(piece)))
			case 2:
				for j := range len(piece) {
					must(0, w.WriteByte(piece[j]))
				}
			}
		}
		c, err := w.Content()
		if err != nil || (c.blob != nil) != (size > 16) {
			t.Fatalf("%d bytes: %+v, %v", size, c, err)
		}
		if got, err := c.Text(); got != want.String() || err != nil {
			t.Errorf("%d bytes: got %q, %v", size, got, err)
		}
	}
}

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}

func TestWriterFailsForGood(t *testing.T) {
	host := fresh(t)
	self.limits.InlineBytes = 4
	var w Writer
	host.status = int32(abi.StatusLimit)
	_, first := w.Write([]byte("12345"))
	host.status = 0
	_, second := w.WriteString("1")
	_, third := w.Content()
	if first == nil || second != first || third != first || w.WriteByte('1') != first {
		t.Errorf("%v, %v, %v", first, second, third)
	}
}

func TestWriterBelongsToItsCall(t *testing.T) {
	fresh(t)
	var w Writer
	must(0, w.WriteByte('a'))
	self.epoch++
	if err := w.WriteByte('b'); err != ErrExpired {
		t.Error(err)
	}
}
