package guest

import (
	"io"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Stream is a file-like value: content and a position in it. It is what write
// brings, and what read returns.
type Stream struct {
	Content  Content // all of it, also what lies before the position
	Position uint64  // bytes from the start; may be past the end
	Text     bool    // made of text, not of bytes
}

// TextStream is a stream of text at its start.
func TextStream(text string) *Stream { return &Stream{Content: String(text), Text: true} }

// BytesStream is a stream of bytes at its start. It keeps b, as [Bytes] does.
func BytesStream(b []byte) *Stream { return &Stream{Content: Bytes(b)} }

// Reader reads the stream from its position, as the session's caller would.
func (s *Stream) Reader() *Reader {
	r := s.Content.Reader()
	r.offset = int64(s.Position)
	return r
}

// ReadAll is a copy of the bytes from the position to the end, which the caller
// owns.
func (s *Stream) ReadAll() ([]byte, error) {
	r := s.Reader()
	if r.Len() > maxReadAll {
		return nil, errTooLarge
	}
	data := make([]byte, r.Len())
	_, err := io.ReadFull(r, data)
	return data, err
}

func borrowStream(s *abi.Stream, epoch uint64) Stream {
	return Stream{Content: borrow(s.Content, epoch), Position: s.Position, Text: s.Text}
}
