package snapshot

import (
	"context"
	"errors"
	"io"
)

// A Client stores tars elsewhere, by their ids. It has to be safe for concurrent
// use.
type Client interface {
	// Upload stores what it reads to its end in the place of what there was. If it
	// fails, or reading does, that has to stay.
	Upload(ctx context.Context, id string, tar io.Reader) error

	// Download gives what is stored, or fails if nothing is. The caller closes the
	// stream.
	Download(ctx context.Context, id string) (io.ReadCloser, error)

	// Exists reports whether something is stored. That nothing is, is no error.
	Exists(ctx context.Context, id string) (bool, error)
}

// A Remote stores through a client (S6.89).
type Remote struct {
	id, name string
	client   Client
}

var _ Snapshot = (*Remote)(nil)

// NewRemote makes a snapshot that a client stores. The name is the client's, for
// errors.
func NewRemote(client Client, name, id string) *Remote {
	return &Remote{id: id, name: name, client: client}
}

// ID is what it was made with.
func (r *Remote) ID() string { return r.id }

// Path is the client's name in angle brackets.
func (r *Remote) Path() string { return "<remote:" + r.name + ">" }

var (
	errNoClient = errors.New("there is no client")
	errNoStream = errors.New("the client gave neither a stream nor an error")
)

// Persist uploads the tar.
func (r *Remote) Persist(ctx context.Context, tar io.Reader) error {
	err := errNoClient
	if r.client != nil {
		err = r.client.Upload(ctx, r.id, tar)
	}
	if err != nil {
		return &PersistError{ID: r.id, Path: r.Path(), Err: err}
	}
	return nil
}

// Restore downloads the tar.
func (r *Remote) Restore(ctx context.Context) (io.ReadCloser, error) {
	err := errNoClient
	var stream io.ReadCloser
	if r.client != nil {
		stream, err = r.client.Download(ctx, r.id)
	}
	if err == nil && stream == nil {
		err = errNoStream
	}
	if err != nil {
		return nil, &RestoreError{ID: r.id, Path: r.Path(), Err: err}
	}
	return stream, nil
}

// Restorable asks the client.
func (r *Remote) Restorable(ctx context.Context) (bool, error) {
	err, exists := errNoClient, false
	if r.client != nil {
		exists, err = r.client.Exists(ctx, r.id)
	}
	if err != nil {
		return false, &RestoreError{ID: r.id, Path: r.Path(), Err: err}
	}
	return exists, nil
}
