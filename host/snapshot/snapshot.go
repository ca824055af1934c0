package snapshot

import (
	"context"
	"io"
)

// A Snapshot is where one workspace is stored. It is safe for concurrent use.
type Snapshot interface {
	// ID tells it apart from others.
	ID() string

	// Persist stores a tar in place of the one that is there. When it fails with a
	// *PersistError that one is still there.
	Persist(ctx context.Context, tar io.Reader) error

	// Restore gives the tar, which the caller closes. It fails with a
	// *RestoreError, or a *NotRestorableError if there can't be any.
	Restore(ctx context.Context) (io.ReadCloser, error)

	// Restorable reports whether there is a tar.
	Restorable(ctx context.Context) (bool, error)
}
