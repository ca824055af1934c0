package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
)

// The decoder of LZMA2 is from github.com/ulikunitz/xz, what is around it is here:
// that package takes as much memory for each block as the block's header asks for,
// which can be 4 GiB for nothing.

const (
	xzMagic       = "\xfd7zXZ\x00"
	xzFooterMagic = "YZ"
)

// maxXZBlocks is how many blocks a file may have: each makes the decoder start anew.
// Those that xz makes have megabytes.
const maxXZBlocks = 1 << 16

var (
	errXZTrailing = errors.New("xz: what follows isn't xz")
	errXZ         = errors.New("xz: the data is damaged")
)

// An xzReader reads the streams of an xz file one after the other.
type xzReader struct {
	ctx     context.Context
	rest    []byte
	check   byte // how a stream's blocks are checked
	started bool // there has been a stream
	inside  bool // of a stream
	block   io.Reader
	sum     hash.Hash
	want    []byte // the block's sum
	blocks  []xzBlock
	count   int   // of all streams
	size    int64 // of the block, so far
	total   int64 // that the block has
	err     error
}

// An xzBlock is what the index at a stream's end has to say of a block.
type xzBlock struct{ unpadded, size uint64 }

func newXZ(ctx context.Context, data []byte) *xzReader { return &xzReader{ctx: ctx, rest: data} }

func (x *xzReader) Read(p []byte) (int, error) {
	for x.err == nil && len(p) > 0 {
		if x.block == nil {
			x.err = x.advance()
			continue
		}
		n, err := x.block.Read(p)
		x.sum.Write(p[:n])
		x.size += int64(n)
		switch {
		case err == io.EOF:
			x.err = x.endBlock()
		case err != nil:
			x.err = err
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, x.err
}

// take cuts bytes off what is left.
func (x *xzReader) take(size int) ([]byte, error) {
	if size > len(x.rest) {
		return nil, io.ErrUnexpectedEOF
	}
	part := x.rest[:size]
	x.rest = x.rest[size:]
	return part, nil
}

// advance goes on to the next block.
func (x *xzReader) advance() error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	switch {
	case !x.inside:
		return x.startStream()
	case len(x.rest) == 0:
		return io.ErrUnexpectedEOF
	case x.rest[0] == 0:
		return x.endStream()
	default:
		return x.startBlock()
	}
}

func (x *xzReader) startStream() error {
	for x.started && len(x.rest) >= 4 && string(x.rest[:4]) == "\x00\x00\x00\x00" {
		x.rest = x.rest[4:] // padding
	}
	if x.started && len(x.rest) == 0 {
		return io.EOF
	}
	if !bytes.HasPrefix(x.rest, []byte(xzMagic)) {
		return errXZTrailing
	}
	header, err := x.take(12)
	if err != nil {
		return err
	}
	flags := header[6:8]
	if binary.LittleEndian.Uint32(header[8:]) != crc32.ChecksumIEEE(flags) || flags[0] != 0 || newXZSum(flags[1]) == nil {
		return errXZ
	}
	x.check, x.started, x.inside, x.blocks = flags[1], true, true, x.blocks[:0]
	return nil
}

// newXZSum is what makes the checksums of that kind, nil if there is none.
func newXZSum(check byte) hash.Hash {
	switch check {
	case 0:
		return xzNoSum{}
	case 1:
		return crc32.NewIEEE()
	case 4:
		return crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		return sha256.New()
	}
	return nil
}

// An xzNoSum is the checksum of those who don't want any.
type xzNoSum struct{}

func (xzNoSum) Write(p []byte) (int, error) { return len(p), nil }
func (xzNoSum) Sum(b []byte) []byte         { return b }
func (xzNoSum) Reset()                      {}
func (xzNoSum) Size() int                   { return 0 }
func (xzNoSum) BlockSize() int              { return 1 }

// endStream compares a stream's index with what has been read.
func (x *xzReader) endStream() error {
	start := x.rest
	rest := start[1:]
	count, rest, err := xzNumber(rest)
	if err != nil || count != int64(len(x.blocks)) {
		return errXZ
	}
	for _, b := range x.blocks {
		var unpadded, size int64
		if unpadded, rest, err = xzNumber(rest); err == nil {
			size, rest, err = xzNumber(rest)
		}
		if err != nil || uint64(unpadded) != b.unpadded || uint64(size) != b.size {
			return errXZ
		}
	}
	x.rest = rest
	length := len(start) - len(rest)
	if _, err = x.take(-length & 3); err != nil {
		return err
	}
	index := start[:len(start)-len(x.rest)]
	tail, err := x.take(4 + 12)
	if err != nil {
		return err
	}
	footer := tail[4:]
	switch {
	case binary.LittleEndian.Uint32(tail) != crc32.ChecksumIEEE(index),
		binary.LittleEndian.Uint32(footer) != crc32.ChecksumIEEE(footer[4:10]),
		int64(binary.LittleEndian.Uint32(footer[4:])+1)*4 != int64(len(index)+4),
		footer[8] != 0 || footer[9] != x.check,
		string(footer[10:]) != xzFooterMagic:
		return errXZ
	}
	x.inside = false
	return nil
}
