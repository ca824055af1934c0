//go:build unix

package scripts_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// Were the build to go on, so would the test.
func TestTheEndOfTheContextEndsABuild(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	newGoGuest(t, goGuest)
	t.Setenv(host.CacheEnv, t.TempDir())
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	compiler, started := filepath.Join(dir, "go"), filepath.Join(dir, "started")
	write(t, compiler, "#!/bin/sh\necho started >"+started+"\nexec sleep 100000\n")
	if err := errors.Join(os.Chmod(compiler, 0o700), syscall.Mkfifo(started, 0o600)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(started) // waits for the compiler
		cancel()
	}()
	if _, err := scripts.Load(ctx, "."); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
