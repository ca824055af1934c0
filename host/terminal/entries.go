package terminal

import (
	"context"
	"maps"
	"slices"
)

// add starts a process, once there is room for it, and takes its turn.
func (t *Table) add(ctx context.Context, p *process, program Program) error {
	for {
		victim, err := t.tryAdd(ctx, p, program)
		if victim == nil {
			return err
		}
		victim.kill(&NotFoundError{ID: victim.id})
		if err := victim.ended(ctx); err != nil {
			return err
		}
	}
}

// tryAdd starts a process, or answers the one that has to end before.
func (t *Table) tryAdd(ctx context.Context, p *process, program Program) (victim *process, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if len(t.processes) >= MaxProcesses {
		return t.evict(), nil
	}
	p.id = t.freeID()
	p.calls <- struct{}{}
	t.processes[p.id] = p
	t.touch(p)
	t.launch(ctx, p, program)
	return nil, nil
}

// launch starts the goroutine of a process. The lock is held.
func (t *Table) launch(ctx context.Context, p *process, program Program) {
	ctx, p.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	t.running[p] = struct{}{}
	go func() {
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			delete(t.running, p)
		}()
		p.run(ctx, program)
	}()
}

// evict takes the process out that makes room. The lock is held.
func (t *Table) evict() *process {
	candidates := make([]candidate, 0, len(t.processes))
	for id, p := range t.processes {
		candidates = append(candidates, candidate{id: id, used: p.used, exited: p.hasExited()})
	}
	id, _ := toPrune(candidates) // there are more than those protected
	victim := t.processes[id]
	t.remove(victim)
	return victim
}

func (p *process) hasExited() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exited
}

// freeID is the next that no process has. The lock is held.
func (t *Table) freeID() int {
	for {
		t.lastID++
		if t.lastID > maxID {
			t.lastID = minID
		}
		if t.processes[t.lastID] == nil {
			return t.lastID
		}
	}
}

// take finds a process and takes its turn. It may be gone when the turn comes.
func (t *Table) take(ctx context.Context, id int) (*process, error) {
	p, err := t.find(id)
	if err != nil {
		return nil, err
	}
	if err := p.calls.take(ctx); err != nil {
		return nil, err
	}
	if found, err := t.find(id); err != nil || found != p {
		p.calls.give()
		if err == nil {
			err = &NotFoundError{ID: id}
		}
		return nil, err
	}
	return p, nil
}

func (t *Table) find(id int) (*process, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if p := t.processes[id]; p != nil {
		return p, nil
	}
	return nil, &NotFoundError{ID: id}
}

// use notes that a process was used.
func (t *Table) use(p *process) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.touch(p)
}

// touch is use with the lock held.
func (t *Table) touch(p *process) {
	t.uses++
	p.used = t.uses
}

func (t *Table) forget(p *process) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(p)
}

// remove takes a process out, unless another has its id by now. The lock is held.
func (t *Table) remove(p *process) {
	if t.processes[p.id] == p {
		delete(t.processes, p.id)
	}
}

// close forgets all processes. It answers those whose programs still run.
func (t *Table) close() []*process {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	clear(t.processes)
	return slices.Collect(maps.Keys(t.running))
}
