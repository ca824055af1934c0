package enginetest

import (
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// page is a page of WebAssembly memory in bytes.
const page = engine.PageSize

var memoryTests = []test{
	{"a view is there when all of it is inside the memory", nothing, viewBounds},
	{"a view aliases the memory of the guest", nothing, viewAliases},
	{"a memory sees itself grow", nothing, memoryGrows},
	{"a memory doesn't grow beyond the maximum of the module", nothing, moduleMaximum},
	{"a memory doesn't grow beyond the limit of the engine", memoryLimit, engineLimit},
	{"a module may allow more memory than the engine", memoryLimit, wideMaximum},
	{"the host grows a memory, up to the maximum of the module", nothing, hostGrows},
	{"the host doesn't grow a memory beyond the limit of the engine", memoryLimit, hostGrowsToLimit},
	{"a memory under another name isn't the memory", nothing, otherMemory},
	{"a module without memory has none", nothing, func(t *testing.T, s *suite) {
		if m := s.instance(t, "numbers").Memory(); m != nil {
			t.Errorf("got %v", m)
		}
	}},
	{"an echo gives back what went in", nothing, echoes},
}

func viewBounds(t *testing.T, s *suite) {
	m := s.instance(t, "memory").Memory()
	if m.Size() != page {
		t.Fatalf("size %d, want %d", m.Size(), page)
	}
	for _, test := range []struct {
		offset, n uint32
		ok        bool
	}{
		{0, 0, true},
		{0, page, true},
		{16, 7, true},
		{page - 1, 1, true},
		{page, 0, true},
		{0, page + 1, false},
		{page - 1, 2, false},
		{page, 1, false},
		{page + 1, 0, false},
		{0, math.MaxUint32, false},
		{math.MaxUint32, 0, false},
		{math.MaxUint32, 1, false},
		{math.MaxUint32, math.MaxUint32, false},
		{16, math.MaxUint32 - 15, false}, // 16 + n is 0 in 32 bits
		{16, math.MaxUint32 - 8, false},  // and 7 here
	} {
		view, ok := m.View(test.offset, test.n)
		if ok != test.ok || ok && uint32(len(view)) != test.n || !ok && view != nil {
			t.Errorf("View(%d, %d): %d bytes, %v", test.offset, test.n, len(view), ok)
		}
	}
}

func viewAliases(t *testing.T, s *suite) {
	in := s.instance(t, "memory")
	view, _ := in.Memory().View(100, 2)
	view[0] = 42
	if got := call32(t, in, "load", 100); got != 42 {
		t.Errorf("the guest sees %d, want 42", got)
	}
	call(t, in, "store", 101, 43)
	if view, _ = in.Memory().View(100, 2); view[1] != 43 {
		t.Errorf("the host sees %d, want 43", view[1])
	}
	if view = append(view, 99); call32(t, in, "load", 102) == 99 {
		t.Errorf("appending to a view of %d bytes writes to the guest", len(view)-1)
	}
}

func memoryGrows(t *testing.T, s *suite) {
	in := s.instance(t, "memory")
	m := in.Memory()
	if got := call32(t, in, "grow", 1); got != 1 {
		t.Fatalf("grow(1) = %d, want 1", int32(got))
	}
	if m.Size() != 2*page {
		t.Errorf("size %d, want %d", m.Size(), 2*page)
	}
	view, ok := m.View(2*page-1, 1)
	if !ok {
		t.Fatal("the last byte of the new page isn't there")
	}
	view[0] = 7
	if got := call32(t, in, "load", 2*page-1); got != 7 {
		t.Errorf("the guest sees %d, want 7", got)
	}
	if _, ok := m.View(2*page-1, 2); ok {
		t.Error("there is a byte after the last page")
	}
}

func moduleMaximum(t *testing.T, s *suite) {
	in := s.instance(t, "memory")
	if got := int32(call32(t, in, "grow", 3)); got != -1 {
		t.Errorf("grow(3) = %d, want -1", got)
	}
	if got := in.Memory().Size(); got != page {
		t.Errorf("size %d, want %d", got, page)
	}
	if got := int32(call32(t, in, "grow", 2)); got != 1 {
		t.Errorf("grow(2) = %d, want 1", got)
	}
}

func engineLimit(t *testing.T, s *suite) {
	growsToLimit(t, s, "unbounded")
}

func wideMaximum(t *testing.T, s *suite) {
	growsToLimit(t, s, "wide")
}

func growsToLimit(t *testing.T, s *suite, guest string) {
	t.Helper()
	in := s.instance(t, guest)
	limit := uint64(s.options.MemoryLimit)
	if got := int32(call32(t, in, "grow", limit)); got != -1 {
		t.Errorf("grow beyond the limit = %d, want -1", got)
	}
	if got := int32(call32(t, in, "grow", limit-1)); got != 1 {
		t.Errorf("grow to the limit = %d, want 1", got)
	}
	if got := in.Memory().Size(); got != limit*page {
		t.Errorf("size %d, want %d", got, limit*page)
	}
}

func hostGrows(t *testing.T, s *suite) {
	in := s.instance(t, "memory")
	m := in.Memory()
	call(t, in, "store", page-1, 5)
	for _, pages := range []uint32{3, 65536, math.MaxUint32} {
		if m.Grow(pages) {
			t.Errorf("it grows by %d pages", pages)
		}
	}
	if !m.Grow(0) || !m.Grow(1) || m.Size() != 2*page {
		t.Fatalf("size %d, want %d", m.Size(), 2*page)
	}
	view, _ := m.View(page-1, 2)
	if view[0] != 5 || view[1] != 0 {
		t.Errorf("it holds %v, want 5 and 0", view)
	}
	view[1] = 6
	if got := call32(t, in, "load", page); got != 6 {
		t.Errorf("the guest sees %d, want 6", got)
	}
	if got := int32(call32(t, in, "grow", 1)); got != 2 {
		t.Errorf("the guest's grow(1) = %d, want 2", got)
	}
	if m.Grow(1) || m.Size() != 3*page {
		t.Errorf("size %d, want %d", m.Size(), 3*page)
	}
}

func hostGrowsToLimit(t *testing.T, s *suite) {
	m, limit := s.instance(t, "unbounded").Memory(), s.options.MemoryLimit
	if m.Grow(limit) || !m.Grow(limit-1) || m.Grow(1) {
		t.Errorf("size %d, want %d", m.Size(), limit*page)
	}
}

func otherMemory(t *testing.T, s *suite) {
	in := s.instance(t, "other-memory")
	if m := in.Memory(); m != nil {
		t.Errorf("got %v", m)
	}
	call(t, in, "memory")
}

func echoes(t *testing.T, s *suite) {
	in := s.instance(t, "memory")
	view, _ := in.Memory().View(1000, 5)
	copy(view, "hello")
	packed := call(t, in, "echo", 1000, 5)[0]
	got, ok := in.Memory().View(uint32(packed>>32), uint32(packed))
	if !ok || string(got) != "hello" {
		t.Errorf("got %q, %v", got, ok)
	}
}
