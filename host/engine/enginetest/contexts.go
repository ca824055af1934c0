package enginetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

var contextTests = []test{
	{"a context that has ended lets no call begin", nothing, endedContext},
	{"a context that has ended lets no instance begin", nothing, endedContextAtStart},
	{"a context with an error of its own is reported as such", nothing, ownError},
	{"a deadline ends a guest that loops", interrupts, deadlineEnds},
	{"a cancellation ends a guest that loops", interrupts, cancellationEnds},
	{"a deadline ends a start function that loops", interrupts, deadlineEndsStart},
	{"an ended call leaves other instances alone", interrupts, endsAreLocal},
}

// quick is how long a guest may loop in tests.
const quick = 30 * time.Millisecond

func endedContext(t *testing.T, s *suite) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := s.instance(t, "memory")
	if _, err := try(ctx, t, in, "store", 0, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if view, _ := in.Memory().View(0, 1); view[0] != 0 {
		t.Error("the function has run")
	}
}

func endedContextAtStart(t *testing.T, s *suite) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := s.module(t, "memory").Instantiate(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want context.DeadlineExceeded", err)
	}
}

var errOwn = errors.New("own")

// An ownContext has ended with an error that isn't one of package context.
type ownContext struct{ context.Context }

func (ownContext) Done() <-chan struct{} { c := make(chan struct{}); close(c); return c }
func (ownContext) Err() error            { return errOwn }

func ownError(t *testing.T, s *suite) {
	in := s.instance(t, "numbers")
	if _, err := try(ownContext{t.Context()}, t, in, "count"); !errors.Is(err, errOwn) {
		t.Errorf("error %v, want %v", err, errOwn)
	}
}

func deadlineEnds(t *testing.T, s *suite) {
	in := s.instance(t, "loop")
	leftovers := goleak.IgnoreCurrent()
	ctx, cancel := context.WithTimeout(t.Context(), quick)
	defer cancel()
	_, err := try(ctx, t, in, "forever")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want context.DeadlineExceeded", err)
	}
	if _, trap := errors.AsType[*engine.TrapError](err); trap {
		t.Errorf("error %v is a trap", err)
	}
	goleak.VerifyNone(t, leftovers)
}

func cancellationEnds(t *testing.T, s *suite) {
	in := s.instance(t, "loop")
	leftovers := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(quick, cancel)
	_, err := try(ctx, t, in, "forever")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if _, err := try(t.Context(), t, in, "fine"); err != nil && !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a call after it: error %v, want none or ErrClosed", err)
	}
	goleak.VerifyNone(t, leftovers)
}

func deadlineEndsStart(t *testing.T, s *suite) {
	m := s.module(t, "start-loop")
	leftovers := goleak.IgnoreCurrent()
	ctx, cancel := context.WithTimeout(t.Context(), quick)
	defer cancel()
	if _, err := m.Instantiate(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want context.DeadlineExceeded", err)
	}
	goleak.VerifyNone(t, leftovers)
}

func endsAreLocal(t *testing.T, s *suite) {
	m := s.module(t, "loop")
	other := instantiate(t, m, nil)
	ctx, cancel := context.WithTimeout(t.Context(), quick)
	defer cancel()
	if _, err := try(ctx, t, instantiate(t, m, nil), "forever"); err == nil {
		t.Error("no error")
	}
	if got := call32(t, other, "fine"); got != 1 {
		t.Errorf("fine = %d", got)
	}
}
