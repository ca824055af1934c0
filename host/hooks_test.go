package host_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// S5.15, S5.18: hooks run in their order, and once.
func TestHooksRunOnceInTheirOrder(t *testing.T) {
	var e events
	s := newSession(t, nil)
	run := func(want ...string) {
		t.Helper()
		if err := s.RunPreStopHooks(t.Context()); err != nil || !reflect.DeepEqual(e.list, want) {
			t.Errorf("error %v, run: %v, want %v", err, e.list, want)
		}
	}
	run()
	_ = s.RegisterPreStopHook(e.hook("a", nil))
	_ = s.RegisterPreStopHook(e.hook("b", nil))
	run("a", "b")
	run("a", "b")
	_ = s.RegisterPreStopHook(e.hook("c", nil)) // S5.14: a new one runs, the old ones don't
	run("a", "b", "c")
	if err := s.Close(t.Context()); err != nil || len(e.list) != 3 {
		t.Errorf("closed: %v, run: %v", err, e.list)
	}
}

// S5.16, S5.17: a hook that fails or panics keeps neither the others from
// running nor a later Close from stopping.
func TestAFailingHookDoesntStopTheOthers(t *testing.T) {
	var e events
	s := newSession(t, nil)
	_ = s.Start(t.Context())
	errOther := errors.New("other")
	_ = s.RegisterPreStopHook(e.hook("a", errBoom))
	_ = s.RegisterPreStopHook(func(context.Context) error { panic("hook") })
	_ = s.RegisterPreStopHook(e.hook("c", errOther))
	err := s.RunPreStopHooks(t.Context())
	if !errors.Is(err, errBoom) || !errors.Is(err, errOther) {
		t.Errorf("error %v", err)
	}
	if p := errorAs[*host.PanicError](t, err); p.In != "hook" || p.Value != "hook" || p.Error() != "host: panic in a hook" {
		t.Errorf("panic %+v", p)
	}
	if want := []string{"a", "c"}; !reflect.DeepEqual(e.list, want) {
		t.Errorf("run: %v", e.list)
	}
	if err := s.Close(t.Context()); err != nil || s.Running() {
		t.Errorf("closed: %v, running %v", err, s.Running())
	}
}

// S5.19: a hook registered by a hook runs in the same pass, and once.
func TestAHookMayRegisterAHook(t *testing.T) {
	for name, run := range map[string]func(*host.Scripted, context.Context) error{
		"RunPreStopHooks": (*host.Scripted).RunPreStopHooks, "Close": (*host.Scripted).Close,
	} {
		t.Run(name, func(t *testing.T) {
			var e events
			s := newSession(t, nil)
			_ = s.RegisterPreStopHook(func(context.Context) error {
				e.list = append(e.list, "outer")
				return s.RegisterPreStopHook(e.hook("inner", nil))
			})
			for range 2 {
				if err := run(s, t.Context()); err != nil {
					t.Error(err)
				}
			}
			if want := []string{"outer", "inner"}; !reflect.DeepEqual(e.list, want) {
				t.Errorf("run: %v", e.list)
			}
		})
	}
}

// S5.6, S5.20: what would wait for itself is refused.
func TestAHookCantCloseItsSession(t *testing.T) {
	methods := map[string]func(*host.Scripted, context.Context) error{
		"RunPreStopHooks": (*host.Scripted).RunPreStopHooks, "Close": (*host.Scripted).Close,
	}
	for outer, run := range methods {
		for inner, again := range methods {
			t.Run(inner+" in "+outer, func(t *testing.T) {
				s := newSession(t, nil)
				_ = s.RegisterPreStopHook(func(ctx context.Context) error { return again(s, ctx) })
				if err := run(s, t.Context()); !errors.Is(err, host.ErrBusy) {
					t.Errorf("ends with %v", err)
				}
				if err := s.Close(t.Context()); err != nil {
					t.Errorf("closed after: %v", err)
				}
			})
		}
	}
	t.Run("nor can a dependency", func(t *testing.T) {
		s, _ := host.NewScripted(nil)
		_ = s.AddDependency(&closerFunc{func() error { return s.Close(t.Context()) }})
		if err := s.Close(t.Context()); !errors.Is(err, host.ErrBusy) {
			t.Errorf("ends with %v", err)
		}
	})
}

// S5.6: of concurrent closers one closes, and the others don't wait.
func TestConcurrentCloses(t *testing.T) {
	s := newSession(t, nil)
	started, proceed := make(chan struct{}), make(chan struct{})
	_ = s.RegisterPreStopHook(func(context.Context) error { close(started); <-proceed; return nil })
	done := make(chan error)
	go func() { done <- s.Close(t.Context()) }()
	<-started
	if err := s.Close(t.Context()); err != host.ErrBusy {
		t.Errorf("the second: %v", err)
	}
	close(proceed)
	if err := <-done; err != nil {
		t.Errorf("the first: %v", err)
	}

	runs := 0
	s = newSession(t, nil)
	_ = s.RegisterPreStopHook(func(context.Context) error { runs++; return nil })
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := s.Close(t.Context()); err != nil && err != host.ErrBusy {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if runs != 1 {
		t.Errorf("the hook ran %d times", runs)
	}
}

// S5.7: the session is still in use while its hooks run, and no longer after.
func TestHooksMayUseTheSession(t *testing.T) {
	var e events
	s := newSession(t, answering(host.MethodExec, host.MethodExec))
	_ = s.Start(t.Context())
	_ = s.RegisterPreStopHook(func(ctx context.Context) error {
		_, err := s.Exec(ctx, host.ExecRequest{Command: []string{"save"}})
		return errors.Join(err, s.AddDependency(e.closer("late", nil)))
	})
	_ = s.RegisterPreStopHook(func(context.Context) error {
		if !s.Running() {
			t.Error("the session was stopped before its hooks ran")
		}
		return nil
	})
	_ = s.AddDependency(&closerFunc{func() error {
		if err := s.RegisterPreStopHook(e.hook("too late", nil)); err != host.ErrClosed {
			t.Errorf("a hook after the hooks: %v", err)
		}
		return nil
	}})
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	wantCalls(t, s, host.MethodExec)
	if want := []string{"late"}; !reflect.DeepEqual(e.list, want) {
		t.Errorf("done: %v", e.list)
	}
}

func TestRegisteringHooks(t *testing.T) {
	s := newSession(t, nil)
	if err := s.RegisterPreStopHook(nil); err == nil {
		t.Error("a nil hook is taken")
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.RegisterPreStopHook(func(context.Context) error { return nil }); err != host.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
	if err := s.RunPreStopHooks(t.Context()); err != nil {
		t.Errorf("running none after Close: %v", err)
	}
}
