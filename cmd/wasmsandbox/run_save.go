package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// saveTo writes the workspace to a file that is never seen half written: all of it
// or, if that fails, nothing.
func saveTo(ctx context.Context, session *host.Scripted, name string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*.tmp")
	if err != nil {
		return withoutPath(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
			err = withoutPath(err)
		}
	}()
	err = session.PersistWorkspace(ctx, file)
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
