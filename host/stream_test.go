package host_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// record sends a reader through write, and gives the stream recorded.
func record(t *testing.T, r io.Reader, opts ...host.Option) (host.Stream, error) {
	t.Helper()
	s := newSession(t, answering(host.MethodWrite), opts...)
	if err := s.Write(t.Context(), host.WriteRequest{Path: "f", Data: r}); err != nil {
		if len(s.Calls()) != 0 {
			t.Error("a call without a snapshot was recorded")
		}
		wantRemaining(t, s, 1)
		return host.Stream{}, err
	}
	data, ok := s.Calls()[0].Data()
	if !ok {
		t.Fatal("the call has no data")
	}
	return data, nil
}

func at(r io.ReadSeeker, position int64) io.Reader {
	_, _ = r.Seek(position, io.SeekStart)
	return r
}

func TestReadersAreRecordedByTheirKind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()

	tests := []struct {
		name     string
		reader   io.Reader
		content  string
		position int64
		text     bool
	}{
		{"bytes at their start", bytes.NewReader([]byte("before")), "before", 0, false},            // S2.1
		{"bytes in the middle", at(bytes.NewReader([]byte("before")), 2), "before", 2, false},      // S2.8
		{"bytes beyond their end", at(bytes.NewReader([]byte("before")), 99), "before", 99, false}, // S2.8
		{"text in the middle", at(strings.NewReader("before"), 3), "before", 3, true},              // S2.2
		{"a buffer has no past", bytes.NewBufferString("before"), "before", 0, false},              // S2.3
		{"a section of something", io.NewSectionReader(strings.NewReader("abcdef"), 1, 3), "bcd", 0, false},
		{"a stream of the session's own", host.TextStream("before").At(4).Reader(), "before", 4, true},
		{"bytes inside a callable type", callableReader{at(bytes.NewReader([]byte("before")), 1).(*bytes.Reader), nil}, "before", 1, false}, // S2.4
		{"any other reader is read to its end", onlyReader("before"), "before", 0, false},                                                   // S2.3
		{"a file is read from where it stands", at(opened, 4), "456789", 0, false},
		{"no reader is an empty stream", nil, "", 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := record(t, test.reader)
			if err != nil {
				t.Fatal(err)
			}
			if s.String() != test.content || s.Position() != test.position || s.Text() != test.text {
				t.Errorf("%q at %d, text %v", s, s.Position(), s.Text())
			}
		})
	}
}

// A callableReader is a stream and a matcher at once (S2.4).
type callableReader struct {
	*bytes.Reader
	host.MatcherFunc
}

func TestReadersThatCantBeRecorded(t *testing.T) {
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()

	for name, test := range map[string]struct {
		reader io.Reader
		cause  error
	}{
		"a reader that fails":         {&failingReader{content: strings.NewReader("some"), err: errBoom}, errBoom},
		"a reader that panics":        {panickingReader{}, nil},
		"a reader that gives nothing": {idleReader{}, io.ErrNoProgress},
		"a nil pointer to a reader":   {(*bytes.Reader)(nil), nil},
		"a file that is closed":       {closed, os.ErrClosed}, // S2.1
		"a nil pointer to a file":     {(*os.File)(nil), os.ErrInvalid},
		"a seeker that fails":         {brokenMemory{seek: errBoom}, errBoom},
		"memory shorter than it is":   {brokenMemory{size: 9, read: io.EOF}, io.EOF},
		"memory of a negative size":   {brokenMemory{size: -1}, nil},
		"memory of an enormous size":  {brokenMemory{size: math.MaxInt64}, nil},
	} {
		t.Run(name, func(t *testing.T) { // S2.11
			_, err := record(t, test.reader)
			e := errorAs[*host.SnapshotError](t, err)
			if e.Method != host.MethodWrite || e.Field != "data" || e.Err == nil {
				t.Errorf("method %v, field %q, cause %v", e.Method, e.Field, e.Err)
			}
			if test.cause != nil && !errors.Is(err, test.cause) {
				t.Errorf("%v isn't behind %v", test.cause, e.Err)
			}
		})
	}
}

// idleReader never gives anything, nor ends.
type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

// hesitantReader gives a byte after every fifty reads that give nothing.
type hesitantReader struct {
	content io.Reader
	reads   int
}

func (r *hesitantReader) Read(p []byte) (int, error) {
	if r.reads++; r.reads%51 != 0 {
		return 0, nil
	}
	return r.content.Read(p[:1])
}

func TestAReaderMayHesitate(t *testing.T) {
	s, err := record(t, &hesitantReader{content: strings.NewReader("before")})
	if err != nil || s.String() != "before" {
		t.Errorf("recorded %q, %v", s, err)
	}
}

// brokenMemory claims to be in memory.
type brokenMemory struct {
	size       int64
	seek, read error
}

func (m brokenMemory) Size() int64                       { return m.size }
func (m brokenMemory) Seek(int64, int) (int64, error)    { return 0, m.seek }
func (m brokenMemory) ReadAt([]byte, int64) (int, error) { return 0, m.read }
func (m brokenMemory) Read([]byte) (int, error)          { return 0, io.EOF }

func TestStreamLimit(t *testing.T) {
	readers := map[string]func(string) io.Reader{
		"bytes":     func(s string) io.Reader { return bytes.NewReader([]byte(s)) },
		"text":      func(s string) io.Reader { return strings.NewReader(s) },
		"a buffer":  func(s string) io.Reader { return bytes.NewBufferString(s) },
		"a stream":  func(s string) io.Reader { return host.TextStream(s).Reader() },
		"any other": onlyReader,
	}
	for name, reader := range readers {
		t.Run(name, func(t *testing.T) {
			if _, err := record(t, reader("1234567890"), host.WithStreamLimit(10)); err != nil {
				t.Errorf("a stream of the limit's length: %v", err)
			}
			_, err := record(t, reader("12345678901"), host.WithStreamLimit(10))
			wantError[*host.SnapshotError](t, err)
			if s, err := record(t, reader("123"), host.WithStreamLimit(math.MaxInt64)); err != nil || s.String() != "123" {
				t.Errorf("without a limit: %q, %v", s, err)
			}
		})
	}
	t.Run("a result counts, too", func(t *testing.T) {
		_, err := host.NewScripted([]host.Step{{Method: host.MethodRead, Outcome: host.Return(onlyReader("123"))}}, host.WithStreamLimit(2))
		wantError[*host.InvalidStepError](t, err)
	})
}

// S2.28: recording a reader that is in memory leaves it where it is.
func TestRecordingDoesntConsumeAReaderInMemory(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"bytes": at(bytes.NewReader([]byte("before")), 2), "text": at(strings.NewReader("before"), 2),
		"a buffer": bytes.NewBufferString("fore"), "a stream": host.ByteStream([]byte("before")).At(2).Reader(),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := record(t, r); err != nil {
				t.Fatal(err)
			}
			if rest := readAll(t, r); rest != "fore" {
				t.Errorf("%q is left", rest)
			}
		})
	}
}

// S2.9: what becomes of the source has no effect on the record.
func TestTheSourceOfAStreamMayChangeLater(t *testing.T) {
	source := []byte("before")
	buffer := bytes.NewBuffer(source)
	s := newSession(t, append(answering(host.MethodWrite), host.Step{Method: host.MethodRead, Outcome: host.Return(source)}))
	if err := s.Write(t.Context(), host.WriteRequest{Data: buffer}); err != nil {
		t.Fatal(err)
	}
	copy(source, "after!")
	if data, _ := s.Calls()[0].Data(); data.String() != "before" {
		t.Errorf("recorded %q", data)
	}
	r, err := s.Read(t.Context(), host.ReadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, r); got != "before" {
		t.Errorf("the result is %q", got)
	}
}

// S2.8: readers of one stream don't know of each other.
func TestReadersOfAStreamAreIndependent(t *testing.T) {
	s := host.TextStream("before").At(2)
	first, second := s.Reader(), s.Reader()
	if got := readAll(t, first); got != "fore" {
		t.Errorf("the first reads %q", got)
	}
	if got := second.Stream(); !got.Equal(s) {
		t.Errorf("the second stands at %d", got.Position())
	}
	if got := first.Stream(); got.Position() != 6 || got.String() != "before" {
		t.Errorf("the first stands at %d of %q", got.Position(), got)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	bytes := s.Bytes()
	bytes[0] = 'X'
	if s.String() != "before" || s.Len() != 6 {
		t.Errorf("the stream is %q now", s)
	}
}

func TestStreamsAreEqualByKindContentAndPosition(t *testing.T) { // S2.21
	text := host.TextStream("x")
	for name, test := range map[string]struct {
		other host.Stream
		equal bool
	}{
		"the same":                      {text, true},
		"made again":                    {host.TextStream("x"), true},
		"of another kind":               {host.ByteStream([]byte("x")), false},
		"of another content":            {host.TextStream("y"), false},
		"at another position":           {text.At(1), false},
		"at a negative position, zero":  {text.At(-1), true},
		"the zero stream and empty one": {host.Stream{}, false},
	} {
		if text.Equal(test.other) != test.equal || test.other.Equal(text) != test.equal {
			t.Errorf("%s: equal isn't %v", name, test.equal)
		}
	}
	if zero := (host.Stream{}); !zero.Equal(host.ByteStream(nil)) || zero.Len() != 0 || readAll(t, zero.Reader()) != "" {
		t.Error("the zero stream isn't an empty one")
	}
}

// S2.16: a reader that doesn't end holds up no other call, and its call ends
// with its context.
func TestASlowReaderDoesntBlockOthers(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodWrite))
	reading, proceed := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	first := true
	go func() {
		done <- s.Write(ctx, host.WriteRequest{Data: readerFunc(func(p []byte) (int, error) {
			if first {
				close(reading)
				<-proceed
				first = false
			}
			return copy(p, "more"), nil
		})})
	}()
	<-reading
	execute(t, s)
	cancel()
	close(proceed)
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("write ends with %v", err)
	}
	wantCalls(t, s, host.MethodExec)
}

// A reader that ends its goroutine leaves the session usable, and no trace.
func TestAReaderMayEndItsGoroutine(t *testing.T) {
	s := newSession(t, answering(host.MethodWrite))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Write(t.Context(), host.WriteRequest{Data: readerFunc(func([]byte) (int, error) {
			runtime.Goexit()
			return 0, nil
		})})
	}()
	<-done
	wantRemaining(t, s, 1)
	if err := s.Write(t.Context(), host.WriteRequest{}); err != nil {
		t.Fatal(err)
	}
	wantCalls(t, s, host.MethodWrite)
}

func TestAStreamReaderReadsAsReadersDo(t *testing.T) {
	content := []byte("some content")
	if err := iotest.TestReader(host.ByteStream(content).Reader(), content); err != nil {
		t.Error(err)
	}
	r := host.ByteStream(content).At(5).Reader()
	if b, err := r.ReadByte(); b != 'c' || err != nil {
		t.Errorf("a byte %q, %v", b, err)
	}
	var rest bytes.Buffer
	if _, err := r.WriteTo(&rest); err != nil || rest.String() != "ontent" {
		t.Errorf("the rest is %q, %v", rest.String(), err)
	}
	if r.Size() != int64(len(content)) || r.Stream().Position() != int64(len(content)) {
		t.Errorf("size %d, position %d", r.Size(), r.Stream().Position())
	}
	if err := iotest.TestReader(new(host.StreamReader), nil); err != nil {
		t.Errorf("the zero StreamReader: %v", err)
	}
}
