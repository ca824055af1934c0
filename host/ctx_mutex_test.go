package host_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// S2.16: calls that wait get their turn in the order in which they came, without those that
// have given up.
func TestWaitingCallsAreAnsweredInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		wait := host.MatchFunc(func(c host.Call) bool {
			if c.Index() == 0 {
				<-proceed
			}
			return true
		})
		s := newSession(t, []host.Step{matching(wait), matching(wait), matching(wait), matching(wait)})
		call := func(ctx context.Context, name string, want error) {
			go func() {
				if _, err := s.Exec(ctx, host.ExecRequest{Command: []string{name}}); err != want {
					t.Errorf("%s ends with %v", name, err)
				}
			}()
			synctest.Wait()
		}
		ctx, cancel := context.WithCancel(t.Context())
		call(t.Context(), "first", nil)
		call(t.Context(), "second", nil)
		call(ctx, "gives up", context.Canceled)
		call(t.Context(), "third", nil)
		cancel()
		synctest.Wait()
		close(proceed)
		synctest.Wait()
		call(t.Context(), "fourth", nil) // the turn is free again

		var got []string
		for _, c := range s.Calls() {
			got = append(got, c.Args()[0].(string))
		}
		if want := []string{"first", "second", "third", "fourth"}; !slices.Equal(got, want) {
			t.Errorf("calls %q", got)
		}
		wantComplete(t, s)
	})
}

// S2.15: a call that waits for its turn has the arguments of the moment in which it was made.
func TestArgumentsOfACallThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		s := newSession(t, append([]host.Step{matching(host.MatchFunc(func(host.Call) bool { <-proceed; return true }))},
			answering(host.MethodExec)...))
		go func() { _, _ = s.Exec(t.Context(), host.ExecRequest{}) }()
		synctest.Wait()
		command := []string{"before"}
		go func() { _, _ = s.Exec(t.Context(), host.ExecRequest{Command: command}) }()
		synctest.Wait()
		command[0] = "after"
		close(proceed)
		synctest.Wait()
		if got := s.Calls()[1].Args(); !slices.Equal(got, []any{"before"}) {
			t.Errorf("recorded %v", got)
		}
	})
}
