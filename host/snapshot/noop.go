package snapshot

import (
	"context"
	"io"
)

// noopPath is where nothing is stored (S5.4).
const noopPath = "<noop>"

// A Noop stores nothing (S5.4).
type Noop struct{ id string }

var _ Snapshot = Noop{}

// NewNoop makes a snapshot that stores nothing.
func NewNoop(id string) Noop { return Noop{id} }

// ID is what it was made with.
func (n Noop) ID() string { return n.id }

// Persist doesn't even read the tar.
func (Noop) Persist(context.Context, io.Reader) error { return nil }

// Restore always fails with a *NotRestorableError.
func (n Noop) Restore(context.Context) (io.ReadCloser, error) {
	return nil, &NotRestorableError{ID: n.id, Path: noopPath}
}

// Restorable reports false.
func (Noop) Restorable(context.Context) (bool, error) { return false, nil }
