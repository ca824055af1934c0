package enginetest

import (
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var trapTests = []test{
	{"a trap has a reason and a stack that starts where it happened", nothing, trapsHaveStacks},
	{"a stack overflow is a trap", nothing, func(t *testing.T, s *suite) {
		trapOf(t, s.instance(t, "traps"), "stack")
	}},
	{"a call after a trap is never a panic", nothing, callsAfterTrap},
	{"a trap leaves other instances alone", nothing, trapsAreLocal},
}

// trapOf makes a call that has to trap, and gives the stack of the trap.
func trapOf(t *testing.T, in engine.Instance, name string) string {
	t.Helper()
	_, err := try(t.Context(), t, in, name)
	trap, ok := errors.AsType[*engine.TrapError](err)
	if !ok {
		t.Fatalf("%s: error %v, want a *TrapError", name, err)
	}
	if trap.Reason == "" || strings.Contains(trap.Reason, "\n") || trap.Err == nil {
		t.Errorf("%s: the reason is %q and the engine's own error %v", name, trap.Reason, trap.Err)
	}
	return trap.Stack
}

func trapsHaveStacks(t *testing.T, s *suite) {
	m := s.module(t, "traps")
	for _, name := range []string{
		"unreachable", "memory", "divide", "overflow", "convert", "null", "type", "table",
	} {
		stack := trapOf(t, instantiate(t, m, nil), name)
		frames := strings.Split(stack, "\n")
		if len(frames) < 2 || !strings.Contains(frames[0], "fault_"+name) {
			t.Errorf("%s: the stack is\n%s", name, stack)
		}
	}
}

func callsAfterTrap(t *testing.T, s *suite) {
	m := s.module(t, "traps")
	for _, name := range []string{"unreachable", "stack"} {
		in := instantiate(t, m, nil)
		for range 3 {
			trapOf(t, in, name)
			if stack, err := try(t.Context(), t, in, "fine"); err == nil && uint32(stack[0]) != 1 {
				t.Errorf("after %s: fine = %d", name, stack[0])
			}
		}
	}
}

func trapsAreLocal(t *testing.T, s *suite) {
	m := s.module(t, "traps")
	before := instantiate(t, m, nil)
	trapOf(t, instantiate(t, m, nil), "unreachable")
	for _, in := range []engine.Instance{before, instantiate(t, m, nil)} {
		if got := call32(t, in, "fine"); got != 1 {
			t.Errorf("fine = %d", got)
		}
	}
}
