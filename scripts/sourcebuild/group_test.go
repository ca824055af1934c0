//go:build unix

package sourcebuild_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// stubborn stands for the compilers of all languages. It starts another process, and
// neither heeds interrupts. The other one opens a named pipe, which has the name of the
// folder of source, and keeps it open as long as it lives.
const stubborn = `#!/bin/sh
case "$*" in
*--print-targets*) echo wasm32; exit;;
*--print-prog-name*) echo "$0"; exit;;
*--print\ target-libdir*) echo "$STUBBORN"; exit;;
*--version*) echo stubborn; exit;;
esac
trap '' INT
(trap '' INT; exec >"$STUBBORN/${PWD##*/}.pipe"; while :; do sleep 1; done) &
wait
`

// useStubborn makes the stubborn compiler that of each language. It gives the folder
// that the named pipes have to be in.
func useStubborn(t *testing.T) (pipes string) {
	t.Helper()
	dir := t.TempDir()
	for name, variable := range map[string]string{"go": "", "node": "", "cc": "CC", "cargo": "CARGO", "rustc": "RUSTC", "zig": "ZIG"} {
		path := filepath.Join(dir, name)
		write(t, path, stubborn)
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if variable != "" {
			t.Setenv(variable, path)
		}
	}
	write(t, filepath.Join(dir, "libcore.rlib"), "")
	t.Setenv("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("STUBBORN", dir)
	return dir
}

// Were a process to go on, so would the test: go test's own limit then names the language.
func TestProcessesOfTheCompilerEndWithTheContext(t *testing.T) {
	t.Setenv(host.CacheEnv, t.TempDir())
	pipes := useStubborn(t)
	for language, s := range samples {
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			dir, pipe := filepath.Join(t.TempDir(), string(language)), filepath.Join(pipes, string(language)+".pipe")
			s.setup = nil // npm isn't needed
			s.create(t, dir)
			write(t, filepath.Join(dir, "node_modules/assemblyscript/bin/asc.js"), "")
			write(t, filepath.Join(dir, "node_modules/assemblyscript/package.json"), "{}")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			started, done := make(chan *os.File, 1), make(chan error, 1)
			go func() {
				f, _ := os.Open(pipe) // waits until the process opens it
				started <- f
			}()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				_, err := sourcebuild.Build(ctx, dir, sourcebuild.Options{})
				done <- err
			}()
			var process *os.File
			select {
			case process = <-started:
				defer process.Close()
			case err := <-done:
				t.Fatalf("the compiler wasn't started: %v", err)
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if _, err := io.Copy(io.Discard, process); err != nil { // to its end
				t.Error(err)
			}
		})
	}
}
