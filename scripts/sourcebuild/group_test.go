//go:build unix

package sourcebuild_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// stubborn stands for a compiler that has started another process, and both of which
// don't heed interrupts.
const stubborn = `#!/bin/sh
case "$*" in
*--print-targets*) echo wasm32; exit;;
*--print-prog-name*) echo sh; exit;;
*--version*) echo stubborn; exit;;
esac
trap '' INT
(trap '' INT; while :; do sleep 1; done) &
echo $! >"$PID_FILE"
wait
`

func TestProcessesOfTheCompilerEndWithTheContext(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.C])
	compiler, pidFile := filepath.Join(t.TempDir(), "cc"), filepath.Join(t.TempDir(), "pid")
	write(t, compiler, stubborn)
	if err := os.Chmod(compiler, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", compiler)
	t.Setenv("PID_FILE", pidFile)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := sourcebuild.Build(ctx, dir, sourcebuild.Options{})
		done <- err
	}()
	pid := 0
	for start := time.Now(); pid == 0; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(pidFile)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		if time.Since(start) > time.Minute {
			t.Fatal("the compiler wasn't started")
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for start := time.Now(); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("its process goes on")
		}
	}
}
