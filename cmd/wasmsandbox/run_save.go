package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// saveTo writes the workspace to a file.
func saveTo(ctx context.Context, session *host.Scripted, name string) error {
	return replaceFile(name, func(w io.Writer) error { return session.PersistWorkspace(ctx, w) })
}

// replaceFile writes a file that is never seen half written: all of it or, if that
// fails, nothing.
func replaceFile(name string, write func(io.Writer) error) (err error) {
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
	err = write(file)
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
