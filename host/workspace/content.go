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
// Its size can't be more than an int. It needs what reserve does.
func (c *content) writeAt(p []byte, offset int, ready *reallocation) (needed *reallocation) {
	old := len(c.bytes)
	if needed := c.reserve(max(old, offset+len(p)), min(offset, old), offset, ready); needed != nil {
		return needed
	}
	copy(c.bytes[offset:], p)
	return nil
}

// resize cuts the content or fills it up with zeros. It needs what reserve does.
func (c *content) resize(size int, ready *reallocation) (needed *reallocation) {
	return c.reserve(size, len(c.bytes), size, ready)
}

// reserve makes the content that long, and its bytes from an offset on its own to be
// changed. Content that grows again and again has some room to do so, and content
// that shrinks may keep some, but never more than a quarter of its size. Behind the old
// content there are zeros up to another offset, and then anything.
//
// If much has to go to another array for it, which isn't the one that is ready, it gives
// the one that is needed, and has changed nothing. Otherwise it gives nil.
func (c *content) reserve(size, from, zeros int, ready *reallocation) (needed *reallocation) {
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
	if !ready.fits(old, size, room) {
		needed := &reallocation{from: c.share(), size: size, room: room}
		if room > maxUnderLock && !ready.isLast() {
			return needed
		}
		ready = needed
		ready.allocate()
	}
	c.bytes, c.shared = ready.array, 0
	return nil
}
