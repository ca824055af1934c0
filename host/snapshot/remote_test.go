package snapshot

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A fakeClient stores in memory, unless it fails.
type fakeClient struct {
	stored map[string]string
	err    error
}

func (c *fakeClient) Upload(_ context.Context, id string, tar io.Reader) error {
	data, err := io.ReadAll(tar)
	if c.err == nil && err == nil {
		c.stored[id] = string(data)
	}
	return errors.Join(c.err, err)
}

func (c *fakeClient) Download(_ context.Context, id string) (io.ReadCloser, error) {
	data, found := c.stored[id]
	if c.err != nil || !found {
		return nil, c.err
	}
	return io.NopCloser(strings.NewReader(data)), nil
}

func (c *fakeClient) Exists(_ context.Context, id string) (bool, error) {
	_, found := c.stored[id]
	return found, c.err
}

// S6.89
func TestRemoteStoresThroughAClient(t *testing.T) {
	client := &fakeClient{stored: map[string]string{}}
	r := NewRemote(client, "bucket", "s")
	if ok, err := r.Restorable(t.Context()); ok || err != nil {
		t.Errorf("before: Restorable = %v, %v", ok, err)
	}
	_, err := r.Restore(t.Context())
	var failed *RestoreError
	if !errors.As(err, &failed) || !errors.Is(err, errNoStream) || failed.ID != "s" || failed.Path != "<remote:bucket>" {
		t.Errorf("without a stream: Restore: %v", err)
	}
	if err := r.Persist(t.Context(), strings.NewReader("tar")); err != nil {
		t.Fatal(err)
	}
	if ok, err := r.Restorable(t.Context()); !ok || err != nil {
		t.Errorf("after: Restorable = %v, %v", ok, err)
	}
	if got := restored(t, r); got != "tar" {
		t.Errorf("restored %q", got)
	}
}

func TestAClientsErrorsAreWrapped(t *testing.T) {
	cause := errors.New("no route")
	for name, try := range map[string]struct {
		client Client
		cause  error
	}{
		"one that fails": {&fakeClient{err: cause}, cause},
		"none":           {nil, errNoClient},
	} {
		r := NewRemote(try.client, "bucket", "s")
		var persist *PersistError
		if err := r.Persist(t.Context(), strings.NewReader("")); !errors.As(err, &persist) || !errors.Is(err, try.cause) || persist.ID != "s" || persist.Path != "<remote:bucket>" {
			t.Errorf("%s: Persist: %v", name, err)
		}
		var restore *RestoreError
		if _, err := r.Restore(t.Context()); !errors.As(err, &restore) || !errors.Is(err, try.cause) {
			t.Errorf("%s: Restore: %v", name, err)
		}
		if ok, err := r.Restorable(t.Context()); ok || !errors.As(err, &restore) {
			t.Errorf("%s: Restorable: %v, %v", name, ok, err)
		}
	}
}
