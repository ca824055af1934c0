package host_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
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

func respondWith(run fakeRun) fakeFuncs { return fakeFuncs{abi.ExportRespond: {Run: run}} }

// hostileResponders are guests that fail while they respond, with the error that
// is expected and whether the guest answers the next call.
var hostileResponders = []struct {
	name    string
	exports fakeFuncs
	kind    host.GuestErrorKind
	text    string // part of the message
	dies    bool
}{
	{"a reply outside of the memory", respondWith(answer(fakePages<<16<<32 | 1)), host.GuestBadPointer, "reply", true},
	{"a reply whose end overflows", respondWith(answer(0xffff_ffff<<32 | 0xff)), host.GuestBadPointer, "reply", true},
	{"a reply longer than the limit", respondWith(answer(0xffff_ffff)), host.GuestLimit, "longer", false},
	{"an empty reply", respondWith(answer(0)), host.GuestBadReply, "", true},
	{"a reply that isn't a message", respondWith(replyBytes([]byte{0xff, 0xff, 0xff})), host.GuestBadReply, "", true},
	{"a reply of another kind", respondWith(replyWith(abi.Reply{Verdict: &abi.Verdict{}})), host.GuestBadReply, "isn't an outcome", true},
	{"an outcome of another method", respondWith(replyWith(abi.Reply{Outcome: &abi.Outcome{Void: true}})), host.GuestBadReply, "exec", true},
	{"a blob that doesn't exist", respondWith(replyWith(execBlob(&abi.Blob{Handle: 7, Size: 1}))), host.GuestBadReply, "blob", true},
	{"a blob of another size", respondWith(blobReply(func(b *abi.Blob) { b.Size++ })), host.GuestBadReply, "size", true},
	{"a blob of another digest", respondWith(blobReply(func(b *abi.Blob) { b.SHA256 = make([]byte, 32) })), host.GuestBadReply, "digest", true},
	{"content inline that has to be a blob", respondWith(replyWith(execReply(strings.Repeat("x", 65<<10)))), host.GuestBadReply, "long enough", true},
	{"a trap", respondWith(func(context.Context, *enginetest.FakeInstance, []uint64) error {
		return &engine.TrapError{Reason: "unreachable", Stack: "main.f"}
	}), host.GuestTrap, "unreachable", true},
	{"a panic reported and answered all the same", respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		reportPanic(ctx, in, "kaboom")
		return replyWith(execReply("as if nothing"))(ctx, in, stack)
	}), host.GuestPanic, "kaboom", true},
	{"a panic reported before a trap", respondWith(func(ctx context.Context, in *enginetest.FakeInstance, _ []uint64) error {
		reportPanic(ctx, in, "kaboom")
		return &engine.TrapError{Reason: "unreachable"}
	}), host.GuestPanic, "kaboom", true},
	{"an error of the handler's own", respondWith(replyWith(guestErrorReply(abi.GuestHandlerFailed, "no luck"))), host.GuestFailed, "no luck", false},
	{"an unknown handler", respondWith(replyWith(guestErrorReply(abi.GuestUnknownHandler, ""))), host.GuestRefused, "", false},
	{"no input buffer of that size", fakeFuncs{abi.ExportBuffer: {Run: answer(0)}}, host.GuestLimit, "input buffer", false},
	{"an input buffer outside of the memory", fakeFuncs{abi.ExportBuffer: {Run: answer(fakePages << 16)}}, host.GuestBadPointer, "input buffer", true},
	{"an input buffer whose end overflows", fakeFuncs{abi.ExportBuffer: {Run: answer(0xffff_ffff)}}, host.GuestBadPointer, "input buffer", true},
	{"a refused configuration", fakeFuncs{abi.ExportOpen: {Run: replyWith(guestErrorReply(abi.GuestBadConfig, "no branch"))}}, host.GuestBadConfig, "no branch", true},
	{"an open whose handler fails", fakeFuncs{abi.ExportOpen: {Run: replyWith(guestErrorReply(abi.GuestHandlerFailed, "not yet"))}}, host.GuestFailed, "not yet", false},
	{"an open that answers an outcome", fakeFuncs{abi.ExportOpen: {Run: replyWith(execReply(""))}}, host.GuestBadReply, "isn't done", true},
}

func TestAHostileResponder(t *testing.T) {
	for _, test := range hostileResponders {
		t.Run(test.name, func(t *testing.T) {
			_, r := fakeHandlers(t, test.exports)
			step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
			s := newSession(t, []host.Step{step, step, {Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})}})

			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			e := wantGuestError(t, err, test.kind)
			if e.Module != "fake" || e.Handler != "r" || e.Call != 0 || e.Export == "" {
				t.Errorf("the error is at %q, %q, call %d, export %q", e.Module, e.Handler, e.Call, e.Export)
			}
			if !strings.Contains(e.Message, test.text) {
				t.Errorf("message %q, want it to have %q", e.Message, test.text)
			}
			if s.RemainingSteps() != 2 { // S10.3: a responder's step is consumed
				t.Errorf("%d steps remain, want 2", s.RemainingSteps())
			}

			_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			if test.dies {
				if dead := wantGuestError(t, err, host.GuestDead); !errors.Is(dead, test.kind) {
					t.Errorf("the first failure isn't behind %v", err)
				}
			} else if !errors.Is(err, test.kind) { // it lives on, to do the same again
				t.Errorf("after the failure: %v", err)
			}
			if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}}); err != nil {
				t.Errorf("the session can't be used after: %v", err)
			}
		})
	}
}

// S10.3, S3.7: a matcher that fails keeps the step.
func TestAHostileMatcherKeepsTheStep(t *testing.T) {
	m, _ := fakeHandlers(t, fakeFuncs{abi.ExportMatch: {Run: replyWith(execReply("not a verdict"))}})
	s := newSession(t, []host.Step{{Method: host.MethodExec, Match: m, Outcome: host.Return(host.ExecResult{})}})

	_, err := s.Exec(t.Context(), host.ExecRequest{})
	if e := wantGuestError(t, err, host.GuestBadReply); e.Handler != "m" || e.Export != abi.ExportMatch {
		t.Errorf("the error is at %q, export %q", e.Handler, e.Export)
	}
	if s.RemainingSteps() != 1 {
		t.Errorf("%d steps remain, want 1", s.RemainingSteps())
	}
}

func TestAGuestThatCantBeInterruptedBeforeItOpensMayTryAgain(t *testing.T) {
	attempts := 0
	_, r := fakeHandlers(t, fakeFuncs{abi.ExportOpen: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		if attempts++; attempts == 1 {
			return context.DeadlineExceeded
		}
		return replyWith(abi.Reply{Done: true})(ctx, in, stack)
	}}})
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s := newSession(t, []host.Step{step, step})

	_, err := s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestInterrupted)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v isn't the context's error", err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Errorf("the second call: %v", err)
	}
}

func TestImportsAnswerWithAStatusAndNeverEndTheGuest(t *testing.T) {
	const outside, huge = fakePages << 16, 0xffff_ffff
	tests := []struct {
		name   string
		call   string
		args   []uint64
		status int64
	}{
		{"log outside of the memory", abi.ImportLog, []uint64{1, outside, 1}, int64(abi.StatusBadPointer)},
		{"log of an overflowing length", abi.ImportLog, []uint64{1, 8, huge}, int64(abi.StatusBadPointer)},
		{"log of an unknown level", abi.ImportLog, []uint64{9, 0, 1}, int64(abi.StatusBadArgument)},
		{"log of nothing", abi.ImportLog, []uint64{0, 0, 0}, 0},
		{"length of no blob", abi.ImportBlobLen, []uint64{0}, int64(abi.StatusBadHandle)},
		{"length of a blob that isn't", abi.ImportBlobLen, []uint64{huge}, int64(abi.StatusBadHandle)},
		{"length of the call's blob", abi.ImportBlobLen, []uint64{1}, 100_000},
		{"read of no blob", abi.ImportBlobRead, []uint64{5, 0, 0, 1}, int64(abi.StatusBadHandle)},
		{"read from a negative offset", abi.ImportBlobRead, []uint64{1, 1 << 63, 0, 1}, int64(abi.StatusBadArgument)},
		{"read from past the end", abi.ImportBlobRead, []uint64{1, 1 << 40, 0, 1}, 0},
		{"read across the end", abi.ImportBlobRead, []uint64{1, 99_990, 0, 100}, 10},
		{"read outside of the memory", abi.ImportBlobRead, []uint64{1, 0, outside - 1, 2}, int64(abi.StatusBadPointer)},
		{"write to the host's blob", abi.ImportBlobWrite, []uint64{1, 0, 1}, int64(abi.StatusBadHandle)},
		{"write outside of the memory", abi.ImportBlobWrite, []uint64{1, outside, 1}, int64(abi.StatusBadPointer)},
		{"a new blob", abi.ImportBlobNew, nil, 2},
		{"an unknown extension", abi.ImportExtension, []uint64{1, 0, 0}, int64(abi.StatusUnsupported)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var status int64
			_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
				status = imports(ctx, in, test.call, test.args...)
				return replyWith(abi.Reply{Outcome: &abi.Outcome{Void: true}})(ctx, in, stack)
			}))
			s := newSession(t, []host.Step{{Method: host.MethodWrite, Outcome: host.Respond(r)}})
			if err := s.Write(t.Context(), host.WriteRequest{Data: bytes.NewReader(make([]byte, 100_000))}); err != nil {
				t.Fatal(err)
			}
			if status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
		})
	}
}

func TestABlobOfTheCallComesBackUntouched(t *testing.T) {
	data := strings.Repeat("0123456789", 20_000)
	var seen *abi.Blob
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		var call abi.Call
		if err := call.Unmarshal(in.Bytes()[inputAddress:][:stack[1]]); err != nil {
			return err
		}
		if call.Method() == abi.Write {
			seen = call.Request.(*abi.WriteRequest).Data.Content.Blob
			return replyWith(abi.Reply{Outcome: &abi.Outcome{Void: true}})(ctx, in, stack)
		}
		return replyWith(execBlob(&abi.Blob{Handle: 1, Size: seen.Size}))(ctx, in, stack) // died with its call
	}))
	s := newSession(t, []host.Step{
		{Method: host.MethodWrite, Outcome: host.Respond(r)},
		{Method: host.MethodExec, Outcome: host.Respond(r)},
	})
	if err := s.Write(t.Context(), host.WriteRequest{Data: strings.NewReader(data)}); err != nil {
		t.Fatal(err)
	}
	if seen == nil || seen.Size != uint64(len(data)) || len(seen.SHA256) != 32 {
		t.Fatalf("the guest saw %+v", seen)
	}
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestBadReply)
}

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

func TestCloseDoesntHangOnAGuestThatWorks(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	closed := make(chan struct{})
	_, r := fakeHandlers(t, fakeFuncs{
		abi.ExportRespond: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			close(started)
			<-finish
			return replyWith(execReply("late"))(ctx, in, stack)
		}},
	})
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(closed)
		if _, err := s.Exec(context.Background(), host.ExecRequest{}); err != nil {
			t.Errorf("the call in progress: %v", err)
		}
	}()
	<-started
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close = %v", err)
	}
	close(finish)
	<-closed
}

func wantGuestError(t *testing.T, err error, kind host.GuestErrorKind) *host.GuestError {
	t.Helper()
	e, ok := errors.AsType[*host.GuestError](err)
	if !ok || !errors.Is(err, kind) || e.Kind != kind {
		t.Fatalf("error %v (%T), want the kind %q", err, err, kind)
	}
	return e
}

func guestErrorReply(kind abi.GuestErrorKind, message string) abi.Reply {
	return abi.Reply{Error: &abi.GuestError{Kind: kind, Message: message}}
}

func execBlob(blob *abi.Blob) abi.Reply {
	return abi.Reply{Outcome: &abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Blob: blob}}}}
}

// blobReply writes a blob, and changes what it says of it.
func blobReply(change func(*abi.Blob)) fakeRun {
	return func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		handle := imports(ctx, in, abi.ImportBlobNew)
		imports(ctx, in, abi.ImportBlobWrite, uint64(handle), 0, 10)
		blob := &abi.Blob{Handle: uint32(handle), Size: 10}
		change(blob)
		return replyWith(execBlob(blob))(ctx, in, stack)
	}
}

func reportPanic(ctx context.Context, in *enginetest.FakeInstance, message string) {
	p := abi.Panic{Message: message, File: "main.go", Line: 7}
	n := copy(in.Bytes(), p.Append(nil))
	imports(ctx, in, abi.ImportFail, 0, uint64(n))
}

func TestAGuestThatWontCloseIsInterrupted(t *testing.T) {
	_, r := fakeHandlers(t, fakeFuncs{abi.ExportClose: {Run: func(ctx context.Context, _ *enginetest.FakeInstance, _ []uint64) error {
		if _, bounded := ctx.Deadline(); !bounded {
			return errors.New("the context would last for ever")
		}
		return context.DeadlineExceeded // as if it had been reached
	}}})
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	if e := wantGuestError(t, s.Close(context.Background()), host.GuestInterrupted); e.Export != abi.ExportClose || e.Call != -1 {
		t.Errorf("it is in %s, call %d", e.Export, e.Call)
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

func TestAHandlerThatComesFromNoModuleCantBeUsed(t *testing.T) {
	for name, step := range map[string]host.Step{
		"matcher":   {Method: host.MethodExec, Match: &host.GuestMatcher{}, Outcome: host.Return(host.ExecResult{})},
		"responder": {Method: host.MethodExec, Outcome: host.Respond(&host.GuestResponder{})},
	} {
		if _, err := host.NewScripted([]host.Step{step}); !errors.Is(err, host.ModuleHandlerMismatch) {
			t.Errorf("%s: error %v", name, err)
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

// Whatever becomes of an instance, the host closes it.
func TestEveryInstanceIsClosed(t *testing.T) {
	for _, test := range hostileResponders {
		t.Run(test.name, func(t *testing.T) {
			live := 0
			program := fakeGuest(test.exports)
			program.Start = func(context.Context, *enginetest.FakeInstance) error { live++; return nil }
			runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
				func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
					fake := enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": program}, imports...)
					return closeCounter{fake, &live}, nil
				}))
			if err != nil {
				t.Fatal(err)
			}
			module, err := runtime.Load(t.Context(), "fake", []byte("fake.wasm"))
			if err != nil {
				t.Fatal(err)
			}
			r, err := module.Responder("r")
			if err != nil {
				t.Fatal(err)
			}
			step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
			s, err := host.NewScripted([]host.Step{step, step, step})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				_, _ = s.Exec(t.Context(), host.ExecRequest{})
			}
			_ = s.Close(t.Context())
			if live != 0 {
				t.Errorf("%d instances are open", live)
			}
		})
	}
}

// closeCounter counts the instances that are closed, each once.
type closeCounter struct {
	engine.Engine
	live *int
}

func (e closeCounter) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	m, err := e.Engine.Compile(ctx, wasm)
	return countedModule{m, e.live}, err
}

type countedModule struct {
	engine.Module
	live *int
}

func (m countedModule) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	inst, err := m.Module.Instantiate(ctx, data)
	if err != nil {
		return nil, err
	}
	return &countedInstance{Instance: inst, live: m.live}, nil
}

type countedInstance struct {
	engine.Instance
	live   *int
	closed bool
}

func (i *countedInstance) Close(ctx context.Context) error {
	if !i.closed {
		i.closed = true
		*i.live--
	}
	return i.Instance.Close(ctx)
}

func TestAPanicReportedByTheStartFunctionEndsTheGuest(t *testing.T) {
	program := fakeGuest(nil)
	program.Start = func(ctx context.Context, in *enginetest.FakeInstance) error {
		reportPanic(ctx, in, "no config")
		return nil
	}
	_, err := loadFake(t, program)
	if e := wantModuleError(t, err, host.ModuleBadDescription); !strings.Contains(e.Error(), "no config") {
		t.Errorf("error %v", e)
	}
}

// Calls that wait for a guest when its session is closed don't reach it.
func TestCallsThatWaitForAGuestEndWithTheSession(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	served := 0
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		if served++; served == 1 {
			close(started)
			<-finish
		}
		return replyWith(execReply(""))(ctx, in, stack)
	}))
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s, err := host.NewScripted([]host.Step{step, step, step})
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 3)
	call := func() {
		_, err := s.Exec(context.Background(), host.ExecRequest{})
		errs <- err
	}
	go call()
	<-started
	go call()
	go call()
	for s.RemainingSteps() > 0 { // until both wait for the guest
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_ = s.Close(ctx)
	close(finish)
	dead := 0
	for range 3 {
		if err := <-errs; errors.Is(err, host.GuestDead) && errors.Is(err, host.ErrClosed) {
			dead++
		}
	}
	if dead != 2 || served != 1 {
		t.Errorf("%d calls found the guest dead, %d reached it", dead, served)
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

func TestAClosedRuntimeIsNotTheGuestsFault(t *testing.T) {
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": fakeGuest(nil)}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	module, err := runtime.Load(t.Context(), "fake", []byte("fake.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := module.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err := runtime.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); !errors.Is(err, host.ErrRuntimeClosed) {
		t.Errorf("the call: %v", err)
	}
	if _, err := runtime.Load(t.Context(), "again", []byte("fake.wasm")); !errors.Is(err, host.ErrRuntimeClosed) {
		t.Errorf("Load: %v", err)
	}
}
