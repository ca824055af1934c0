package guest

import "testing"

func TestInputBufferGrowsWithinItsBound(t *testing.T) {
	m := new(module)
	for _, size := range []int32{-1, -1 << 31, maxBuffer + 1, 1<<31 - 1} {
		if m.reserve(size) != nil {
			t.Errorf("%d bytes were reserved", size)
		}
	}
	if m.message(1) != nil {
		t.Error("a message before the buffer")
	}
	first := m.reserve(0)
	if len(first) != minBuffer || &m.reserve(minBuffer)[0] != &first[0] {
		t.Error("the buffer isn't kept")
	}
	if n := len(m.reserve(minBuffer + 1)); n != 2*minBuffer {
		t.Errorf("grew to %d", n)
	}
	if n := len(m.reserve(1 << 20)); n != 1<<20 {
		t.Errorf("grew to %d", n)
	}
	if m.message(-1) != nil || m.message(1<<20+1) != nil || len(m.message(7)) != 7 {
		t.Error("messages aren't bounded by the buffer")
	}
}
