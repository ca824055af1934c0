package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/archive"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/diskfs"
)

// seedFrom copies a folder of the host, or unpacks a tar. Neither is written to.
func seedFrom(ctx context.Context, t *workspace.Tree, name string) error {
	err := seedAny(ctx, t, name)
	if err == nil {
		return nil
	}
	return &seedError{name, withoutCall(err)}
}

func seedAny(ctx context.Context, t *workspace.Tree, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return withoutPath(err)
	}
	if info.IsDir() {
		return seedFolder(ctx, t, name)
	}
	file, err := os.Open(name)
	if err != nil {
		return withoutPath(err)
	}
	defer file.Close()
	return archive.Hydrate(ctx, t, file, []string{"."})
}

// seedFolder copies a folder over what is there, as a tar of it would be unpacked.
// No link is followed.
func seedFolder(ctx context.Context, t *workspace.Tree, name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return withoutPath(err)
	}
	folder := diskfs.New(ctx, root)
	defer folder.Close()
	copied := workspace.New(workspace.Config{Policy: t.Policy(), Limits: t.Limits(), Now: t.Now()})
	if err := copied.CopyFS(folder); err != nil {
		return err
	}
	return t.Replace(copied.Snapshot(), ".")
}

// withoutCall leaves out which operation failed.
func withoutCall(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path != "" {
		return pathError(e.Path, err)
	}
	return err
}

// A seedError says that --workspace can't be used.
type seedError struct {
	name string
	err  error
}

func (e *seedError) Error() string { return "--workspace " + e.name + ": " + e.err.Error() }
func (e *seedError) Unwrap() error { return e.err }
