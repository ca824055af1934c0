package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// hostileEndings answer their calls, and fail when their session is closed.
var hostileEndings = []hostileCase{
	{guest: "close_verdict", kind: host.GuestBadReply, text: "isn't done"},
	{guest: "close_error", kind: host.GuestFailed, text: "stay"},
	{guest: "close_undecodable", kind: host.GuestBadReply},
	{guest: "close_outside", kind: host.GuestBadPointer},
	{guest: "trap_close", kind: host.GuestTrap, text: "unreachable"},
	{guest: "exit_close", kind: host.GuestExit},
	{guest: "fail_close", kind: host.GuestPanic, text: "kaboom"},
	{guest: "loop_close", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
}

func TestHostileEndingsFailOnlyTheClosing(t *testing.T) {
	runHostile(t, hostileEndings, (*hostileCase).close)
}

// close has the guest work in a session of its own, with an honest one that is closed
// after it.
func (c *hostileCase) close(t *testing.T, w *hostileWorld) {
	t.Helper()
	m, r := w.handlers(t, c.guest)
	_, honest := w.handlers(t, "honest")
	s := w.session(t,
		host.Step{Method: host.MethodExec, Match: m, Outcome: host.Respond(r)},
		host.Step{Method: host.MethodExec, Outcome: host.Respond(honest)})
	for range 2 {
		if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	w.checkOpen(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	if c.endless {
		ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	}
	defer cancel()
	var err error
	inTime(t, func() { err = s.Close(ctx) })
	e, ok := errors.AsType[*host.GuestError](err)
	if !ok || e.Kind != c.kind || !strings.Contains(e.Message, c.text) {
		t.Fatalf("error %v, want the kind %q and %q", err, c.kind, c.text)
	}
	if e.Module != c.guest || e.Handler != "" || e.Call != -1 || e.Export != abi.ExportClose {
		t.Errorf("it fails at %q, %q, call %d, export %q", e.Module, e.Handler, e.Call, e.Export)
	}
	w.checkOpen(t, 0)
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("closing again: %v", err)
	}
}
