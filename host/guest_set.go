package host

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// guestSet is a session's guests, one instance of each module, made on first use,
// and its runs of commands and programs.
type guestSet struct {
	session *Scripted

	mu     sync.Mutex
	guests map[*Module]*guest
	order  []*guest
	runs   int           // in progress; none begins once closed
	idle   chan struct{} // closed when the last run ends; nil until somebody waits
	closed bool

	recent atomic.Pointer[guest] // which most calls are for; nil once closed
}

func (s *guestSet) init(session *Scripted) {
	s.session = session
	s.guests = map[*Module]*guest{}
}

// get gives the instance of a module, which may still have to be opened.
func (s *guestSet) get(module *Module) (*guest, error) {
	if g := s.recent.Load(); g != nil && g.module == module {
		return g, nil
	}
	return s.find(module)
}

func (s *guestSet) find(module *Module) (*guest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	g, ok := s.guests[module]
	if !ok {
		g = newGuest(module, s.session)
		s.guests[module] = g
		s.order = append(s.order, g)
	}
	s.recent.Store(g)
	return g, nil
}

// list gives all guests, in the order in which they were first used.
func (s *guestSet) list() []*guest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// begin admits a run, for which end has to be called when it is over.
func (s *guestSet) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.runs++
	return nil
}

// end ends a run.
func (s *guestSet) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs--
	if s.runs == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// awaitRuns waits for the runs in progress, as long as the context lasts. Later
// they discard their instances all the same.
func (s *guestSet) awaitRuns(ctx context.Context) error {
	s.mu.Lock()
	if s.runs == 0 {
		s.mu.Unlock()
		return nil
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
	}
	idle := s.idle
	s.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close closes all instances, in the order in which they were first used.
func (s *guestSet) close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	guests := s.order
	s.order, s.guests = nil, nil
	s.recent.Store(nil)
	s.mu.Unlock()

	var errs []error
	for _, g := range guests {
		errs = append(errs, closeGuest(ctx, g))
	}
	return errors.Join(append(errs, s.awaitRuns(ctx))...)
}

// closeGuest keeps an engine that breaks its contract from leaving the guests
// after this one open.
func closeGuest(ctx context.Context, g *guest) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("guest's engine", p)
		}
	}()
	return g.close(ctx)
}
