package wasi

import (
	"errors"
	"io"
)

// An Output is what a guest has written to a stream between two drains.
type Output struct {
	Bytes []byte // at most as many as the stream's limit
	Total uint64 // how many were written
}

// An output is standard output or error.
type output struct {
	to   io.Writer // nil: it is kept
	kept keeper
}

// A keeper is what keeps a part of what is written.
type keeper interface {
	write([]byte)
	drain() Output
	overflowed() bool
}

// write fails with EPIPE when nobody reads any more, and with an error that ends
// the guest's call.
func (o *output) write(b []byte) (errno, error) {
	if o.to == nil {
		o.kept.write(b)
		return success, nil
	}
	if len(b) == 0 {
		return success, nil
	}
	_, err := o.to.Write(b)
	if errors.Is(err, io.ErrClosedPipe) {
		return epipe, nil
	}
	return success, err
}

func (o *output) overflowed() bool { return o.kept.overflowed() }

// A head keeps the first bytes of a stream.
type head struct {
	limit int
	kept  []byte
	total uint64
}

func (h *head) write(b []byte) {
	h.total += uint64(len(b))
	h.kept = append(h.kept, b[:min(len(b), h.limit-len(h.kept))]...)
}

func (h *head) drain() Output {
	out := Output{Bytes: h.kept, Total: h.total}
	h.kept, h.total = nil, 0
	return out
}

func (h *head) overflowed() bool { return h.total > uint64(h.limit) }

// A tail keeps the last bytes of a stream. It holds up to twice the limit, so
// that bytes aren't moved on each write.
type tail struct {
	limit int
	kept  []byte
	total uint64
}

func (t *tail) write(b []byte) {
	t.total += uint64(len(b))
	b = b[max(len(b)-t.limit, 0):]
	if len(t.kept)+len(b) > 2*t.limit {
		t.kept = append(t.kept[:0], t.last()...)
	}
	t.kept = append(t.kept, b...)
}

func (t *tail) last() []byte { return t.kept[max(len(t.kept)-t.limit, 0):] }

func (t *tail) drain() Output {
	out := Output{Bytes: t.last(), Total: t.total}
	t.kept, t.total = nil, 0
	return out
}

func (t *tail) overflowed() bool { return t.total > uint64(t.limit) }
