package host_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func checkpoint(t *testing.T, s *host.Scripted) *host.Checkpoint {
	t.Helper()
	c, err := s.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fork makes a session of a checkpoint, which is closed with the test.
func fork(t *testing.T, c *host.Checkpoint, opts ...host.Option) *host.Scripted {
	t.Helper()
	s, err := c.NewSession(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Whatever the language of its guest, a session goes on from a checkpoint as it would
// have, any number of times and at the same time.
func TestForksGoOnAsTheSessionDoes(t *testing.T) {
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			r, _ := newCountingRuntime(t)
			s := newSession(t, times(6, guestStep(t, r, language, kitchenWasm(t, language), "count")))
			before := perform(t, s, "a", "b")
			c := checkpoint(t, s)
			want := perform(t, s, "c", "d")
			if len(want.Digests) != 1 || maps.Equal(want.Digests, before.Digests) {
				t.Errorf("digests %v, before %v", want.Digests, before.Digests)
			}
			var group sync.WaitGroup
			for range 6 {
				copied := fork(t, c)
				group.Go(func() {
					if diff := cmp.Diff(before, perform(t, copied, []string(nil)...), sameTrace, ignoreOutputs); diff != "" {
						t.Errorf("at first (-session +fork):\n%s", diff)
					}
					if diff := cmp.Diff(want, perform(t, copied, "c", "d"), sameTrace); diff != "" {
						t.Errorf("(-session +fork):\n%s", diff)
					}
				})
			}
			group.Wait()
		})
	}
}

var ignoreOutputs = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Outputs" }, cmp.Ignore())

// Copies don't know of each other: neither their queues, nor their guests, nor their
// files.
func TestForksAreIndependent(t *testing.T) {
	r, _ := newCountingRuntime(t)
	step := keeperOn(t, r)
	s := withWorkspace(t, times(5, step), host.Workspace{Seed: seeded(map[string]string{"a.txt": "first"})},
		host.WithSeed(3))
	want := perform(t, s, "start", "random")
	c := checkpoint(t, s)
	if err := s.Workspace().WriteFile("a.txt", []byte("changed"), 0); err != nil {
		t.Fatal(err)
	}

	var group sync.WaitGroup
	for i := range 8 {
		copied := fork(t, c)
		group.Go(func() {
			own := fmt.Sprint("fork", i)
			if i%2 == 0 {
				if err := copied.Workspace().WriteFile("a.txt", []byte(own), 0); err != nil {
					t.Error(err)
				}
			}
			got := perform(t, copied, own)
			if got.Outputs[0] != want.Outputs[1]+" "+own || copied.RemainingSteps() != 2 || len(copied.Calls()) != 3 {
				t.Errorf("%q, %d steps, %d calls", got.Outputs, copied.RemainingSteps(), len(copied.Calls()))
			}
			content := map[bool]string{true: own, false: "first"}[i%2 == 0]
			if files := tree(copied.Workspace()); files["a.txt"] != content {
				t.Errorf("files %q, want %q", files, content)
			}
		})
	}
	group.Wait()
	if s.RemainingSteps() != 3 || tree(s.Workspace())["a.txt"] != "changed" {
		t.Errorf("%d steps, %v", s.RemainingSteps(), tree(s.Workspace()))
	}
	if got := perform(t, s, "end"); got.Outputs[0] != want.Outputs[1]+" end" {
		t.Errorf("%q", got.Outputs)
	}
	again := checkpoint(t, fork(t, checkpoint(t, fork(t, c)))) // of copies that nobody has called
	if got := perform(t, fork(t, again), "end"); got.Outputs[0] != want.Outputs[1]+" end" {
		t.Errorf("%q", got.Outputs)
	}
}

// What a guest has open is open in the copies, at the same place.
func TestForksHaveTheFilesOpenThatTheirGuestsHad(t *testing.T) {
	r, _ := newCountingRuntime(t)
	s := withWorkspace(t, times(9, keeperOn(t, r)), host.Workspace{Seed: seeded(map[string]string{"d/a.txt": "abcdefghi", "b": ""})})
	_ = perform(t, s, "open d/a.txt", "read")
	if err := s.Workspace().Rename("d", "e"); err != nil {
		t.Fatal(err)
	}
	c := checkpoint(t, s)
	for range 2 {
		copied := fork(t, c)
		if err := copied.Workspace().WriteFile("e/a.txt", []byte("ABCDEFGHI"), 0); err != nil {
			t.Fatal(err)
		}
		if got := perform(t, copied, "read"); got.Outputs[0] != "open abc DEF" {
			t.Errorf("%q", got.Outputs)
		}
	}
	if got := perform(t, s, "read", "remove e/a.txt"); got.Outputs[0] != "open abc def" {
		t.Errorf("%q", got.Outputs)
	}
	_, err := s.Checkpoint(t.Context())
	if e := errorAs[*host.CheckpointError](t, err); e.Kind != host.CheckpointGuest || e.Module != "keeper" {
		t.Errorf("%v", err)
	}
	if got := perform(t, s, "read"); got.Outputs[0] != "open abc def remove ghi" {
		t.Errorf("%q", got.Outputs)
	}
}

// Errors, refused calls, dead guests and what the session is are in a checkpoint.
func TestACheckpointHasAllThatASessionKnows(t *testing.T) {
	r, _ := newCountingRuntime(t)
	broken := errors.New("broken")
	keeps := keeperOn(t, r)
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Fail(broken)}, keeps, keeps, keeps})
	_, _ = s.Exec(t.Context(), host.ExecRequest{})
	_, _ = s.Exec(t.Context(), host.ExecRequest{Command: []string{"die", "now"}})
	_ = s.Rm(t.Context(), host.RmRequest{Path: "x"})
	start(t, s)
	if _, err := s.RegisterPersistSkipPath("skip"); err != nil {
		t.Fatal(err)
	}
	copied := fork(t, checkpoint(t, s))
	if !copied.Running() || copied.Refused()[host.MethodRm] != 1 || len(copied.PersistSkipPaths()) != 1 {
		t.Errorf("running %v, refused %v, skipped %v", copied.Running(), copied.Refused(), copied.PersistSkipPaths())
	}
	for i, record := range copied.History() {
		if record.Err != s.History()[i].Err {
			t.Errorf("call %d: another error %v", i, record.Err)
		}
	}
	if !errors.Is(copied.History()[0].Err, broken) || copied.Fuel() != s.Fuel() {
		t.Errorf("%v, fuel %d, want %d", copied.History()[0].Err, copied.Fuel(), s.Fuel())
	}
	_, want := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	_, err := copied.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	if _ = wantGuestError(t, err, host.GuestDead); err.Error() != want.Error() {
		t.Errorf("%v, want %v", err, want)
	}
	if copied.GuestDigests() != nil {
		t.Error("a dead guest has a digest")
	}
}

func TestSessionsThatArentIdleHaveNoCheckpoint(t *testing.T) {
	wantKind := func(t *testing.T, err error, kind host.CheckpointErrorKind) {
		t.Helper()
		if e := errorAs[*host.CheckpointError](t, err); !errors.Is(err, kind) || e.Error() == "" {
			t.Errorf("got %v, want %v", err, kind)
		}
	}
	t.Run("a call is in progress", func(t *testing.T) {
		var s *host.Scripted
		s = newSession(t, []host.Step{respond(func(ctx context.Context, _ host.Call) (any, error) {
			_, err := s.Checkpoint(ctx)
			return host.ExecResult{}, err
		})})
		_, err := s.Exec(t.Context(), host.ExecRequest{})
		wantKind(t, err, host.CheckpointBusy)
		_ = checkpoint(t, s)
	})
	t.Run("a matcher asks for it", func(t *testing.T) {
		var s *host.Scripted
		s = newSession(t, []host.Step{matching(host.MatcherFunc(func(ctx context.Context, _ host.Call) (host.Verdict, error) {
			_, err := s.Checkpoint(ctx)
			return host.Accept(), err
		}))})
		if _, err := s.Exec(t.Context(), host.ExecRequest{}); !errors.Is(err, host.ErrReentrantMatch) {
			t.Errorf("%v", err)
		}
	})
	t.Run("a terminal", func(t *testing.T) {
		y := &typist{T: t, session: withTools(t, nil)}
		y.start(host.PTYExecStartRequest{Command: []string{"desk chat"}, TTY: true})
		first := *y.id
		_, err := y.session.Checkpoint(t.Context())
		wantKind(t, err, host.CheckpointTerminal)
		y.types("bye\n", "bye\r\n")
		y.session = fork(t, checkpoint(t, y.session))
		y.start(host.PTYExecStartRequest{Command: []string{"desk chat"}, TTY: true})
		if *y.id != first+1 {
			t.Errorf("the id after %d is %d", first, *y.id)
		}
	})
	t.Run("a guest that can't be copied", func(t *testing.T) {
		_, r := fakeHandlers(t, nil)
		s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
		_ = checkpoint(t, s)
		execute(t, s)
		_, err := s.Checkpoint(t.Context())
		wantKind(t, err, host.CheckpointGuest)
	})
	t.Run("options", func(t *testing.T) {
		c := checkpoint(t, newSession(t, nil))
		_, err := c.NewSession(host.WithManifest(host.Manifest{Root: "/other"}))
		wantKind(t, err, host.CheckpointOption)
		_, err = c.NewSession(host.WithWorkspace(host.Workspace{}))
		wantKind(t, err, host.CheckpointOption)
		if s := fork(t, c, nil, host.WithSeed(9)); s.Settings().Seed != 9 {
			t.Errorf("%+v", s.Settings())
		}
	})
	t.Run("closed", func(t *testing.T) {
		s := newSession(t, nil)
		c := checkpoint(t, s)
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Checkpoint(t.Context()); err != host.ErrClosed {
			t.Errorf("%v", err)
		}
		_ = fork(t, c)
	})
}

// A guest that nobody has called in a copy is closed with it all the same.
func TestForksCloseTheirGuests(t *testing.T) {
	w := newHostileWorld(t)
	_, r := w.handlers(t, "close_error")
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, s)
	copied, err := checkpoint(t, s).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*host.Scripted{s, copied} {
		_ = wantGuestError(t, s.Close(t.Context()), host.GuestFailed)
	}
	w.checkOpen(t, 0)
}

// A guest that is put into a new instance has worked already: what its start function does
// there isn't done to the files again, and makes no difference to the fuel that is left.
func TestTheStartFunctionOfARestoredGuestChangesNothing(t *testing.T) {
	r, _ := newCountingRuntime(t)
	step := guestStep(t, r, "wasi_write_at_start", hostileWasm(t, "wasi_write_at_start"), "r")
	used := perform(t, withWorkspace(t, times(2, step), host.Workspace{}), "a", "b").Fuel
	s := withWorkspace(t, times(2, step), host.Workspace{}, host.WithLimits(host.Limits{SessionFuel: used + 100})) // less than it takes
	perform(t, s, "a")
	c := checkpoint(t, s)
	want := perform(t, s, "b")
	for range 2 {
		copied := fork(t, c)
		if got := perform(t, copied, "b"); got.Fuel != want.Fuel {
			t.Errorf("a copy used %d, the session %d", got.Fuel, want.Fuel)
		}
		if got := readFile(t, copied, "log"); len(got) != 1 {
			t.Errorf("in a copy there is %q", got)
		}
	}
}

// It may use no more than when the guest was opened.
func TestTheStartFunctionOfARestoredGuestHasALimit(t *testing.T) {
	r, _ := newCountingRuntime(t)
	step := guestStep(t, r, "wasi_write_at_start", hostileWasm(t, "wasi_write_at_start"), "r")
	s := withWorkspace(t, times(2, step), host.Workspace{})
	perform(t, s, "a")
	for _, limits := range []host.Limits{{CallFuel: 1000}, {SessionFuel: s.Fuel() + 1000, CallFuel: 1000}} {
		copied := fork(t, checkpoint(t, s), host.WithLimits(limits))
		_, err := copied.Exec(t.Context(), host.ExecRequest{Command: []string{"b"}})
		if e := wantGuestError(t, err, host.GuestOutOfFuel); e.Breach == nil || e.Breach.Limit != host.LimitFuel || e.Breach.Reached <= 1000 {
			t.Errorf("the breach is %+v", e.Breach)
		}
		if copied.Fuel() <= s.Fuel()+1000 {
			t.Errorf("the session used %d, and %d before", copied.Fuel(), s.Fuel())
		}
	}
}
