package host

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/snapshot"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/archive"
)

// preservation is what a session knows of its workspace between a stop and a start.
type preservation struct {
	mu        sync.Mutex
	ready     bool   // it has been started once
	persisted string // the fingerprint of what the snapshot holds; "": unknown
}

// start makes the workspace what it should be (S6.88): what the snapshot holds, if
// there is one, and else what the manifest says. A workspace that has been started
// before, and hasn't been changed since it was persisted, only gets its ephemeral
// entries again.
func (b *backing) start(ctx context.Context) error {
	b.started.mu.Lock()
	defer b.started.mu.Unlock()
	restored, err := b.restore(ctx)
	if err == nil {
		err = b.session.config.manifest.apply(b.files, restored || b.started.ready)
	}
	if err != nil {
		return NewSandboxError(CodeWorkspaceStart, map[string]any{"path": b.files.Policy().Root()}, err)
	}
	b.started.ready = true
	return nil
}

// restore puts the snapshot into the workspace, if there is one and the workspace
// isn't what it holds already.
func (b *backing) restore(ctx context.Context) (done bool, err error) {
	kept := b.config.Snapshot
	if kept == nil {
		return false, nil
	}
	restorable, err := kept.Restorable(ctx)
	if err != nil || !restorable {
		return false, snapshotError(err)
	}
	if b.started.ready && b.started.persisted != "" && b.started.persisted == b.fingerprint() {
		return true, nil
	}
	stored, err := kept.Restore(ctx)
	if err != nil {
		return false, snapshotError(err)
	}
	defer stored.Close()
	if err := b.hydrate(&contextReader{ctx, stored}); err != nil {
		return false, err
	}
	b.started.persisted = b.fingerprint()
	return true, nil
}

// stop ends the terminals, and persists the workspace (S6.87).
func (b *backing) stop(ctx context.Context) error {
	if err := errors.Join(b.terminals.end(ctx), b.persistSnapshot(ctx)); err != nil {
		return NewSandboxError(CodeWorkspaceStop, map[string]any{"path": b.files.Policy().Root()}, err)
	}
	return nil
}

// persistSnapshot stores the workspace, unless it wasn't started or is stored
// already. When that fails, what is stored is unknown.
func (b *backing) persistSnapshot(ctx context.Context) error {
	b.started.mu.Lock()
	defer b.started.mu.Unlock()
	kept := b.config.Snapshot
	if _, noop := kept.(snapshot.Noop); noop || kept == nil || !b.started.ready {
		return nil
	}
	fingerprint := b.fingerprint()
	if fingerprint == b.started.persisted {
		return nil
	}
	b.started.persisted = ""
	tar, err := b.persist()
	if err != nil {
		return err
	}
	if err := kept.Persist(ctx, tar.Reader()); err != nil {
		return snapshotError(err)
	}
	b.started.persisted = fingerprint
	return nil
}

// fingerprint tells whether the workspace is the same as another time.
func (b *backing) fingerprint() string {
	return snapshot.Fingerprint(b.files.Snapshot(b.session.PersistSkipPaths()...))
}

// persist makes a tar of the workspace, without what is skipped (S6.86).
func (b *backing) persist() (*archive.Tar, error) {
	tar, err := archive.Persist(b.files, b.session.PersistSkipPaths())
	if err != nil {
		return nil, archiveError(b.files.Policy().Root(), err)
	}
	return tar, nil
}

// hydrate makes the workspace what a tar holds, but for what is mounted.
func (b *backing) hydrate(tar io.Reader) error {
	return archiveError(b.files.Policy().Root(), archive.Hydrate(b.files, tar, b.session.config.manifest.Mounts))
}

// snapshotError gives the error of a snapshot the form of the sandbox's own.
func snapshotError(err error) error {
	if e, ok := errors.AsType[*snapshot.PersistError](err); ok {
		return NewSandboxError(CodeSnapshotPersist, map[string]any{"snapshot_id": e.ID, "path": e.Path}, err)
	}
	if e, ok := errors.AsType[*snapshot.RestoreError](err); ok {
		return NewSandboxError(CodeSnapshotRestore, map[string]any{"snapshot_id": e.ID, "path": e.Path}, err)
	}
	if e, ok := errors.AsType[*snapshot.NotRestorableError](err); ok {
		return NewSandboxError(CodeSnapshotNotRestorable, map[string]any{"snapshot_id": e.ID, "path": e.Path}, err)
	}
	return err
}
