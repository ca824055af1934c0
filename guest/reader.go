package guest

import (
	"errors"
	"io"
)

var (
	errWhence   = errors.New("guest: invalid whence")
	errNegative = errors.New("guest: negative position")
)

// A Reader reads content, of which it holds nothing in the guest's memory. It is
// an io.Reader, io.ReaderAt and io.Seeker. Each read of a blob is a call of the
// host, so read in pieces of some kilobytes.
type Reader struct {
	content Content
	offset  int64
}

// Size is the length of the whole content.
func (r *Reader) Size() int64 { return r.content.Size() }

// Len is the number of bytes from the current position to the end.
func (r *Reader) Len() int64 { return max(0, r.Size()-r.offset) }

// Read reads up to len(p) bytes; at the end it fails with io.EOF.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.ReadAt(p, r.offset)
	r.offset += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt reads len(p) bytes at an offset; it fails with io.EOF when there are
// fewer.
func (r *Reader) ReadAt(p []byte, offset int64) (int, error) {
	switch {
	case r.content.expired():
		return 0, ErrExpired
	case offset < 0:
		return 0, errNegative
	case len(p) == 0:
		return 0, nil
	case offset >= r.Size():
		return 0, io.EOF
	}
	short := int64(len(p)) > r.Size()-offset
	if short {
		p = p[:r.Size()-offset]
	}
	n, err := r.fill(p, offset)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

// fill reads all of p, which lies inside of the content.
func (r *Reader) fill(p []byte, offset int64) (int, error) {
	if r.content.blob == nil {
		return copy(p, r.content.inline[offset:]), nil
	}
	n := 0
	for n < len(p) {
		count, err := countOf("blob_read", hostBlobRead(r.content.blob.Handle, uint64(offset)+uint64(n), p[n:]))
		if err != nil {
			return n, err
		}
		if count == 0 {
			return n, io.ErrUnexpectedEOF
		}
		n += count
	}
	return n, nil
}

// Seek sets the position of the next Read, which may be past the end.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.Size()
	default:
		return 0, errWhence
	}
	if offset < 0 {
		return 0, errNegative
	}
	r.offset = offset
	return offset, nil
}
