package host_test

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

func TestLogsAreKeptUpToTheLimit(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		copy(in.Bytes(), "0123456789\xff")
		imports(ctx, in, abi.ImportLog, uint64(abi.LogWarn), 0, 11)
		for range 1000 {
			imports(ctx, in, abi.ImportLog, uint64(abi.LogInfo), 0, 10)
		}
		return replyWith(execReply(""))(ctx, in, stack)
	}))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}},
		host.WithLimits(host.Limits{LogBytes: 25}))
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	logs := s.History()[0].Logs
	if len(logs) != 3 || logs[0].Text != "0123456789\uFFFD" || logs[0].Level != host.LogWarn || logs[0].Module != "fake" {
		t.Fatalf("logs = %+v", logs)
	}
	if last := logs[2]; last.Text != "0123" || last.Dropped != 6+998*10 {
		t.Errorf("last = %+v", last)
	}
}

// The limit holds for a call, whatever the guest does for it; entries count, too.
func TestTheLogLimitIsThatOfACall(t *testing.T) {
	const entries = 12_000
	chatter := func(reply abi.Reply) fakeRun {
		return func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			for range entries {
				imports(ctx, in, abi.ImportLog, uint64(abi.LogInfo), 0, 1)
			}
			return replyWith(reply)(ctx, in, stack)
		}
	}
	m, r := fakeHandlers(t, fakeFuncs{
		abi.ExportOpen:    {Run: chatter(abi.Reply{Done: true})},
		abi.ExportMatch:   {Run: chatter(abi.Reply{Verdict: &abi.Verdict{}})},
		abi.ExportRespond: {Run: chatter(execReply(""))},
	})
	s := newSession(t, []host.Step{{Method: host.MethodExec, Match: m, Outcome: host.Respond(r)}})
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	logs := s.History()[0].Logs
	if len(logs) > 10_001 || logs[len(logs)-1].Dropped == 0 {
		t.Errorf("%d entries are kept, the last of which dropped %d bytes", len(logs), logs[len(logs)-1].Dropped)
	}
}

func TestAPanicReportIsBounded(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, _ []uint64) error {
		if status := imports(ctx, in, abi.ImportFail, 0, 2<<20); status != int64(abi.StatusLimit) {
			t.Errorf("status %d", status)
		}
		return &engine.TrapError{Reason: "unreachable"}
	}))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestPanic)
}

func TestErrorsOfADeadGuestStayShort(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, _ []uint64) error {
		reportPanic(ctx, in, strings.Repeat("long ", 1000))
		return nil
	}))
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s := newSession(t, []host.Step{step, step})
	for _, want := range []string{"guest fake: r: call #1: panicked: long ", "guest fake: r: call #2: is dead: it panicked in call #1"} {
		_, err := s.Exec(t.Context(), host.ExecRequest{})
		if text := err.Error(); !strings.HasPrefix(text, want) || len(text) > 500 {
			t.Errorf("text %.80q of %d bytes, want it to begin with %q", text, len(text), want)
		}
	}
}

func TestTheGuestsClockStopsAtTheLastTime(t *testing.T) {
	var times []int64
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		var call abi.Call
		if err := call.Unmarshal(in.Bytes()[inputAddress:][:stack[1]]); err != nil {
			return err
		}
		times = append(times, call.TimeNS)
		return replyWith(execReply(""))(ctx, in, stack)
	}))
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s := newSession(t, []host.Step{step, step}, host.WithStartTime(time.Date(2262, 4, 11, 23, 47, 16, 0, time.UTC)))
	for range 2 {
		if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if times[0] <= 0 || times[1] != math.MaxInt64 {
		t.Errorf("times %d", times)
	}
}

func TestTheEndOfStandardErrorIsKept(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		const text, vector, written = 0, 256, 512
		copy(in.Bytes()[text:], "a long trace, and the reason")
		binary.LittleEndian.PutUint32(in.Bytes()[vector:], text)
		binary.LittleEndian.PutUint32(in.Bytes()[vector+4:], 28)
		if err := in.Import(ctx, wasi.Module, "fd_write", []uint64{2, vector, 1, written}); err != nil {
			return err
		}
		return replyWith(execReply(""))(ctx, in, stack)
	}))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithLimits(host.Limits{LogBytes: 10}))
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	if logs := s.History()[0].Logs; len(logs) != 1 || logs[0].Text != "the reason" || logs[0].Dropped != 18 {
		t.Errorf("logs %+v", logs)
	}
}
