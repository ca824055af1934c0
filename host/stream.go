package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/internal/uncleared"
)

// A Stream is file-like content and a position in it: what write was given, or
// what read answers. It is an immutable value; copies share the content. The
// zero Stream is an empty byte stream.
type Stream struct {
	content  *content
	position int64
	text     bool
}

// content is shared by the copies of a stream, and never changed.
type content struct {
	data []byte

	mu     sync.Mutex
	summed bool // on first use
	digest [sha256.Size]byte
}

func newContent(data []byte) *content { return &content{data: data} }

// sum is the digest. The error is the context's, if that doesn't last as long.
func (c *content) sum(ctx context.Context) ([sha256.Size]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.summed {
		return c.digest, nil
	}
	hash := sha256.New()
	if err := inPieces(ctx, c.data, func(piece []byte) { hash.Write(piece) }); err != nil {
		return c.digest, err
	}
	hash.Sum(c.digest[:0])
	c.summed = true
	return c.digest, nil
}

// copy is a copy of the data, as sum is a sum of them.
func (c *content) copy(ctx context.Context) ([]byte, error) {
	to := uncleared.Make(len(c.data))[:0]
	err := inPieces(ctx, c.data, func(piece []byte) { to = append(to, piece...) })
	return to, err
}

// inPieces looks at the context between pieces of data, which may be long.
func inPieces(ctx context.Context, data []byte, do func(piece []byte)) error {
	for piece := range slices.Chunk(data, engine.MovePiece) {
		if err := engine.ContextError(ctx); err != nil {
			return err
		}
		do(piece)
	}
	return nil
}

// ByteStream makes a stream of bytes, at its start. It copies data.
func ByteStream(data []byte) Stream { return ownedStream(bytes.Clone(data), false) }

// TextStream makes a stream of text, at its start.
func TextStream(text string) Stream { return ownedStream([]byte(text), true) }

func ownedStream(data []byte, text bool) Stream {
	return Stream{content: newContent(data), text: text}
}

// At gives the stream with another position, in bytes from its start. It may
// lie past the end. A negative position counts as zero.
func (s Stream) At(position int64) Stream {
	s.position = max(position, 0)
	return s
}

// Position is in bytes from the start, and may lie past the end.
func (s Stream) Position() int64 { return s.position }

// Len is the length of the whole content in bytes, wherever the position is.
func (s Stream) Len() int64 { return int64(len(s.data())) }

// Text reports whether the stream was made of text.
func (s Stream) Text() bool { return s.text }

// Bytes is the whole content, wherever the position is. The caller owns it.
func (s Stream) Bytes() []byte { return bytes.Clone(s.data()) }

// String is the whole content, wherever the position is.
func (s Stream) String() string { return string(s.data()) }

// Reader reads from the position on. Readers are independent of each other.
func (s Stream) Reader() *StreamReader {
	r := &StreamReader{stream: s}
	r.reader.Reset(s.data())
	if s.position != 0 {
		_, _ = r.Seek(s.position, io.SeekStart) // fails only for negative positions
	}
	return r
}

// Equal reports whether both have the same kind, content and position.
func (s Stream) Equal(other Stream) bool {
	return s.text == other.text && s.position == other.position &&
		(s.content == other.content || bytes.Equal(s.data(), other.data()))
}

// data is shared: it must not be changed or handed out.
func (s Stream) data() []byte {
	if s.content == nil {
		return nil
	}
	return s.content.data
}

// A StreamReader reads a [Stream]. It is what a scripted session's Read
// returns. It is not safe for concurrent use, but for ReadAt. The zero StreamReader
// reads an empty stream.
type StreamReader struct {
	reader bytes.Reader
	stream Stream
}

// Read implements [io.Reader].
func (r *StreamReader) Read(p []byte) (int, error) { return r.reader.Read(p) }

// ReadByte implements [io.ByteReader].
func (r *StreamReader) ReadByte() (byte, error) { return r.reader.ReadByte() }

// ReadAt implements [io.ReaderAt].
func (r *StreamReader) ReadAt(p []byte, offset int64) (int, error) { return r.reader.ReadAt(p, offset) }

// Seek implements [io.Seeker].
func (r *StreamReader) Seek(offset int64, whence int) (int64, error) {
	return r.reader.Seek(offset, whence)
}

// WriteTo implements [io.WriterTo].
func (r *StreamReader) WriteTo(w io.Writer) (int64, error) { return r.reader.WriteTo(w) }

// Size is the length of the whole content in bytes, wherever the reader is.
func (r *StreamReader) Size() int64 { return r.reader.Size() }

// Close does nothing.
func (r *StreamReader) Close() error { return nil }

// Stream is what the reader reads, with the reader's current position.
func (r *StreamReader) Stream() Stream {
	position, _ := r.Seek(0, io.SeekCurrent)
	return r.stream.At(position)
}

// memoryReader is a reader whose whole content and position can be had without
// reading from it.
type memoryReader interface {
	io.ReaderAt
	io.Seeker
	Size() int64
}

// errStreamLimit is the cause of a snapshot failure by length.
var errStreamLimit = errors.New("the stream is longer than the session's limit")

// snapshotReader records a reader (S2.1–S2.3, S2.8, S2.9).
func snapshotReader(ctx context.Context, r io.Reader, limit int64) (s Stream, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = Stream{}, newPanicError("reader", p)
		}
	}()
	switch r := r.(type) {
	case nil:
		return Stream{}, nil
	case *StreamReader:
		if r.Size() > limit {
			return Stream{}, errStreamLimit
		}
		return r.Stream(), nil
	case *bytes.Buffer:
		if int64(r.Len()) > limit {
			return Stream{}, errStreamLimit
		}
		return ByteStream(r.Bytes()), nil
	case memoryReader:
		_, text := r.(*strings.Reader)
		return snapshotMemory(r, text, limit)
	default:
		limit = min(limit, math.MaxInt64-1)
		data, err := io.ReadAll(io.LimitReader(&contextReader{ctx: ctx, r: r}, limit+1))
		if err != nil {
			return Stream{}, err
		}
		if int64(len(data)) > limit {
			return Stream{}, errStreamLimit
		}
		return ownedStream(data, false), nil
	}
}

func snapshotMemory(r memoryReader, text bool, limit int64) (Stream, error) {
	size := r.Size()
	if size > limit {
		return Stream{}, errStreamLimit
	}
	position, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return Stream{}, fmt.Errorf("its position is unknown: %w", err)
	}
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); int64(n) < size {
		return Stream{}, errors.Join(errors.New("it has fewer bytes than it says"), err)
	}
	return ownedStream(data, text).At(position), nil
}

// maxEmptyReads is how often in a row a reader may give nothing and no error.
const maxEmptyReads = 100

// contextReader ends between two reads when its context does, and when its reader
// gives nothing again and again, with io.ErrNoProgress.
type contextReader struct {
	ctx   context.Context
	r     io.Reader
	empty int // reads in a row that gave nothing
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	if n != 0 || err != nil || len(p) == 0 {
		c.empty = 0
		return n, err
	}
	if c.empty++; c.empty == maxEmptyReads {
		return 0, io.ErrNoProgress
	}
	return 0, nil
}
