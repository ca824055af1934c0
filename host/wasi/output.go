package wasi

// An Output is what a guest has written to a stream between two drains.
type Output struct {
	Bytes []byte // at most as many as the stream's limit
	Total uint64 // how many were written
}

// Truncated reports whether some bytes weren't kept.
func (o Output) Truncated() bool { return o.Total > uint64(len(o.Bytes)) }

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
