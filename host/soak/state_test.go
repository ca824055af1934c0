package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
)

// onEachEngine runs a test with a runtime of each engine, and a guest of testdata/hostile.
func onEachEngine(t *testing.T, guest string, run func(t *testing.T, r *host.Runtime, m *host.Module)) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		t.Run(name, func(t *testing.T) {
			r, err := host.NewRuntime(t.Context(), host.WithEngine(engines[name]))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = r.Close(context.Background()) })
			m, err := load(t.Context(), r, guest, hostiles+guest+".wasm")
			if err != nil {
				t.Fatal(err)
			}
			run(t, r, m)
		})
	}
}

// A visit is what can be seen of a session that was closed.
type visit struct {
	Answers  []string
	Logs     []string
	Guests   map[string][32]byte
	Fuel     []int64
	Unclosed bool // there was no fuel left for that
}

// visiting makes calls of a guest in a session of their own. A call whose command is
// "cancelled" does so in an endless loop.
func visiting(t *testing.T, m *host.Module, commands []string, opts ...host.Option) visit {
	t.Helper()
	step, err := answeredBy(m, host.MethodExec, "r")
	if err != nil {
		t.Fatal(err)
	}
	s, err := host.NewScripted(slices.Repeat([]host.Step{step}, len(commands)), opts...)
	if err != nil {
		t.Fatal(err)
	}
	v := answersOf(t, s, commands)
	err = s.Close(context.Background())
	if v.Unclosed = errors.Is(err, host.GuestOutOfFuel); err != nil && !v.Unclosed {
		t.Error(err)
	}
	return v
}

func answersOf(t *testing.T, s *host.Scripted, commands []string) (v visit) {
	t.Helper()
	for _, command := range commands {
		ctx, cancel := context.WithCancel(t.Context())
		if command == "cancelled" {
			ctx, command = endingctx.After(ctx, 3), "!l"
		}
		r, err := s.Exec(ctx, host.ExecRequest{Command: []string{command}})
		cancel()
		if e, ok := errors.AsType[*host.GuestError](err); ok {
			err = e.Kind
		}
		v.Answers = append(v.Answers, fmt.Sprint(string(r.Stdout), err))
	}
	for _, r := range s.History() {
		v.Logs = append(v.Logs, fmt.Sprint(r.Logs))
		if !errors.Is(r.Err, host.GuestInterrupted) { // which ends by chance
			v.Fuel = append(v.Fuel, r.Fuel)
		}
	}
	v.Guests = s.GuestDigests()
	return v
}

// tight has a guest run out of fuel soon, and have room to grow.
var tight = host.WithLimits(host.Limits{CallFuel: 100_000, MemoryBytes: 1 << 20})

// Whatever a guest has done to its state, the next session's is like a new one.
func TestNoSessionSeesWhatAnotherHasDoneToItsGuest(t *testing.T) {
	for guest, deeds := range map[string][]string{
		"state_numbers": {"!n", "!m", "!g", "!i", "!z", "!t", "!l", "cancelled"},
		"state_tables":  {"!s", "!w", "!f", "!n", "!c", "!x", "!d", "!e"},
	} {
		onEachEngine(t, guest, func(t *testing.T, _ *host.Runtime, m *host.Module) {
			look := []string{"a", "!x", "!i", "b"}
			want := visiting(t, m, look, tight)
			for _, deed := range deeds {
				for range 3 { // the second makes an image, and the third has one
					_ = visiting(t, m, []string{"a", deed, "b"}, tight)
					if diff := cmp.Diff(want, visiting(t, m, look, tight)); diff != "" {
						t.Errorf("after %s (-first +next):\n%s", deed, diff)
					}
				}
			}
		})
	}
}

// What is put back and copied is all that a guest's answers follow from, also where its
// numbers are no numbers.
func TestForksHaveAllKindsOfState(t *testing.T) {
	onEachEngine(t, "state_numbers", func(t *testing.T, _ *host.Runtime, m *host.Module) {
		step, err := answeredBy(m, host.MethodExec, "r")
		if err != nil {
			t.Fatal(err)
		}
		for _, deed := range []string{"!n", "!m", "!g", "!i"} {
			s, err := host.NewScripted(slices.Repeat([]host.Step{step}, 3))
			if err != nil {
				t.Fatal(err)
			}
			_ = answersOf(t, s, []string{deed})
			c := take(t, s)
			want := answersOf(t, s, []string{"a", "!i"})
			for range 2 {
				if diff := cmp.Diff(want, answersOf(t, session(t, c), []string{"a", "!i"})); diff != "" {
					t.Errorf("after %s (-session +fork):\n%s", deed, diff)
				}
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}

// A guest of tables has no checkpoint, and its module says why.
func TestAGuestThatChangesItsTableIsntCopied(t *testing.T) {
	onEachEngine(t, "state_tables", func(t *testing.T, _ *host.Runtime, m *host.Module) {
		if got := m.Volatile(); len(got) != 7 {
			t.Errorf("it is volatile for %q", got)
		}
		step, err := answeredBy(m, host.MethodExec, "r")
		if err != nil {
			t.Fatal(err)
		}
		s, err := host.NewScripted([]host.Step{step})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(t.Context())
		_ = take(t, s) // it isn't opened yet
		_ = answersOf(t, s, []string{"a"})
		if _, err := s.Checkpoint(t.Context()); !errors.Is(err, host.CheckpointGuest) {
			t.Errorf("%v", err)
		}
	})
}

// A guest whose start function changes a table by chance is as its own seed has it.
func TestAGuestIsOfItsOwnSeed(t *testing.T) {
	onEachEngine(t, "state_by_chance", func(t *testing.T, r *host.Runtime, m *host.Module) {
		want := map[uint64]visit{}
		seen := map[string]bool{}
		for seed := range uint64(8) {
			want[seed] = visiting(t, m, []string{"a"}, host.WithSeed(seed))
			seen[want[seed].Answers[0]] = true
			r.DropIdle()
		}
		if len(seen) != 2 {
			t.Errorf("all seeds give %v", seen)
		}
		step, err := answeredBy(m, host.MethodExec, "r")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(8) {
			for range 3 { // so that there is an image, and instances of other seeds to be put back to it
				_ = visiting(t, m, []string{"a"}, host.WithSeed(seed))
			}
			var together []*host.Scripted // which leave as many instances to the next seed
			for range 4 {
				s, err := host.NewScripted([]host.Step{step}, host.WithSeed(seed))
				if err != nil {
					t.Fatal(err)
				}
				together = append(together, s)
				if diff := cmp.Diff(want[seed].Answers, answersOf(t, s, []string{"a"}).Answers); diff != "" {
					t.Errorf("seed %d (-first +later):\n%s", seed, diff)
				}
			}
			for _, s := range together {
				if err := s.Close(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// However little fuel there is, a guest that is put back or copied runs out of it where a
// new one does.
func TestFuelEndsWhereItDoesForANewGuest(t *testing.T) {
	onEachEngine(t, "state_numbers", func(t *testing.T, r *host.Runtime, m *host.Module) {
		calls := []string{"a", "!n", "!i", "b"}
		whole := visiting(t, m, calls)
		var used int64
		for _, fuel := range whole.Fuel {
			used += fuel
		}
		for limit := int64(1); limit < used+40; limit += 7 {
			for name, limits := range map[string]host.Limits{"a call": {CallFuel: limit}, "the session": {SessionFuel: limit}} {
				r.DropIdle()
				want := visiting(t, m, calls, host.WithLimits(limits))
				for range 3 {
					if diff := cmp.Diff(want, visiting(t, m, calls, host.WithLimits(limits))); diff != "" {
						t.Fatalf("%d for %s (-new +put back):\n%s", limit, name, diff)
					}
				}
			}
		}
	})
}
