package host

import (
	"context"
	"errors"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/snapshot"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/archive"
)

// preservation is what a session knows of its workspace between a stop and a start.
type preservation struct {
	turn      ctxMutex // is held for all work with it
	ready     bool     // it has been started once
	persisted string   // the fingerprint of what the snapshot holds; "": unknown
}

// start makes the workspace what it should be (S6.88): what the snapshot holds, if
// there is one and the workspace isn't that already, and else what the manifest says.
// A workspace that has been started before only gets its ephemeral entries again. When
// an entry can't be made, those before it stay. Its turn is held.
func (b *backing) start(ctx context.Context) error {
	restored := false
	err := guarded("snapshot", func() (err error) {
		restored, err = b.restore(ctx)
		return err
	})
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
	if b.started.ready && b.started.persisted != "" && b.started.persisted == b.fingerprint(b.files) {
		return true, nil
	}
	b.started.persisted = ""
	stored, err := kept.Restore(ctx)
	switch {
	case err != nil:
		return false, snapshotError(err)
	case stored == nil:
		return false, errors.New("host: the snapshot has restored nothing")
	}
	defer stored.Close()
	if err := b.hydrate(ctx, &contextReader{ctx: ctx, r: stored}); err != nil {
		return false, err
	}
	return true, nil
}

// stop ends the terminals, and persists the workspace (S6.87). Its turn is held.
func (b *backing) stop(ctx context.Context) error {
	return b.stopError(errors.Join(b.terminals.end(ctx, false), b.persistSnapshot(ctx)))
}

// finish is stop for good, as soon as nobody else starts or stops the workspace.
func (b *backing) finish(ctx context.Context) error {
	err := b.started.turn.Lock(ctx)
	if err == nil {
		defer b.started.turn.Unlock()
		err = b.persistSnapshot(ctx)
	}
	return b.stopError(err)
}

func (b *backing) stopError(err error) error {
	if err == nil {
		return nil
	}
	return NewSandboxError(CodeWorkspaceStop, map[string]any{"path": b.files.Policy().Root()}, err)
}

// persistSnapshot stores the workspace as it is at one moment, unless it wasn't
// started or is stored already. When that fails, what is stored is unknown.
func (b *backing) persistSnapshot(ctx context.Context) error {
	kept := b.config.Snapshot
	if _, noop := kept.(snapshot.Noop); noop || kept == nil || !b.started.ready {
		return nil
	}
	files := b.files.Clone()
	fingerprint := b.fingerprint(files)
	if fingerprint == b.started.persisted {
		return nil
	}
	b.started.persisted = ""
	tar, err := b.persist(files)
	if err != nil {
		return err
	}
	err = guarded("snapshot", func() error { return kept.Persist(ctx, &contextReader{ctx: ctx, r: tar.Reader()}) })
	if err != nil {
		return snapshotError(err)
	}
	b.started.persisted = fingerprint
	return nil
}

// fingerprint tells whether files are the same as another time.
func (b *backing) fingerprint(files *workspace.Tree) string {
	return snapshot.Fingerprint(files.Snapshot(b.session.PersistSkipPaths()...))
}

// persist makes a tar of files, without what is skipped (S6.86).
func (b *backing) persist(files *workspace.Tree) (*archive.Tar, error) {
	tar, err := archive.Persist(files, b.session.PersistSkipPaths())
	if err != nil {
		return nil, archiveError(b.files.Policy().Root(), err)
	}
	return tar, nil
}

// hydrate makes the workspace what a tar holds, but for what is mounted.
func (b *backing) hydrate(ctx context.Context, tar io.Reader) error {
	return archiveError(b.files.Policy().Root(), archive.Hydrate(ctx, b.files, tar, b.session.config.manifest.Mounts))
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
