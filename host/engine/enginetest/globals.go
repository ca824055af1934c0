package enginetest

import (
	"context"
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var globalTests = []test{
	{"globals of number types are found, with their types and bits", nothing, findsGlobals},
	{"what isn't a global of a number type isn't found", nothing, findsNoOthers},
	{"a global is changed on both sides", nothing, changesGlobals},
	{"a global of 32 bits has no upper half", nothing, narrowGlobals},
	{"a global keeps each bit of a NaN", nothing, keepsNaNs},
	{"a constant global can't be set", nothing, constantGlobals},
	{"globals belong to their instance", nothing, ownGlobals},
	{"a global of a closed instance does no harm", nothing, closedGlobals},
}

func global(t *testing.T, in engine.Instance, name string) engine.Global {
	t.Helper()
	g, ok := in.Global(name)
	if !ok {
		t.Fatalf("the global %q isn't found", name)
	}
	return g
}

func wantBits(t *testing.T, g engine.Global, want uint64) {
	t.Helper()
	if got := g.Get(); got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

func findsGlobals(t *testing.T, s *suite) {
	in := s.instance(t, "globals")
	for _, test := range []struct {
		name string
		typ  engine.ValueType
		bits uint64
	}{
		{"i32", engine.I32, math.MaxUint32},
		{"i64", engine.I64, 0x1234_5678_9abc_def0},
		{"f32", engine.F32, uint64(math.Float32bits(1.5))},
		{"f64", engine.F64, math.Float64bits(-2.5)},
		{"constant", engine.I32, 7},
	} {
		g := global(t, in, test.name)
		if g.Type() != test.typ {
			t.Errorf("%s is of type %s", test.name, g.Type())
		}
		wantBits(t, g, test.bits)
	}
}

func findsNoOthers(t *testing.T, s *suite) {
	in := s.instance(t, "globals")
	for _, name := range []string{"", "missing", "get_i32", "vector", "function"} {
		if g, ok := in.Global(name); ok || g != nil {
			t.Errorf("%q: got %v, %v", name, g, ok)
		}
	}
}

func changesGlobals(t *testing.T, s *suite) {
	in := s.instance(t, "globals")
	g := global(t, in, "i64")
	if !g.Set(math.MaxUint64 - 1) {
		t.Error("it can't be set")
	}
	if got := call(t, in, "get_i64")[0]; got != math.MaxUint64-1 {
		t.Errorf("the guest sees %#x", got)
	}
	call(t, in, "set_i64", 77)
	wantBits(t, g, 77)
	wantBits(t, global(t, in, "i64"), 77)
}

func narrowGlobals(t *testing.T, s *suite) {
	in := s.instance(t, "globals")
	g := global(t, in, "i32")
	if !g.Set(0xffff_ffff_0000_0005) {
		t.Error("it can't be set")
	}
	wantBits(t, g, 5)
	if got := call32(t, in, "get_i32"); got != 5 {
		t.Errorf("the guest sees %#x", got)
	}
}

func keepsNaNs(t *testing.T, s *suite) {
	in := s.instance(t, "globals")
	for name, bits := range map[string]uint64{"f32": 0x7fa0_0001, "f64": 0xfff0_0000_0000_0001} {
		g := global(t, in, name)
		if !g.Set(bits) {
			t.Error("it can't be set")
		}
		wantBits(t, g, bits)
	}
}

func constantGlobals(t *testing.T, s *suite) {
	g := global(t, s.instance(t, "globals"), "constant")
	if g.Set(8) {
		t.Error("it can be set")
	}
	wantBits(t, g, 7)
}

func ownGlobals(t *testing.T, s *suite) {
	m := s.module(t, "globals")
	one, two := instantiate(t, m, nil), instantiate(t, m, nil)
	global(t, one, "i64").Set(1)
	wantBits(t, global(t, two, "i64"), 0x1234_5678_9abc_def0)
}

func closedGlobals(t *testing.T, s *suite) {
	in := s.instance(t, "globals")
	g := global(t, in, "i64")
	if err := in.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	g.Get()
	g.Set(1)
	if g, ok := in.Global("i32"); ok {
		g.Get()
	}
}
