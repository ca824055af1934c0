package wasi_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// goGuest compiles the guest in Go.
func goGuest() ([]byte, error) {
	dir, err := os.MkdirTemp("", "goguest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", out, "./testdata/goguest")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, errors.New(string(text))
	}
	return os.ReadFile(out)
}

// goModule gives the guest to the engine, once for all tests.
var goModule = sync.OnceValues(func() (engine.Module, error) {
	guest, err := goGuest()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	e, err := wazero.New(ctx, wazero.Config{Uninterruptible: true},
		wasi.Imports(func(in engine.Instance) *wasi.Env { return in.Data().(*wasi.Env) }))
	if err != nil {
		return nil, err
	}
	return e.Compile(ctx, guest)
})

// start makes an instance in an Env of its own, and starts the Go runtime.
func start(t *testing.T, config wasi.Config) (engine.Instance, *wasi.Env) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiling a guest in Go takes seconds")
	}
	m, err := goModule()
	if err != nil {
		t.Fatal(err)
	}
	env := wasi.NewEnv(config)
	in, err := m.Instantiate(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	if err := call(t, in, "_initialize"); err != nil {
		t.Fatal(err)
	}
	return in, env
}

func call(t *testing.T, in engine.Instance, name string, params ...uint64) error {
	t.Helper()
	f, ok := in.Function(name)
	if !ok {
		t.Fatalf("no function %q", name)
	}
	return f.Call(t.Context(), params)
}

const newYear = 1_767_225_600_000_000_000 // 2026-01-01 in nanoseconds

type report struct {
	Stdout, Stderr string
	Now            int64
}

func runReport(t *testing.T, seed uint64) report {
	t.Helper()
	in, env := start(t, wasi.Config{Now: newYear, Seed: seed, Stdin: []byte("line\nmore")})
	if err := call(t, in, "report"); err != nil {
		t.Fatal(err)
	}
	return report{string(env.DrainStdout().Bytes), string(env.DrainStderr().Bytes), env.Now()}
}

func TestAGoGuestSeesTheSameWorldTwice(t *testing.T) {
	first, second := runReport(t, 7), runReport(t, 7)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second run differs (-first +second):\n%s", diff)
	}
	if other := runReport(t, 8); other.Stdout == first.Stdout {
		t.Error("another seed changes nothing")
	}
	for _, want := range []string{
		"time 2026-01-01T00:00:00.",
		"slept 1m30s\n",
		"timers first second\n",
		"arguments [] environment []\n",
		"file true ", "folder true\n", "create true\n",
		`input "line\n" <nil>` + "\n",
		`rest "" <nil>` + "\n",
	} {
		if !strings.Contains(first.Stdout, want) {
			t.Errorf("the output lacks %q:\n%s", want, first.Stdout)
		}
	}
	if !strings.HasPrefix(first.Stderr, "done at 2026-01-01T02:01:30.") {
		t.Errorf("stderr is %q", first.Stderr)
	}
}

func TestAGoGuestExitsWithItsCode(t *testing.T) {
	for _, code := range []uint32{0, 1, 42} {
		in, _ := start(t, wasi.Config{})
		err := call(t, in, "exit", uint64(code))
		if exit, ok := errors.AsType[*wasi.ExitError](err); !ok || exit.Code != code {
			t.Errorf("error %v, want an *ExitError with code %d", err, code)
		}
	}
}

func TestAGoGuestThatPanicsSaysWhyOnStderr(t *testing.T) {
	in, env := start(t, wasi.Config{})
	err := call(t, in, "crash")
	// In a library Go's runtime aborts after a panic, where a program exits with 2.
	if trap, ok := errors.AsType[*engine.TrapError](err); !ok || !strings.Contains(trap.Stack, "main.crash") {
		t.Errorf("error %v, want a *TrapError in main.crash", err)
	}
	if text := string(env.DrainStderr().Bytes); !strings.Contains(text, "panic: on purpose") {
		t.Errorf("stderr is %q", text)
	}
}
