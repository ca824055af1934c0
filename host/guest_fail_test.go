package host_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
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
			fixed := host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})}
			step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
			s := newSession(t, []host.Step{fixed, step, step, fixed})
			execute(t, s)

			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			e := wantGuestError(t, err, test.kind)
			if e.Module != "fake" || e.Handler != "r" || e.Call != 1 || e.Export == "" {
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
