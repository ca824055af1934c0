package enginetest

import (
	"math"
	"testing"
)

var valueTests = []test{
	{"parameters go in and results come out", nothing, func(t *testing.T, s *suite) {
		if got := call32(t, s.instance(t, "numbers"), "add", 40, 2); got != 42 {
			t.Errorf("add(40, 2) = %d", got)
		}
	}},
	{"values of all types travel as raw bits", nothing, allTypes},
	{"there may be more results than parameters", nothing, moreResults},
	{"a function without parameters and results needs no stack", nothing, noStack},
	{"a stack that is too short is an error", nothing, shortStack},
	{"the upper half of a 32-bit parameter means nothing", nothing, func(t *testing.T, s *suite) {
		if got := call32(t, s.instance(t, "numbers"), "add", 0xdead_0000_0001, 0xbeef_0000_0002); got != 3 {
			t.Errorf("add = %d, want 3", got)
		}
	}},
	{"a function that isn't exported isn't found", nothing, notFound},
}

func allTypes(t *testing.T, s *suite) {
	in := s.instance(t, "numbers")
	want := []uint64{0xffff_ffff, math.MaxUint64, 0x7fa0_0001, 0xfff0_0000_0000_0001}
	got := call(t, in, "all", want...)
	for i := range want {
		if i%2 == 0 { // 32 bits
			got[i] = uint64(uint32(got[i]))
		}
		if got[i] != want[i] {
			t.Errorf("result %d is %#x, want %#x", i, got[i], want[i])
		}
	}
}

func moreResults(t *testing.T, s *suite) {
	got := call(t, s.instance(t, "numbers"), "split", 0x1111_1111_2222_2222)
	if uint32(got[0]) != 0x2222_2222 || uint32(got[1]) != 0x1111_1111 || uint32(got[2]) != 7 {
		t.Errorf("got %#x", got[:3])
	}
}

func noStack(t *testing.T, s *suite) {
	if err := function(t, s.instance(t, "numbers"), "nothing").Call(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func shortStack(t *testing.T, s *suite) {
	if err := function(t, s.instance(t, "numbers"), "split").Call(t.Context(), make([]uint64, 1)); err == nil {
		t.Error("no error")
	}
}

func notFound(t *testing.T, s *suite) {
	in := s.instance(t, "memory")
	for _, name := range []string{"", "missing", "memory"} {
		if f, ok := in.Function(name); ok || f != nil {
			t.Errorf("%q: got %v, %v", name, f, ok)
		}
	}
}
