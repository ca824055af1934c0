package host_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// kitchen loads the kitchen-sink guest of a language, JavaScript included.
func kitchen(t *testing.T, language string) *host.Module {
	t.Helper()
	if language != "js" {
		module, err := host.Load(t.Context(), language, kitchenWasm(t, language))
		if err != nil {
			t.Fatal(err)
		}
		return module
	}
	const file = "../guest/js/kitchen/kitchen.js"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := host.DefaultRuntime()
	if err != nil {
		t.Fatal(err)
	}
	module, err := js.Load(t.Context(), runtime, language, file, source)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// The SDKs have words of their own for it; the host has the same error for all.
func TestAGuestThatWantsTooManyBlobsWentOverALimitInEveryLanguage(t *testing.T) {
	for _, language := range append([]string{"js"}, languages...) {
		t.Run(language, func(t *testing.T) {
			module := kitchen(t, language)
			respond := func(handler string) host.Outcome {
				r, err := module.Responder(handler)
				if err != nil {
					t.Fatal(err)
				}
				return host.Respond(r)
			}
			s := newSession(t, []host.Step{
				{Method: host.MethodExec, Outcome: respond("big")},      // in one piece
				{Method: host.MethodRead, Outcome: respond("generate")}, // in many
				{Method: host.MethodExec, Outcome: respond("broken")},
				{Method: host.MethodExec, Outcome: respond("big")},
			}, host.WithLimits(host.Limits{BlobBytes: 70_000}))

			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"300000", "0", "0"}})
			wantBlobBreach(t, err)
			_, err = s.Read(t.Context(), host.ReadRequest{Path: "100000"})
			wantBlobBreach(t, err)
			_, err = s.Exec(t.Context(), host.ExecRequest{})
			if e := wantGuestError(t, err, host.GuestFailed); e.Breach != nil || e.Message != "it's broken" {
				t.Errorf("of a later call: %q, %+v", e.Message, e.Breach)
			}
			result, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"66000", "0", "0"}})
			if err != nil || len(result.Stdout) != 66000 {
				t.Errorf("the guest doesn't live on: %d bytes, %v", len(result.Stdout), err)
			}
		})
	}
}

func wantBlobBreach(t *testing.T, err error) {
	t.Helper()
	e := wantGuestError(t, err, host.GuestLimit)
	if b := e.Breach; b == nil || b.Limit != host.LimitBlob || b.Allowed != 70_000 || b.Reached <= b.Allowed || !strings.HasSuffix(e.Message, b.String()) {
		t.Errorf("error %v of %+v", e, e.Breach)
	}
}

func TestARefusedBlobThatAGuestDiesOfIsToldWithItsTrap(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(refusedBlob(func(context.Context, *enginetest.FakeInstance, []uint64) error {
		return &engine.TrapError{Reason: "unreachable"}
	})))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithLimits(host.Limits{BlobBytes: 5}))
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	e := wantGuestError(t, err, host.GuestTrap)
	if want := (host.Breach{Limit: host.LimitBlob, Reached: 10, Allowed: 5}); e.Breach == nil || *e.Breach != want {
		t.Errorf("the breach is %+v, want %+v", e.Breach, want)
	}
}

func TestARefusedBlobThatAGuestDoesWithoutIsNoFailure(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(refusedBlob(replyWith(execReply("without")))))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithLimits(host.Limits{BlobBytes: 5}))
	if result, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil || string(result.Stdout) != "without" {
		t.Errorf("got %q, %v", result.Stdout, err)
	}
}

// refusedBlob is refused five bytes of ten that it wants for a blob, and does something
// then.
func refusedBlob(then fakeRun) fakeRun {
	return func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		handle := imports(ctx, in, abi.ImportBlobNew)
		if status := imports(ctx, in, abi.ImportBlobWrite, uint64(handle), 0, 10); status != int64(abi.StatusLimit) {
			return fmt.Errorf("status %d", status)
		}
		return then(ctx, in, stack)
	}
}
