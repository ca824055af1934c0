package enginetest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var startTests = []test{
	{"the start section runs, and no export does", nothing, runsStartSection},
	{"a trap of the start function is the error of Instantiate", nothing, startTraps},
	{"a start function can call the host with its memory", nothing, startCallsHost},
	{"the error of a host function in the start function comes out", nothing, startPassesErrors},
	{"an import can be the start function", nothing, startIsImport},
	{"data that doesn't fit the memory is a trap", realWasm, dataOutside},
}

func runsStartSection(t *testing.T, s *suite) {
	got, _ := s.instance(t, "start").Memory().View(0, 3)
	if diff := cmp.Diff([]byte{1, 0, 0}, got); diff != "" {
		t.Errorf("start section, _start, _initialize (-want +got):\n%s", diff)
	}
}

func startTraps(t *testing.T, s *suite) {
	in, err := s.module(t, "start-trap").Instantiate(t.Context(), nil)
	if _, ok := errors.AsType[*engine.TrapError](err); !ok || in != nil {
		t.Errorf("got %v and the error %v, want a *TrapError", in, err)
	}
}

func startCallsHost(t *testing.T, s *suite) {
	var said string
	read := note(func(_ context.Context, caller engine.Instance, stack []uint64) error {
		view, _ := caller.Memory().View(uint32(stack[0]), 5)
		said = string(view) + " " + caller.Data().(string)
		stack[0] = 77
		return nil
	})
	in := instantiate(t, s.module(t, "start-host", read), "world")
	if said != "hello world" {
		t.Errorf("the host heard %q", said)
	}
	if view, _ := in.Memory().View(0, 1); view[0] != 77 {
		t.Errorf("the guest got %d, want 77", view[0])
	}
}

func startPassesErrors(t *testing.T, s *suite) {
	want := errors.New("enough")
	fail := note(func(context.Context, engine.Instance, []uint64) error { return want })
	if _, err := s.module(t, "start-host", fail).Instantiate(t.Context(), nil); !errors.Is(err, want) {
		t.Errorf("error %v, want one that wraps %v", err, want)
	}
}

func startIsImport(t *testing.T, s *suite) {
	var data any
	begin := engine.HostFunc{Module: "env", Name: "begin",
		Call: func(_ context.Context, caller engine.Instance, _ []uint64) error {
			data = caller.Data()
			return nil
		}}
	in := instantiate(t, s.module(t, "start-import", begin), "mine")
	if data != "mine" {
		t.Errorf("the host got %v, want mine", data)
	}
	if m := in.Memory(); m == nil || m.Size() != page {
		t.Errorf("the memory is %v", m)
	}
}

func dataOutside(t *testing.T, s *suite) {
	_, err := s.module(t, "data-outside").Instantiate(t.Context(), nil)
	if _, ok := errors.AsType[*engine.TrapError](err); !ok {
		t.Errorf("error %v, want a *TrapError", err)
	}
}
