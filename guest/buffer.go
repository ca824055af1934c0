package guest

const (
	minBuffer = 4 << 10
	maxBuffer = 64 << 20 // more than any message has that keeps to the host's limits
)

// reserve makes the input buffer hold at least size bytes, and returns it. It
// returns nil for a size that no message has.
func (m *module) reserve(size int32) []byte {
	if size < 0 || size > maxBuffer {
		return nil
	}
	if len(m.input) < int(size) || m.input == nil {
		m.input = make([]byte, max(minBuffer, 2*len(m.input), int(size)))
	}
	return m.input
}

// message is the first n bytes of the input buffer, or nil if they were never
// reserved.
func (m *module) message(n int32) []byte {
	if n < 0 || int(n) > len(m.input) {
		return nil
	}
	return m.input[:n:n]
}
