package host_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// echoWasm is the compiled guest in testdata/guests/echo, built once for all
// tests.
var echoWasm = sync.OnceValues(func() ([]byte, error) { return buildGo("../testdata/guests/echo") })

// buildGo compiles a guest in Go.
func buildGo(dir string) ([]byte, error) {
	temporary, err := os.MkdirTemp("", "wasmsandbox-guest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	out := filepath.Join(temporary, "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// loadEcho loads the guest in testdata/guests/echo.
func loadEcho(tb testing.TB) *host.Module {
	tb.Helper()
	wasm, err := echoWasm()
	if err != nil {
		tb.Fatal(err)
	}
	module, err := host.Load(context.Background(), "echo", wasm)
	if err != nil {
		tb.Fatal(err)
	}
	return module
}

func echoResponder(tb testing.TB, name string) host.Outcome {
	tb.Helper()
	r, err := loadEcho(tb).Responder(name)
	if err != nil {
		tb.Fatal(err)
	}
	return host.Respond(r)
}

func newSession(tb testing.TB, steps []host.Step, opts ...host.Option) *host.Scripted {
	tb.Helper()
	s, err := host.NewScripted(steps, opts...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return s
}
