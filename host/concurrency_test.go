package host_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// S2.16, S3.3: however many goroutines call, each step answers one call, and in
// the order in which the calls were recorded.
func TestConcurrentCallsConsumeInTheirOrder(t *testing.T) {
	const n = 100
	var steps []host.Step
	for i := range n {
		steps = append(steps, host.Step{
			Method:  host.MethodExec,
			Match:   host.MatchFunc(func(c host.Call) bool { runtime.Gosched(); return c.Index() == i }),
			Outcome: stdout(strconv.Itoa(i)),
		})
	}
	s := newSession(t, steps)
	var group sync.WaitGroup
	var mu sync.Mutex
	got := map[string]string{} // by command
	for i := range n {
		group.Go(func() {
			command := strconv.Itoa(i)
			r, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{command}})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[command] = string(r.Stdout)
		})
	}
	group.Wait()
	wantComplete(t, s)
	for i, r := range s.History() {
		if r.Call.Index() != i || r.Step != i || got[r.Call.Args()[0].(string)] != strconv.Itoa(i) {
			t.Errorf("call #%d used step %d and got %q", i+1, r.Step, got[r.Call.Args()[0].(string)])
		}
	}
}

// S3.16: responders overlap; the second call may finish first.
func TestRespondersOverlap(t *testing.T) {
	started, proceed := make(chan struct{}), make(chan struct{})
	s := newSession(t, []host.Step{
		respond(func(context.Context, host.Call) (any, error) {
			close(started)
			<-proceed
			return host.ExecResult{Stdout: []byte("slow")}, nil
		}),
		respond(func(context.Context, host.Call) (any, error) { return host.ExecResult{Stdout: []byte("fast")}, nil }),
	})
	slow := make(chan string)
	go func() {
		r, _ := s.Exec(t.Context(), host.ExecRequest{})
		slow <- string(r.Stdout)
	}()
	<-started
	if r := execute(t, s); string(r.Stdout) != "fast" {
		t.Errorf("the second call got %q", r.Stdout)
	}
	wantComplete(t, s)
	close(proceed)
	if got := <-slow; got != "slow" {
		t.Errorf("the first call got %q", got)
	}
}

// S3.8, S3.16: a responder may call its session, which uses the next step.
func TestAResponderMayCallItsSession(t *testing.T) {
	var s *host.Scripted
	s = newSession(t, []host.Step{
		respond(func(ctx context.Context, _ host.Call) (any, error) {
			return s.Exec(ctx, host.ExecRequest{Command: []string{"inner"}})
		}),
		matching(host.MatchFunc(func(c host.Call) bool { return c.Args()[0] == "inner" })),
	})
	if r := execute(t, s, "outer"); string(r.Stdout) != "ok" {
		t.Errorf("stdout %q", r.Stdout)
	}
	wantComplete(t, s)
}

// A matcher that calls its session would wait for itself.
func TestAMatcherCantCallItsSession(t *testing.T) {
	var s, other *host.Scripted
	var inner error
	callBack := host.MatcherFunc(func(ctx context.Context, _ host.Call) (host.Verdict, error) {
		_, inner = s.Exec(ctx, host.ExecRequest{})
		return host.Accept(), nil
	})
	by := func(caller host.Matcher) host.MatcherFunc {
		return func(ctx context.Context, _ host.Call) (host.Verdict, error) {
			other = newSession(t, []host.Step{matching(caller)})
			_, err := other.Exec(ctx, host.ExecRequest{})
			return host.Accept(), err
		}
	}
	for name, matcher := range map[string]host.Matcher{"directly": callBack, "by way of another session": by(callBack)} {
		t.Run(name, func(t *testing.T) {
			inner = nil
			s = newSession(t, []host.Step{matching(matcher)})
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if _, err := s.Exec(ctx, host.ExecRequest{}); err != nil {
				t.Errorf("the call ends with %v", err)
			}
			if inner != host.ErrReentrantMatch {
				t.Errorf("the call in the matcher ends with %v", inner)
			}
			wantCalls(t, s, host.MethodExec)
		})
	}
}

// A context that has ended leaves no trace of the call; nor does one that ends
// while the call waits for its turn.
func TestContextsThatEnd(t *testing.T) {
	t.Run("before the call", func(t *testing.T) {
		s := newSession(t, answering(host.MethodExec))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Exec(ctx, host.ExecRequest{}); err != context.Canceled {
			t.Errorf("ends with %v", err)
		}
		wantCalls(t, s)
		wantRemaining(t, s, 1)
	})
	t.Run("while it waits for its turn", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			proceed := make(chan struct{})
			s := newSession(t, []host.Step{matching(host.MatchFunc(func(host.Call) bool { <-proceed; return true }))})
			go func() { _, _ = s.Exec(t.Context(), host.ExecRequest{}) }()
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			if _, err := s.Exec(ctx, host.ExecRequest{}); err != context.DeadlineExceeded {
				t.Errorf("ends with %v", err)
			}
			close(proceed)
			synctest.Wait()
			wantCalls(t, s, host.MethodExec)
			wantComplete(t, s)
		})
	})
	t.Run("after it: the result stays", func(t *testing.T) {
		s := newSession(t, append(answering(host.MethodRead), answering(host.MethodExec)...))
		ctx, cancel := context.WithCancel(t.Context())
		r, err := s.Read(ctx, host.ReadRequest{})
		cancel()
		if err != nil || readAll(t, r) != "contents" {
			t.Errorf("ends with %v", err)
		}
	})
}

// A session that is closed while a call waits for its turn doesn't answer it.
func TestCloseWhileACallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		s := newSession(t, append([]host.Step{matching(host.MatchFunc(func(host.Call) bool { <-proceed; return true }))},
			answering(host.MethodExec)...))
		var first, second error
		go func() { _, first = s.Exec(t.Context(), host.ExecRequest{}) }()
		synctest.Wait()
		go func() { _, second = s.Exec(t.Context(), host.ExecRequest{}) }()
		synctest.Wait()
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		close(proceed)
		synctest.Wait()
		if first != nil || second != host.ErrClosed {
			t.Errorf("the calls end with %v and %v", first, second)
		}
		wantCalls(t, s, host.MethodExec)
	})
}

// S2.15: a call is made when its method is entered, with the arguments of then.
func TestArgumentsAreThoseOfTheMoment(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodExec))
	command := []string{"before"}
	later := func() { _, _ = s.Exec(t.Context(), host.ExecRequest{Command: command}) }
	execute(t, s, "first")
	command[0] = "after"
	later()
	if got := s.Calls()[1].Args(); !slices.Equal(got, []any{"after"}) {
		t.Errorf("recorded %v", got)
	}
}

// What a matcher or responder does to its goroutine, it does to its call alone.
func TestPanicsAndEndedGoroutines(t *testing.T) {
	endings := map[string]func(){
		"panics":              func() { panic(errBoom) },
		"panics with nil":     func() { panic(nil) },
		"ends its goroutine":  runtime.Goexit,
		"fails at run time":   func() { _ = []int{}[len(t.Name())] },
		"panics with a value": func() { panic("secret") },
	}
	for name, end := range endings {
		for _, where := range []string{"matcher", "responder"} {
			t.Run("a "+where+" "+name, func(t *testing.T) {
				step := matching(host.MatchFunc(func(c host.Call) bool {
					if c.Index() == 0 {
						end()
					}
					return true
				}))
				remaining := 2
				if where == "responder" {
					step = respond(func(context.Context, host.Call) (any, error) { end(); return nil, nil })
					remaining = 1
				}
				s := newSession(t, append([]host.Step{step}, answering(host.MethodExec)...))
				returned, err := inGoroutine(func() error {
					_, err := s.Exec(t.Context(), host.ExecRequest{})
					return err
				})
				if name == "ends its goroutine" {
					if returned || s.History()[0].Done {
						t.Error("the call returned")
					}
				} else if p := errorAs[*host.PanicError](t, err); p.In != where || p.Value == nil || p.Error() != "host: panic in a "+where {
					t.Errorf("panic %+v", p)
				}
				if _, isErr := errors.AsType[*host.PanicError](err); isErr && name == "panics" && !errors.Is(err, errBoom) {
					t.Errorf("the value isn't behind %v", err)
				}
				wantRemaining(t, s, remaining) // S3.7, S3.11
				for range remaining {
					execute(t, s)
				}
			})
		}
	}
}

// inGoroutine tells what f returned, and whether it did.
func inGoroutine(f func() error) (returned bool, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = f()
		returned = true
	}()
	<-done
	return returned, err
}

// All that a session offers may be used at once; the race detector watches.
func TestEverythingAtOnce(t *testing.T) {
	var steps []host.Step
	for range 50 {
		steps = append(steps, answering(host.MethodExec, host.MethodWrite, host.MethodRead)...)
	}
	s := newSession(t, steps)
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			ctx := t.Context()
			for _, r := range []host.Request{&host.ExecRequest{}, &host.WriteRequest{Data: onlyReader("x")}, &host.ReadRequest{}} {
				_, _ = s.Do(ctx, r)
			}
			for _, r := range s.History() {
				_, _ = r.Call.Args(), r.Call.Kwargs()
			}
			_, _ = s.Calls(), s.PendingSteps()
			_, _, _ = s.AssertComplete(), s.RemainingSteps(), s.Methods()
			_ = s.Start(ctx)
			_ = s.RegisterPreStopHook(func(context.Context) error { return nil })
			_ = s.AddDependency(&closerFunc{func() error { return nil }})
			_, _ = s.RegisterPersistSkipPath("p" + strconv.Itoa(i))
			_, _, _ = s.PersistSkipPaths(), s.Manifest(), s.Running()
			_ = s.RunPreStopHooks(ctx)
			if i == 19 {
				_ = s.Close(ctx)
			}
		})
	}
	group.Wait()
}
