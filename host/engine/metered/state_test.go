package metered_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

func snapshot(t testing.TB, in tester) *metered.State {
	t.Helper()
	s, err := in.State()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func restore(t testing.TB, in tester, s *metered.State) {
	t.Helper()
	if err := in.Restore(s); err != nil {
		t.Fatal(err)
	}
}

// next are the next answers of the guest, each of which depends on all of its state.
func next(t *testing.T, in tester) (answers []uint64) {
	t.Helper()
	for range 20 {
		answers = append(answers, in.call(t, "next"))
	}
	return answers
}

func wantNext(t *testing.T, in tester, want []uint64) {
	t.Helper()
	if got := next(t, in); !slices.Equal(got, want) {
		t.Errorf("it goes on with %x, want %x", got, want)
	}
}

func wantKind(t *testing.T, err error, kind metered.StateErrorKind) {
	t.Helper()
	if e, ok := errors.AsType[*metered.StateError](err); !ok || e.Kind != kind || !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
}

func TestAnInstanceIsPutBack(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits")
		in.call(t, "work", 5)
		total := in.Total()
		s := snapshot(t, in)
		want := next(t, in)
		for range 3 {
			restore(t, in, s)
			wantNext(t, in, want)
		}
		if in.Total() <= total {
			t.Errorf("the fuel it has used fell from %d to %d", total, in.Total())
		}
	})
}

func TestAStateGoesOnInAnotherInstanceOfAnyEngine(t *testing.T) {
	for from, inner := range engines {
		in := start(t, inner, metered.Config{}, "limits")
		in.call(t, "work", 50)
		in.call(t, "grow", 2)
		s := snapshot(t, in)
		want := next(t, in)
		after := snapshot(t, in).Digest()
		for to, inner := range engines {
			t.Run(from+" to "+to, func(t *testing.T) {
				other := start(t, inner, metered.Config{Limits: metered.Limits{Depth: -1}}, "limits")
				next(t, other)
				restore(t, other, s)
				if snapshot(t, other).Digest() != s.Digest() {
					t.Error("the state isn't the one that was restored")
				}
				wantNext(t, other, want)
				if snapshot(t, other).Digest() != after {
					t.Error("the states differ in the end")
				}
			})
		}
	}
}

func TestStatesAreImmutable(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits")
		next(t, in)
		s := snapshot(t, in)
		encoded, _ := s.MarshalBinary()
		next(t, in)
		restore(t, in, s)
		next(t, in)
		if again, _ := s.MarshalBinary(); string(again) != string(encoded) {
			t.Error("the state has changed")
		}
	})
}

func TestAStateIsRestoredBySeveralAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits")
		in.call(t, "work", 7)
		s := snapshot(t, in)
		want := next(t, in)
		var group sync.WaitGroup
		for range 4 {
			other := start(t, inner, metered.Config{}, "limits")
			group.Go(func() {
				if err := other.Restore(s); err != nil {
					t.Error(err)
					return
				}
				s.Digest()
				wantNext(t, other, want)
			})
		}
		group.Wait()
	})
}

func TestMemoryThatHasGrownCannotShrink(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits")
		small := snapshot(t, in)
		in.call(t, "grow", 3)
		large := snapshot(t, in)
		want := next(t, in)
		wantKind(t, in.Restore(small), metered.LargerMemory)

		fresh := start(t, inner, metered.Config{}, "limits")
		restore(t, fresh, large)
		if got := fresh.Memory().Size(); got != 4<<16 {
			t.Errorf("the memory has %d bytes", got)
		}
		wantNext(t, fresh, want)

		limited := start(t, inner, metered.Config{Limits: metered.Limits{MemoryPages: 2}}, "limits")
		wantKind(t, limited.Restore(large), metered.NoMemory)
		restore(t, limited, small)
	})
}

func TestOnlyAnIdleInstanceHasAState(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		looked := false
		in := start(t, inner, metered.Config{}, "limits", note(func(in engine.Instance) {
			looked = true
			meter := testerOf(t, in)
			_, err := meter.State()
			wantKind(t, err, metered.NotIdle)
			_, err = meter.try(t, "next")
			if !errors.As(err, new(*engine.TrapError)) {
				t.Errorf("a call within a call: error %v", err)
			}
		}))
		s := snapshot(t, in)
		in.call(t, "note", 1)
		if !looked {
			t.Error("the host function wasn't called")
		}
		if _, err := in.try(t, "trap"); err == nil {
			t.Error("no error")
		}
		_, err := in.State()
		wantKind(t, err, metered.NotIdle)
		wantKind(t, in.Restore(s), metered.NotIdle)
	})
}

func TestAClosedInstanceDoesNoHarm(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "limits")
		s := snapshot(t, in)
		if err := in.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		_, err := in.State()
		wantKind(t, err, metered.NotIdle)
		wantKind(t, in.Restore(s), metered.NotIdle)
	})
}

func TestAStateIsOneOfItsModule(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		s := snapshot(t, start(t, inner, metered.Config{}, "limits"))
		wantKind(t, start(t, inner, metered.Config{}, "start").Restore(s), metered.OtherModule)
	})
}

func TestAModuleSaysWhyItsInstancesCannotBePutBack(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, inner, metered.Config{}, "volatile")
		_, err := in.State()
		wantKind(t, err, metered.Volatile)
		want := []string{"its code uses table.set", "its global 0 is a reference that can change"}
		if got := in.Module().Volatile(); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	})
}

func TestDigestsTellStatesApart(t *testing.T) {
	digests := map[[32]byte]bool{}
	in := start(t, engines["wazero"], metered.Config{}, "limits")
	for range 5 {
		digests[snapshot(t, in).Digest()] = true
		in.call(t, "next")
	}
	in.call(t, "grow", 1)
	digests[snapshot(t, in).Digest()] = true
	in.call(t, "grow", 0)
	digests[snapshot(t, in).Digest()] = true
	if len(digests) != 6 {
		t.Errorf("there are %d digests of 6 states", len(digests))
	}
}
