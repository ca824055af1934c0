package host_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// Who ends a call for a reason finds the reason in its error, and the usual one as well.
func TestTheErrorOfACallThatWasEndedHasTheReason(t *testing.T) {
	enough := errors.New("enough")
	loops := withPrograms(t, host.Workspace{})
	for name, test := range map[string]struct {
		session *host.Scripted
		call    func(context.Context, *host.Scripted) error
		before  bool // it is ended
	}{
		"before it was made": {loops, callsExec("true"), true},
		"in a command":       {loops, callsExec("while :; do :; done"), false},
		"in a program":       {loops, callsExec("./tool.wasm loop"), false},
		"in a terminal": {loops, func(ctx context.Context, s *host.Scripted) error {
			_, err := s.PTYExecStart(ctx, host.PTYExecStartRequest{Command: []string{"while :; do :; done"}})
			return err
		}, false},
		"in a responder": {newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(host.ResponderFunc(
			func(ctx context.Context, _ host.Call) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}))}}), callsExec("x"), false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			if test.before {
				cancel(enough)
			} else {
				defer time.AfterFunc(20*time.Millisecond, func() { cancel(enough) }).Stop()
			}
			err := test.call(ctx, test.session)
			if !errors.Is(err, enough) || !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	if cancel(); callsExec("true")(ctx, loops) != context.Canceled {
		t.Error("an error without a reason is another")
	}
	ctx, cancelCause := context.WithCancelCause(t.Context())
	cancelCause(enough)
	if err := callsExec("true")(ctx, loops); err.Error() != context.Canceled.Error() {
		t.Errorf("the text is %q: it may have anything in it", err)
	}
}

func callsExec(command string) func(context.Context, *host.Scripted) error {
	return func(ctx context.Context, s *host.Scripted) error {
		_, err := s.Exec(ctx, host.ExecRequest{Command: []string{command}})
		return err
	}
}
