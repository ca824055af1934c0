package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// maxWindow is how much of what it has written a decoder may have to remember: as
// much as the most thorough settings of xz and zstd need.
const maxWindow = 128 << 20

// A stream is what a tar is read from.
type stream interface {
	io.Reader

	// share gives the next bytes as a part of the archive, and goes on behind
	// them, if it can.
	share(size int64) ([]byte, bool)

	// read is how much has been read.
	read() int64

	// drain reads to the end. What isn't compressed data of the kind doesn't
	// matter there.
	drain() error

	close()
}

// tarBlock is what the length of a tar is a multiple of.
const tarBlock = 512

// decompress finds out how an archive is compressed (S6.25). A stream that turns
// out to be longer than a limit fails with a *streamLimitError.
func decompress(ctx context.Context, data []byte, limit int64) (stream, error) {
	open := decoderOf(data)
	switch {
	case open == nil:
		return &plainStream{Reader: bytes.NewReader(data), ctx: ctx, data: data}, nil
	case bytes.HasPrefix(data, []byte(xzMagic)): // for which all of it has to be in memory
		return bounded(ctx, newXZ(ctx, data), limit, errXZTrailing), nil
	}
	return open(ctx, bufio.NewReaderSize(&lasting{ctx, bytes.NewReader(data)}, decoderBuffer), limit)
}

// decoderBuffer is how much of an archive a decoder takes at a time. What it makes of
// it can be nothing, so that this is where it heeds the context.
const decoderBuffer = 64 << 10

// decompressStream is decompress for what isn't in memory. The limit is that of
// what comes in as well.
func decompressStream(ctx context.Context, r io.Reader, limit int64) (stream, error) {
	in := bufio.NewReaderSize(&boundedStream{ctx: ctx, decoder: r, left: limit, limit: limit}, decoderBuffer)
	start, _ := in.Peek(magicLength) // an error comes again
	if open := decoderOf(start); open != nil {
		return open(ctx, in, limit)
	}
	return bounded(ctx, in, limit, nil), nil
}

// magicLength is how much of an archive tells how it is compressed.
const magicLength = 10

// decoderOf finds what undoes the compression of what starts like that, nil if it
// isn't compressed.
func decoderOf(start []byte) func(ctx context.Context, r io.Reader, limit int64) (stream, error) {
	switch {
	case bytes.HasPrefix(start, []byte("\x1f\x8b\x08")):
		return openGzip
	case bytes.HasPrefix(start, []byte("BZh")) && len(start) >= magicLength && string(start[4:magicLength]) == "1AY&SY":
		return openBzip2
	case bytes.HasPrefix(start, []byte(xzMagic)):
		return openXZ
	case bytes.HasPrefix(start, []byte("\x28\xb5\x2f\xfd")), isSkippable(start):
		return openZstd
	}
	return nil
}

func openGzip(ctx context.Context, r io.Reader, limit int64) (stream, error) {
	decoder, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return bounded(ctx, decoder, limit, gzip.ErrHeader), nil
}

func openBzip2(ctx context.Context, r io.Reader, limit int64) (stream, error) {
	return bounded(ctx, bzip2.NewReader(r), limit, bzip2.StructuralError("bad magic value in continuation file")), nil
}

func openXZ(ctx context.Context, r io.Reader, limit int64) (stream, error) {
	data, err := readAll(ctx, r, limit)
	if err != nil {
		return nil, err
	}
	return bounded(ctx, newXZ(ctx, data), limit, errXZTrailing), nil
}

func openZstd(ctx context.Context, r io.Reader, limit int64) (stream, error) {
	decoder, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return bounded(ctx, decoder.IOReadCloser(), limit, zstd.ErrMagicMismatch), nil
}

// isSkippable reports a frame of zstd without data, which can come first.
func isSkippable(data []byte) bool {
	return len(data) >= 4 && data[0]&0xf0 == 0x50 && string(data[1:4]) == "\x2a\x4d\x18"
}

// A plainStream isn't compressed.
type plainStream struct {
	*bytes.Reader // which the tar reader takes no more from than it needs

	ctx  context.Context
	data []byte
}

func (s *plainStream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// mostWaste is how many times as large as a file an archive may be that it is a part
// of. The workspace counts the file only, and the archive may long be gone from it.
const mostWaste = 4

func (s *plainStream) share(size int64) ([]byte, bool) {
	if size > int64(s.Len()) || size < int64(len(s.data))/mostWaste {
		return nil, false
	}
	at := int64(len(s.data) - s.Len())
	return s.data[at : at+size : at+size], true
}

func (s *plainStream) read() int64 { return int64(len(s.data) - s.Len()) }

// drain finds out whether the last block of the tar is whole.
func (s *plainStream) drain() error { return wholeBlocks(s.read()) }

func wholeBlocks(read int64) error {
	if read%tarBlock != 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (s *plainStream) close() {}

// A boundedStream is what a decoder makes, up to a limit.
type boundedStream struct {
	ctx      context.Context
	decoder  io.Reader
	left     int64
	limit    int64
	trailing error // that of what isn't compressed data, behind some that is; nil: it isn't compressed
}

func bounded(ctx context.Context, decoder io.Reader, limit int64, trailing error) stream {
	return &boundedStream{ctx: ctx, decoder: decoder, left: limit, limit: limit, trailing: trailing}
}

// A streamLimitError is a stream that goes on and on.
type streamLimitError struct{ limit int64 }

func (e *streamLimitError) Error() string {
	return fmt.Sprintf("more than %d bytes come out of it", e.limit)
}

func (s *boundedStream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if s.left <= 0 {
		return 0, &streamLimitError{s.limit}
	}
	n, err := s.decoder.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	return n, err
}

func (s *boundedStream) read() int64 { return s.limit - s.left }

func (s *boundedStream) share(int64) ([]byte, bool) { return nil, false }

func (s *boundedStream) drain() error {
	read := s.read()
	_, err := io.Copy(io.Discard, io.Reader(s))
	switch {
	case err == nil && s.trailing == nil:
		return wholeBlocks(read)
	case s.trailing != nil && errors.Is(err, s.trailing):
		return nil
	}
	return err
}

func (s *boundedStream) close() {
	if c, ok := s.decoder.(io.Closer); ok {
		_ = c.Close() // nothing is lost by it
	}
}

// streamLimit is how long a tar may be when its compression is undone: what the
// members' contents may have, with headers and padding.
func (p *plan) streamLimit() int64 {
	const perMember, slack = 4 << 10, 16 << 20
	bytes, members := p.bounds.Bytes, int64(p.bounds.Files)
	if l := p.limits.MaxExtractedBytes; l > 0 {
		bytes = min(bytes, l)
	}
	if l := p.limits.MaxMembers; l > 0 {
		members = min(members, l)
	}
	return saturating.Add(saturating.Add(bytes, slack), min(members, 1<<40)*perMember)
}
