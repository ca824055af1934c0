package guest

import (
	"errors"
	"io"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// ErrExpired is what reading or returning content fails with after the call that
// it belongs to has ended.
var ErrExpired = errors.New("guest: the content belongs to a call that has ended")

// errTooLarge is what ReadAll fails with for content that no guest could hold.
var errTooLarge = errors.New("guest: the content is too large to be read at once")

// maxReadAll bounds what ReadAll reads, well inside of a 32-bit memory.
const maxReadAll = 1 << 30

// Content is bytes: the guest's own, or those of a request, which the host may
// hold as a blob. Its zero value is empty. It is small and is passed by value.
type Content struct {
	inline []byte
	blob   *abi.Blob // not nil: inline isn't used
	epoch  uint64    // of the call it lives in; 0: the guest's own
}

// String is content with the bytes of s.
func String(s string) Content {
	return Content{inline: unsafe.Slice(unsafe.StringData(s), len(s))} // nothing writes to inline
}

// Bytes is content with the bytes of b, which it keeps: they must not change
// before the content has been returned and the next call has come.
func Bytes(b []byte) Content { return Content{inline: b} }

// Size is the length in bytes.
func (c Content) Size() int64 {
	if c.blob != nil {
		return int64(c.blob.Size)
	}
	return int64(len(c.inline))
}

// SHA256 is the digest that the host has sent with large content, or nil. The
// host sends none with content that is small enough to be inside of the message.
// The caller must not change it, and may use it only during the call.
func (c Content) SHA256() []byte {
	if c.blob == nil || c.expired() {
		return nil
	}
	return c.blob.SHA256
}

// Handle is the handle of content that the host holds as a blob, for guests that
// call the host's imports themselves; ok is false for all other content. It names
// nothing after the call.
func (c Content) Handle() (handle uint32, ok bool) {
	if c.blob == nil || c.expired() {
		return 0, false
	}
	return c.blob.Handle, true
}

// Reader reads the content from its start.
func (c Content) Reader() *Reader { return &Reader{content: c} }

// ReadAll is a copy of all bytes, which the caller owns. Large content is best
// read in pieces, by a [Reader].
func (c Content) ReadAll() ([]byte, error) {
	if c.Size() > maxReadAll {
		return nil, errTooLarge
	}
	data := make([]byte, c.Size())
	if _, err := c.Reader().ReadAt(data, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return data, nil
}

// Text is a copy of all bytes as a string. Nothing checks that they are UTF-8.
func (c Content) Text() (string, error) {
	data, err := c.ReadAll()
	return string(data), err
}

// borrow is content of a message, which lives until the epoch ends.
func borrow(c abi.Content, epoch uint64) Content {
	return Content{inline: c.Inline, blob: c.Blob, epoch: epoch}
}

func (c Content) expired() bool { return c.epoch != 0 && c.epoch != self.epoch }

// send is the content for a reply, moved into a blob when it is too large.
func (c Content) send() (abi.Content, error) {
	if c.expired() {
		return abi.Content{}, ErrExpired
	}
	if c.blob == nil && uint64(len(c.inline)) > self.inlineLimit() {
		blob, err := newBlob(c.inline)
		return abi.Content{Blob: blob}, err
	}
	return abi.Content{Inline: c.inline, Blob: c.blob}, nil
}
