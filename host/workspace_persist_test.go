package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// It is written as it is made, so that neither the time nor the memory is lost on what
// nobody wants any more.
func TestPersistingEndsWithItsContext(t *testing.T) {
	for name, fill := range map[string]func(*workspace.Tree) error{
		"a large file": func(tree *workspace.Tree) error { return tree.WriteFile("a", make([]byte, 5<<20), 0) },
		"many files": func(tree *workspace.Tree) (err error) {
			for i := range 1000 {
				err = errors.Join(err, tree.WriteFile(fmt.Sprint(i), nil, 0))
			}
			return err
		},
	} {
		s := withWorkspace(t, nil, host.Workspace{Seed: fill})
		ctx, cancel := context.WithCancel(t.Context())
		written := 0
		err := s.PersistWorkspace(ctx, writerFunc(func(p []byte) (int, error) {
			written++
			cancel()
			return len(p), nil
		}))
		if !errors.Is(err, context.Canceled) || written != 1 {
			t.Errorf("%s: got %v after %d pieces", name, err, written)
		}
	}
}

func TestTheErrorOfTheWriterIsThatOfPersisting(t *testing.T) {
	s := withFiles(t, map[string]string{"a": "x"})
	full := errors.New("full")
	if err := s.PersistWorkspace(t.Context(), writerFunc(func([]byte) (int, error) { return 0, full })); err != full {
		t.Errorf("got %v", err)
	}
	if err := s.Workspace().Chown("a", "x\x00y", ""); err != nil {
		t.Fatal(err)
	}
	var e *host.SandboxError
	if err := s.PersistWorkspace(t.Context(), io.Discard); !errors.As(err, &e) || e.Code != host.CodeWorkspaceArchiveWrite {
		t.Errorf("got %v", err)
	}
}

func TestASnapshotIsStoredNoLongerThanItsContextLasts(t *testing.T) {
	kept := &memorySnapshot{}
	s := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
	start(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	kept.before = cancel
	if err := s.Stop(ctx); !errors.Is(err, context.Canceled) || kept.stored.Len() > 0 {
		t.Errorf("got %v, %d bytes", err, kept.stored.Len())
	}
}

// A memorySnapshot copies what it gets, whatever becomes of the context.
type memorySnapshot struct {
	before func()
	stored bytes.Buffer
}

func (m *memorySnapshot) ID() string { return "memory" }

func (m *memorySnapshot) Persist(_ context.Context, tar io.Reader) error {
	if m.before != nil {
		m.before()
	}
	_, err := m.stored.ReadFrom(tar)
	return err
}

func (m *memorySnapshot) Restore(context.Context) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(m.stored.Bytes())), nil
}

func (m *memorySnapshot) Restorable(context.Context) (bool, error) { return m.stored.Len() > 0, nil }
