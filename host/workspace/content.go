package workspace

// content is the bytes of a file. Those that were handed out are never changed:
// what changes them then changes a copy.
type content struct {
	bytes  []byte
	shared int // so many bytes from the start were handed out, of what is in the array
}

func (c *content) size() int { return len(c.bytes) }

// share gives the bytes for good. What is written behind them goes on in the same
// array.
func (c *content) share() []byte {
	c.shared = max(c.shared, len(c.bytes))
	return c.bytes[:len(c.bytes):len(c.bytes)]
}

// replace makes the content these bytes, which belong to somebody else as well.
func (c *content) replace(bytes []byte) {
	c.bytes, c.shared = bytes[:len(bytes):len(bytes)], len(bytes)
}

// writeAt puts bytes at an offset, and zeros before them where there was nothing.
// Its size can't be more than an int.
func (c *content) writeAt(p []byte, offset int) {
	old := len(c.bytes)
	c.reserve(max(old, offset+len(p)), min(offset, old))
	if offset > old {
		clear(c.bytes[old:offset])
	}
	copy(c.bytes[offset:], p)
}

// resize cuts the content or fills it up with zeros.
func (c *content) resize(size int) {
	old := len(c.bytes)
	c.reserve(size, old)
	if size > old {
		clear(c.bytes[old:])
	}
}

// reserve makes the content that long, and its bytes from an offset on its own to be
// changed. Content that grows again and again has some room to do so, and content
// that shrinks may keep some, but never more than a quarter of its size. What is
// behind the old content is undefined.
func (c *content) reserve(size, from int) {
	old, room := c.bytes, cap(c.bytes)
	if size <= room && from >= c.shared && room-size <= size/4 {
		c.bytes = old[:size]
		return
	}
	room = size
	if size > len(old) && from == len(old) {
		room = max(size, len(old)+len(old)/4)
	}
	c.bytes = make([]byte, size, room)
	copy(c.bytes, old)
	c.shared = 0
}
