package host_test

import (
	"context"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// While another goroutine's call runs, there is no checkpoint: a responder may take for
// ever. Who asks while a matcher runs waits for its turn, as other calls do.
func TestACheckpointWhileAnotherCallRuns(t *testing.T) {
	t.Run("its responder", func(t *testing.T) {
		begun, proceed := make(chan struct{}), make(chan struct{})
		s := newSession(t, []host.Step{respond(func(context.Context, host.Call) (any, error) {
			close(begun)
			<-proceed
			return host.ExecResult{}, nil
		})})
		done := make(chan error)
		go func() {
			_, err := s.Exec(t.Context(), host.ExecRequest{})
			done <- err
		}()
		<-begun
		_, err := s.Checkpoint(t.Context())
		wantCheckpointError(t, err, host.CheckpointBusy, "")
		close(proceed)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if c := checkpoint(t, s); len(fork(t, c).Calls()) != 1 {
			t.Error("the call isn't in the history")
		}
	})
	t.Run("its matcher", func(t *testing.T) {
		begun, proceed := make(chan struct{}), make(chan struct{})
		s := newSession(t, []host.Step{matching(host.MatcherFunc(func(context.Context, host.Call) (host.Verdict, error) {
			close(begun)
			<-proceed
			return host.Accept(), nil
		}))})
		called := make(chan error)
		go func() {
			_, err := s.Exec(t.Context(), host.ExecRequest{})
			called <- err
		}()
		<-begun
		ctx, cancel := context.WithCancel(t.Context())
		asked := make(chan error)
		go func() {
			_, err := s.Checkpoint(ctx)
			asked <- err
		}()
		cancel()
		if err := <-asked; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		go func() { // it gets its turn, when the call may have ended or not
			_, err := s.Checkpoint(t.Context())
			asked <- err
		}()
		close(proceed)
		if err := <-asked; err != nil && !errors.Is(err, host.CheckpointBusy) {
			t.Errorf("%v", err)
		}
		if err := <-called; err != nil {
			t.Error(err)
		}
	})
}
