package guest

import (
	"io"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Writer collects output that is made in pieces, as an io.Writer,
// io.StringWriter and io.ByteWriter. Little output stays in the guest's memory;
// more than the host's inline limit goes to the host as a blob, of which the guest
// holds no more than one buffer. Its zero value is empty. It belongs to the call in
// which it is first written to.
type Writer struct {
	buffer []byte
	blob   *abi.Blob
	epoch  uint64
	err    error
}

// Write adds the bytes of p. After a failure all calls fail.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.reserve(len(p)); err != nil {
		return 0, err
	}
	if uint64(len(p)) > self.inlineLimit() {
		if w.err = appendBlob(w.blob, p); w.err != nil {
			return 0, w.err
		}
	} else {
		w.buffer = append(w.buffer, p...)
	}
	return len(p), nil
}

// WriteString adds the bytes of s.
func (w *Writer) WriteString(s string) (int, error) {
	if uint64(len(s)) > self.inlineLimit() {
		return w.Write([]byte(s))
	}
	if err := w.reserve(len(s)); err != nil {
		return 0, err
	}
	w.buffer = append(w.buffer, s...)
	return len(s), nil
}

// WriteByte adds one byte.
func (w *Writer) WriteByte(b byte) error {
	if err := w.reserve(1); err != nil {
		return err
	}
	w.buffer = append(w.buffer, b)
	return nil
}

// Content is what was written. The writer must not be written to afterwards.
func (w *Writer) Content() (Content, error) {
	if w.blob == nil {
		return Content{inline: w.buffer}, w.err
	}
	if w.err == nil {
		w.flush()
	}
	return Content{blob: w.blob, epoch: w.epoch}, w.err
}

// reserve makes room for n more bytes: what is buffered goes to the host if it
// would exceed the inline limit with them.
func (w *Writer) reserve(n int) error {
	if w.epoch == 0 {
		w.epoch = self.epoch
	}
	if w.err == nil && w.epoch != self.epoch {
		w.err = ErrExpired
	}
	if w.err == nil && uint64(len(w.buffer)+n) > self.inlineLimit() {
		w.flush()
	}
	return w.err
}

// flush moves the buffer into the blob.
func (w *Writer) flush() {
	if w.blob == nil {
		w.blob, w.err = newBlob(w.buffer)
	} else {
		w.err = appendBlob(w.blob, w.buffer)
	}
	w.buffer = w.buffer[:0]
}

// newBlob makes a blob of the host with some content.
func newBlob(data []byte) (*abi.Blob, error) {
	handle, err := countOf("blob_new", hostBlobNew())
	if err != nil {
		return nil, err
	}
	blob := &abi.Blob{Handle: uint32(handle)}
	return blob, appendBlob(blob, data)
}

func appendBlob(blob *abi.Blob, data []byte) error {
	for len(data) > 0 {
		n, err := countOf("blob_write", hostBlobWrite(blob.Handle, data))
		if err != nil {
			return err
		}
		if n == 0 || n > len(data) {
			return io.ErrShortWrite
		}
		blob.Size += uint64(n)
		data = data[n:]
	}
	return nil
}
