package scripts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A BuildError says why a guest can't be built from its Go source.
type BuildError struct {
	Dir    string
	Output string // what the go command printed, in full
	Err    error  // such as an *exec.ExitError; exec.ErrNotFound: there is no go command
}

func (e *BuildError) Error() string {
	if errors.Is(e.Err, exec.ErrNotFound) {
		return "building it needs the go command, which isn't there: install Go 1.26 or later from https://go.dev/dl," +
			" or name a module that is built already with wasm"
	}
	text := "go build failed: " + e.Err.Error()
	if output := strings.TrimRight(e.Output, "\n"); output != "" {
		text += "\n\t" + strings.ReplaceAll(output, "\n", "\n\t")
	}
	return text
}

// Unwrap gives the cause.
func (e *BuildError) Unwrap() error { return e.Err }

// buildGo builds the guest in a folder and gives its bytes. The go command finds
// out what has changed since the last build: what it makes is kept, and a file
// that is still right isn't linked again.
func buildGo(ctx context.Context, dir string) ([]byte, error) {
	cache, temporary, err := buildDir()
	if err != nil {
		return nil, err
	}
	if temporary {
		defer os.RemoveAll(cache)
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	target := filepath.Join(cache, targetName(dir))
	unlock, err := lock(ctx, target+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := runGo(ctx, dir, target); err != nil {
		return nil, err
	}
	noteSources(ctx, dir)
	return os.ReadFile(target)
}

// targetName is the file name for the guest in a folder: what makes it unique is
// the digest. Names of files can't be long.
func targetName(dir string) string {
	base := filepath.Base(dir)
	if len(base) > 40 {
		base = strings.ToValidUTF8(base[:40], "")
	}
	return fmt.Sprintf("%s-%x.wasm", base, sha256.Sum256([]byte(dir)))
}

// buildDir is the folder where built guests are kept: in
// host.CacheDir, or a temporary one when there is none.
func buildDir() (dir string, temporary bool, err error) {
	base, named := host.CacheDir()
	if base != "" {
		dir = filepath.Join(base, "go")
		if err = os.MkdirAll(dir, 0o700); err == nil || named {
			return dir, false, err
		}
	}
	dir, err = os.MkdirTemp("", "wasmsandbox-go-")
	return dir, true, err
}

// lock waits until no other process builds the same guest.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	done := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(path).Lock()
		done <- result{unlock, err}
	}()
	select {
	case r := <-done:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() { // it can't be told to stop waiting
			if r := <-done; r.err == nil {
				r.unlock()
			}
		}()
		return nil, ctx.Err()
	}
}

// runGo runs the go command, in a work folder of its own: one that is interrupted
// early leaves it behind.
func runGo(ctx context.Context, dir, target string) error {
	work, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), "wasmsandbox-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w", "-o", target, ".")
	cmd.Dir = dir
	cmd.Env = append(guestEnv(dir), "GOTMPDIR="+work)
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &BuildError{Dir: dir, Output: output.String(), Err: err}
	default:
		return nil
	}
}
