package host_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"runtime"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// S5.1, S5.8, S5.17: start, stop and shutdown flip the flag; closing ends it.
func TestStartAndStopSayWhetherASessionRuns(t *testing.T) {
	s := newSession(t, nil)
	ctx := t.Context()
	steps := []struct {
		name    string
		do      func(context.Context) error
		err     error
		running bool
	}{
		{"at first", func(context.Context) error { return nil }, nil, false},
		{"stopped before it started", s.Stop, nil, false},
		{"started", s.Start, nil, true},
		{"started again", s.Start, nil, true},
		{"stopped", s.Stop, nil, false},
		{"started after a stop", s.Start, nil, true},
		{"shut down", s.Shutdown, nil, false},
		{"started after a shutdown", s.Start, nil, true},
		{"closed", s.Close, nil, false},
		{"closed again", s.Close, nil, false},
		{"stopped after a close", s.Stop, nil, false},
		{"started after a close", s.Start, host.ErrClosed, false},
	}
	for _, step := range steps {
		if err := step.do(ctx); !errors.Is(err, step.err) || s.Running() != step.running {
			t.Errorf("%s: error %v, running %v", step.name, err, s.Running())
		}
	}
}

func TestStartLooksAtItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newSession(t, nil)
	if err := s.Start(ctx); err != context.Canceled || s.Running() {
		t.Errorf("error %v, running %v", err, s.Running())
	}
}

// S2.17: no lifecycle method is recorded or uses a step.
func TestLifecycleMethodsAreNotCalls(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodMkdir))
	ctx := t.Context()
	if err := errors.Join(s.Start(ctx), s.RunPreStopHooks(ctx), s.Stop(ctx), s.Shutdown(ctx),
		s.RegisterPreStopHook(func(context.Context) error { return nil }), s.AddDependency(io.NopCloser(nil))); err != nil {
		t.Fatal(err)
	}
	_, _ = s.RegisterPersistSkipPath("a")
	_, _ = s.NormalizePath("a")
	_ = s.PersistSkipPaths()
	_, _ = s.SupportsPTY(), s.Running()
	if s.SupportsDockerVolumeMounts() || !s.ShouldProvisionManifestAccountsOnResume() { // S5.29, S5.30
		t.Error("the predicates are others")
	}
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	wantCalls(t, s)
	wantRemaining(t, s, 2)
}

// A session doesn't have to be started to answer; once closed it doesn't.
func TestCallsAfterCloseAreNotRecorded(t *testing.T) {
	s := newSession(t, answering(host.MethodExec, host.MethodExec))
	execute(t, s)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != host.ErrClosed {
		t.Errorf("ends with %v", err)
	}
	wantCalls(t, s, host.MethodExec)
	wantRemaining(t, s, 1)
}

// events note what a closing session does.
type events struct{ list []string }

func (e *events) hook(name string, err error) host.Hook {
	return func(context.Context) error { e.list = append(e.list, name); return err }
}

func (e *events) closer(name string, err error) io.Closer {
	return &closerFunc{func() error { e.list = append(e.list, name); return err }}
}

type closerFunc struct{ f func() error }

func (c *closerFunc) Close() error { return c.f() }

func TestCloseWithNothingToWaitForNeedsNoTime(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		s, err := host.NewScripted(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(ended); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCloseDoesAllWhateverFails(t *testing.T) {
	errHook, errCloser := errors.New("hook"), errors.New("closer")
	for name, test := range map[string]struct {
		hook, closer error
		text         string
	}{
		"nothing":    {nil, nil, ""},
		"the hook":   {errHook, nil, "hook"},
		"the closer": {nil, errCloser, "closer"},
		"both":       {errHook, errCloser, "hook\ncloser"}, // S5.10: in this order
	} {
		t.Run(name, func(t *testing.T) {
			var e events
			s, err := host.NewScripted(nil)
			if err != nil {
				t.Fatal(err)
			}
			err = errors.Join(s.Start(t.Context()), s.AddDependency(e.closer("first", test.closer)), s.AddDependency(e.closer("second", nil)),
				s.RegisterPreStopHook(e.hook("hook", test.hook)))
			if err != nil {
				t.Fatal(err)
			}
			err = s.Close(t.Context())
			for _, want := range []error{test.hook, test.closer} {
				if want != nil && !errors.Is(err, want) {
					t.Errorf("%v isn't in %v", want, err)
				}
			}
			if text := errorKind(err); text != test.text {
				t.Errorf("error %q, want %q", text, test.text)
			}
			// S5.7, S5.8, S5.9, S5.24: all is done, dependencies newest first.
			if want := []string{"hook", "second", "first"}; !reflect.DeepEqual(e.list, want) || s.Running() {
				t.Errorf("done: %v, running %v", e.list, s.Running())
			}
			if err := s.Close(t.Context()); err != nil || len(e.list) != 3 { // S5.11
				t.Errorf("closed again: %v, done: %v", err, e.list)
			}
		})
	}
}

// S5.21, S5.22, S5.24: what a dependency may be, and how often it is closed.
func TestDependenciesAreClosedWithTheSession(t *testing.T) {
	var e events
	s := newSession(t, nil)
	for name, d := range map[string]io.Closer{"nil": nil, "a nil pointer": (*closerFunc)(nil)} {
		if err := s.AddDependency(d); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	once := e.closer("once", nil)
	twice := uncomparable{[]func(){func() { e.list = append(e.list, "twice") }}}
	for _, d := range []io.Closer{once, twice, once, twice} {
		if err := s.AddDependency(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"twice", "twice", "once"}; !reflect.DeepEqual(e.list, want) {
		t.Errorf("closed %v, want %v", e.list, want)
	}
	if err := s.AddDependency(once); err != host.ErrClosed { // S5.23
		t.Errorf("after Close: %v", err)
	}
}

// uncomparable closers have no identity to tell them by.
type uncomparable struct{ f []func() }

func (u uncomparable) Close() error { u.f[0](); return nil }

func TestAClosersPanicIsAnError(t *testing.T) { // S5.12
	var e events
	s, _ := host.NewScripted(nil)
	_ = s.AddDependency(e.closer("first", nil))
	_ = s.AddDependency(&closerFunc{func() error { panic(errBoom) }})
	err := s.Close(t.Context())
	if p := errorAs[*host.PanicError](t, err); p.In != "dependency" || p.Value != errBoom || !errors.Is(err, errBoom) || len(p.Stack) == 0 {
		t.Errorf("panic %+v", p)
	}
	if len(e.list) != 1 {
		t.Error("the other wasn't closed")
	}
}

// What ends the goroutine of Close doesn't keep the rest from being done.
func TestCloseIsFinishedEvenIfItsGoroutineEnds(t *testing.T) {
	var e events
	s, _ := host.NewScripted(answering(host.MethodExec))
	_ = s.Start(t.Context())
	_ = s.RegisterPreStopHook(func(context.Context) error { runtime.Goexit(); return nil })
	_ = s.AddDependency(e.closer("first", nil))
	_ = s.AddDependency(&closerFunc{func() error { runtime.Goexit(); return nil }})
	_ = s.AddDependency(e.closer("third", nil))
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Close(t.Context()) }()
	<-done
	if want := []string{"third", "first"}; !reflect.DeepEqual(e.list, want) || s.Running() {
		t.Errorf("done: %v, running %v", e.list, s.Running())
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != host.ErrClosed {
		t.Errorf("a call ends with %v", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

// Close doesn't wait for a responder, whose call ends as it would have.
func TestCloseWhileAResponderRuns(t *testing.T) {
	started, proceed := make(chan struct{}), make(chan struct{})
	s := newSession(t, []host.Step{respond(func(context.Context, host.Call) (any, error) {
		close(started)
		<-proceed
		return host.ExecResult{Stdout: []byte("late")}, nil
	})})
	done := make(chan string)
	go func() {
		r, err := s.Exec(t.Context(), host.ExecRequest{})
		done <- string(r.Stdout) + errorKind(err)
	}()
	<-started
	if s.History()[0].Done {
		t.Error("the call counts as done")
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(proceed)
	if got := <-done; got != "late" {
		t.Errorf("the call ends with %q", got)
	}
}

// A responder may close its own session.
func TestAResponderMayCloseItsSession(t *testing.T) {
	var s *host.Scripted
	s = newSession(t, []host.Step{respond(func(ctx context.Context, _ host.Call) (any, error) {
		return host.ExecResult{}, s.Close(ctx)
	})})
	execute(t, s)
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != host.ErrClosed {
		t.Errorf("ends with %v", err)
	}
}
