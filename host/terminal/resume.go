package terminal

import (
	"context"
	"maps"
	"slices"
)

// Idle reports whether there is no process, and gives the id that was given last, for
// [Table.Resume]. It waits for the programs of processes that are gone, as long as the
// context lasts.
func (t *Table) Idle(ctx context.Context) (lastID int, idle bool, err error) {
	t.mu.Lock()
	lastID, idle = t.lastID, len(t.processes) == 0
	left := slices.Collect(maps.Keys(t.running))
	t.mu.Unlock()
	if !idle {
		return lastID, false, nil
	}
	for _, p := range left {
		if err := p.ended(ctx); err != nil {
			return lastID, true, err
		}
	}
	return lastID, true, nil
}

// CanResume reports whether a table can have given that id last.
func CanResume(lastID int) bool { return lastID >= minID-1 && lastID <= maxID }

// Resume makes a new table go on after the id that another one has given last, for which
// CanResume holds.
func (t *Table) Resume(lastID int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lastID = lastID
}
