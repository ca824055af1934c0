package terminal

import (
	"context"
	"sync"
)

// A Table holds the processes of one session. It is safe for concurrent use, and
// has to be closed.
type Table struct {
	config Config

	mu        sync.Mutex
	closed    bool
	processes map[int]*process      // by id, those that can be called
	running   map[*process]struct{} // all whose program hasn't returned
	lastID    int
	uses      uint64 // how often any process was used
}

// New makes a table.
func New(config Config) *Table {
	return &Table{
		config:    config.withDefaults(),
		processes: make(map[int]*process),
		running:   make(map[*process]struct{}),
		lastID:    minID - 1,
	}
}

// Start runs a program as a process until it has settled. If it lives on, the
// update has its id: the ids of a table count from 1000 to 99999 and then start
// over. If there are too many processes, one is ended to make room (S7.8).
//
// If the context ends before, so does the process, and the error is the
// context's. The context's values are the program's, its end isn't. A program that
// fails gives its error, and the update has what it printed.
func (t *Table) Start(ctx context.Context, program Program, options StartOptions) (Update, error) {
	if err := ctx.Err(); err != nil {
		return Update{}, err
	}
	p := newProcess(t.config, options)
	if err := t.add(ctx, p, program); err != nil {
		return Update{}, err
	}
	defer p.calls.give()
	if err := p.await(ctx, p.settled); err != nil {
		p.kill(err)
		t.forget(p)
		return Update{}, err
	}
	return t.report(p, options.MaxOutputTokens)
}

// Write types characters for a process, which may be none, and runs it until it has
// settled. A process that has finished is forgotten with this update (S7.7); one
// that isn't there is a *NotFoundError. See the package for [ErrStdinUnavailable].
//
// If the context ends before, the error is the context's, and the process goes on
// with what was typed: what it prints is in the next update.
func (t *Table) Write(ctx context.Context, id int, chars string, options WriteOptions) (Update, error) {
	if err := ctx.Err(); err != nil {
		return Update{}, err
	}
	p, err := t.take(ctx, id)
	if err != nil {
		return Update{}, err
	}
	defer p.calls.give()
	if chars != "" && p.input.closed {
		return Update{}, ErrStdinUnavailable
	}
	if err := p.write(ctx, chars, options); err != nil {
		return Update{}, err
	}
	t.use(p)
	return t.report(p, options.MaxOutputTokens)
}

// Close ends all processes and waits for their programs to return, no longer than
// the context lasts: then it may be called again. Calls in progress fail with
// [ErrClosed], and so do all after it.
func (t *Table) Close(ctx context.Context) error {
	left := t.close()
	for _, p := range left {
		p.kill(ErrClosed)
	}
	for _, p := range left {
		if err := p.ended(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Len is how many processes there are that can be written to.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.processes)
}

// report tells what became of a process. One that has finished is forgotten.
func (t *Table) report(p *process, maxTokens *int) (Update, error) {
	update, finished, err := p.update(maxTokens)
	if finished {
		t.forget(p)
	}
	return update, err
}
