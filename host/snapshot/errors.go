package snapshot

import "fmt"

// A PersistError is a workspace that couldn't be stored.
type PersistError struct {
	ID   string
	Path string // where it would have been, or a name in angle brackets
	Err  error
}

func (e *PersistError) Error() string {
	return fmt.Sprintf("the snapshot %q can't be stored: %v", e.ID, e.Err)
}

func (e *PersistError) Unwrap() error { return e.Err }

// A RestoreError is a stored workspace that couldn't be got.
type RestoreError struct {
	ID   string
	Path string // where it should be, or a name in angle brackets
	Err  error
}

func (e *RestoreError) Error() string {
	return fmt.Sprintf("the snapshot %q can't be restored: %v", e.ID, e.Err)
}

func (e *RestoreError) Unwrap() error { return e.Err }

// A NotRestorableError is a snapshot that never has anything to restore.
type NotRestorableError struct {
	ID   string
	Path string // a name in angle brackets
}

func (e *NotRestorableError) Error() string {
	return fmt.Sprintf("the snapshot %q stores nothing", e.ID)
}

// An IDError is an id that can't be a file's name everywhere.
type IDError struct {
	ID     string
	Reason string
}

func (e *IDError) Error() string {
	return fmt.Sprintf("the id %q of a snapshot must be a single path segment: %s", e.ID, e.Reason)
}
