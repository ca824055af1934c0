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
// Its size can't be more than an int. It fails as reserve does.
func (c *content) writeAt(p []byte, offset int, with *transfer) error {
	old := len(c.bytes)
	if err := c.reserve(max(old, offset+len(p)), min(offset, old), offset, with); err != nil {
		return err
	}
	copy(c.bytes[offset:], p)
	return nil
}

// resize cuts the content or fills it up with zeros. It fails as reserve does.
func (c *content) resize(size int, with *transfer) error {
	return c.reserve(size, len(c.bytes), size, with)
}

// reserve makes the content that long, and its bytes from an offset on its own to be
// changed. Content that grows again and again has some room to do so, and content
// that shrinks may keep some, but never more than a quarter of its size. Behind the old
// content there are zeros up to another offset, and then anything.
//
// If much has to go to another array for it, which the transfer hasn't made, it fails with
// the *transfer that is needed, and has changed nothing. nil has made none.
func (c *content) reserve(size, from, zeros int, with *transfer) error {
	old, room := c.bytes, cap(c.bytes)
	if size <= room && from >= c.shared && room-size <= size/4 {
		c.bytes = old[:size]
		if zeros > len(old) {
			clear(c.bytes[len(old):zeros])
		}
		return nil
	}
	room = size
	if size > len(old) {
		room = max(size, len(old)+len(old)/4)
	}
	if !with.fits(old, size, room) {
		needed := &transfer{from: c.share(), size: size, room: room}
		if room > mostTransferred && !with.isHasty() {
			return needed
		}
		with = needed
		with.make()
	}
	c.bytes, c.shared = with.made, 0
	return nil
}
