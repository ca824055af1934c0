package host

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A Checkpoint is what a session was at some time, when it was idle: how far it was in
// its script, its history and the calls refused, its guests with all that they
// remember, its workspace, its clock and whether it was running. NewSession makes
// sessions that go on from there. It is immutable, and safe for concurrent use.
//
// It has what can be copied. The steps are the session's own, so that matchers and
// responders in Go, and the tools of a workspace, are shared by all that come from it,
// with whatever they remember; and the snapshot that a workspace is kept in is the same
// place for all. Hooks and dependencies stay with the session they were given to.
// Errors in the history are the very same ones.
//
// WriteTo makes a file of it, which ReadCheckpoint reads in another process.
type Checkpoint struct {
	config  config
	steps   []step
	visible methodSet
	next    int
	records []record
	refused map[Method]int
	fuel    int64
	guests  []checkpointedGuest
	files   *filesCheckpoint // nil: there is no workspace

	running bool
	skipped []string
}

// A checkpointedGuest is a guest of a checkpoint.
type checkpointedGuest struct {
	module *Module
	image  *image      // nil: it was never opened, or is dead
	dead   *GuestError // nil: it isn't
}

// A filesCheckpoint is the workspace of a checkpoint, with what the session knew of it.
type filesCheckpoint struct {
	tree      *workspace.Tree
	ready     bool
	persisted string
	lastID    int // of the terminals; 0: there were none
}

// Checkpoint keeps what the session is. It waits for its turn, and fails with a
// *CheckpointError if a call is in progress, such as one whose responder asks for the
// checkpoint, if the session is being started or stopped, if a process lives in a
// terminal, or if a guest can't be copied. After Close it fails with ErrClosed.
func (s *Scripted) Checkpoint(ctx context.Context) (*Checkpoint, error) {
	if err := s.admit(ctx); err != nil {
		return nil, err
	}
	if err := s.turn.Lock(ctx); err != nil {
		return nil, err
	}
	defer s.turn.Unlock()
	c := &Checkpoint{config: s.config, steps: s.steps, visible: s.visible}
	if err := c.takeCalls(s); err != nil {
		return nil, err
	}
	if err := c.takeFiles(ctx, s); err != nil {
		return nil, err
	}
	if err := c.takeGuests(ctx, &s.guests); err != nil {
		return nil, err
	}
	if s.lifecycle.closed() { // meanwhile, and some guests may be gone
		return nil, ErrClosed
	}
	return c, nil
}

// takeCalls keeps what the session knows of its calls.
func (c *Checkpoint) takeCalls(s *Scripted) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.next, c.refused = s.next, maps.Clone(s.refused)
	c.records = make([]record, s.history.length)
	for r := range s.history.from(0) {
		if r.state&stateDone == 0 {
			return &CheckpointError{Kind: CheckpointBusy}
		}
		r.copyTo(&c.records[r.index])
	}
	c.fuel = s.fuel.Load() // no call adds to it any more
	return nil
}

// copyTo makes another record the same, and independent.
func (r *record) copyTo(to *record) {
	to.request, to.index, to.head, to.state = r.request, r.index, r.head, r.state
	to.fuel.Store(r.fuel.Load())
	if r.more != nil {
		to.more = &recordDetails{err: r.more.err, logs: slices.Clone(r.more.logs)}
	}
}

// takeLifecycle keeps whether the session is running.
func (c *Checkpoint) takeLifecycle(l *lifecycle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.running, c.skipped = l.running, slices.Clone(l.skipped)
}

// takeFiles keeps the workspace, and whether it is started.
func (c *Checkpoint) takeFiles(ctx context.Context, s *Scripted) error {
	b := s.backing
	if b == nil {
		c.takeLifecycle(&s.lifecycle)
		return nil
	}
	files := new(filesCheckpoint)
	if table := b.terminals.peek(); table != nil {
		lastID, idle, err := table.Idle(ctx)
		if err != nil {
			return err
		}
		if !idle {
			return &CheckpointError{Kind: CheckpointTerminal}
		}
		files.lastID = lastID
	}
	if !b.started.turn.TryLock() {
		return &CheckpointError{Kind: CheckpointBusy}
	}
	defer b.started.turn.Unlock()
	c.takeLifecycle(&s.lifecycle)
	files.ready, files.persisted = b.started.ready, b.started.persisted
	files.tree = b.files.Clone()
	c.files = files
	return nil
}

// takeGuests keeps all guests, in the order in which they were first used.
func (c *Checkpoint) takeGuests(ctx context.Context, guests *guestSet) error {
	for _, g := range guests.list() {
		kept, err := g.checkpoint(ctx)
		if err != nil {
			return err
		}
		c.guests = append(c.guests, kept)
	}
	return nil
}

// checkpoint is the guest as a checkpoint keeps it.
func (g *guest) checkpoint(ctx context.Context) (checkpointedGuest, error) {
	if err := g.turn.Lock(ctx); err != nil {
		return checkpointedGuest{}, err
	}
	defer g.turn.Unlock()
	kept := checkpointedGuest{module: g.module, dead: g.dead}
	if g.dead != nil || !g.opened && g.reuse.pendingImage == nil {
		return kept, nil
	}
	im, err := g.image()
	if err == nil && im.env.HasNameless() {
		err = errNameless
	}
	if err != nil {
		return checkpointedGuest{}, &CheckpointError{Kind: CheckpointGuest, Module: g.module.name, Err: err}
	}
	kept.image = im
	return kept, nil
}

// NewSession makes a session that goes on from the checkpoint, independent of the one
// that was kept and of all others. Each call makes another one; the caller closes it.
// Guests begin to take memory with their first call.
//
// Options replace those that the session was made with, for what comes: a guest that
// was opened before keeps what it was told. Manifest and workspace can't be replaced;
// these options are a *CheckpointError.
func (c *Checkpoint) NewSession(opts ...Option) (*Scripted, error) {
	s := &Scripted{config: c.config, steps: c.steps, visible: c.visible, next: c.next, refused: maps.Clone(c.refused)}
	s.config.manifest, s.config.workspace = Manifest{}, nil
	for _, opt := range opts {
		if opt != nil {
			opt(&s.config)
		}
	}
	if s.config.workspace != nil || !reflect.ValueOf(s.config.manifest).IsZero() {
		return nil, &CheckpointError{Kind: CheckpointOption}
	}
	s.config.manifest, s.config.workspace = c.config.manifest, c.config.workspace
	s.fuel.Store(c.fuel)
	s.history.restore(c.records)
	s.lifecycle.running, s.lifecycle.skipped = c.running, slices.Clone(c.skipped)
	if c.files != nil {
		s.backing = c.files.newBacking(s)
	}
	s.guests.init(s)
	for _, kept := range c.guests {
		s.guests.restore(kept)
	}
	return s, nil
}

// restore makes an empty history one of these records.
func (h *history) restore(records []record) {
	if len(records) == 0 {
		return
	}
	chunk := make([]record, len(records))
	for i := range records {
		records[i].copyTo(&chunk[i])
	}
	h.chunks, h.length = [][]record{chunk}, len(chunk)
}

// newBacking makes the workspace of a new session.
func (f *filesCheckpoint) newBacking(s *Scripted) *backing {
	b := &backing{session: s, config: s.config.workspace, files: f.tree.Clone()}
	b.shell = b.newShell()
	b.started.ready, b.started.persisted = f.ready, f.persisted
	if f.lastID != 0 {
		b.terminals.table = terminal.New(terminal.Config{})
		b.terminals.table.Resume(f.lastID)
	}
	return b
}

// restore adds a guest to a set that nobody uses yet.
func (s *guestSet) restore(kept checkpointedGuest) {
	g := newGuest(kept.module, s.session)
	g.dead, g.reuse.pendingImage = kept.dead, kept.image
	s.guests[kept.module] = g
	s.order = append(s.order, g)
}
