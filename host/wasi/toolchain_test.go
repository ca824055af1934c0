package wasi_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// needTools skips a test for which a tool isn't there. Where all have to be, as in
// continuous integration, WASMSANDBOX_TOOLCHAINS is "all", and the test fails.
func needTools(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("WASMSANDBOX_TOOLCHAINS") == "all" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// command runs a command in a folder, and fails the test if that fails.
func command(t testing.TB, dir string, env []string, name string, args ...string) (stdout string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("%s: %v\n%s", name, err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compileC compiles a program in C; for this machine if there is no target.
func compileC(t testing.TB, source, target string, flags ...string) (path string) {
	t.Helper()
	var clang string
	for _, name := range []string{"clang-19", "clang"} {
		if found, err := exec.LookPath(name); err == nil && clang == "" {
			clang = found
		}
	}
	if clang == "" {
		needTools(t, errors.New("clang isn't there"))
	}
	source = absolute(t, source)
	path = filepath.Join(t.TempDir(), "program")
	args := append([]string{"-D_GNU_SOURCE", "-O1", "-Wall", "-o", path}, flags...)
	if target != "" {
		args = append(args, "--target="+target)
	}
	if out, err := exec.Command(clang, append(args, source)...).CombinedOutput(); err != nil {
		needTools(t, errors.New(string(out))) // it has no C library for the target
	}
	return path
}

// compileRust compiles a program in Rust; for this machine if there is no target.
func compileRust(t testing.TB, source, target string) (path string) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiling a program in Rust takes seconds")
	}
	source = absolute(t, source)
	path = filepath.Join(t.TempDir(), "program")
	args := []string{"--edition=2021", "-o", path}
	if target != "" {
		args = append(args, "--target="+target)
	}
	last := errors.New("rustc isn't there")
	for _, rustc := range []string{"rustc", "/usr/bin/rustc"} {
		out, err := exec.Command(rustc, append(args, source)...).CombinedOutput()
		if err == nil {
			return path
		}
		last = errors.New(string(out) + err.Error()) // it has no library for the target
	}
	needTools(t, last)
	return ""
}

// buildGo compiles the program in Go; for this machine if there is no target.
func buildGo(path, target string) error {
	cmd := exec.Command("go", "build", "-o", path, "./testdata/goprogram")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if target != "" {
		cmd.Env = append(cmd.Env, "GOOS="+target, "GOARCH=wasm")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New(string(out))
	}
	return nil
}

// goProgramOnce is the program in Go, for all tests.
var goProgramOnce = sync.OnceValues(func() (engine.Module, error) {
	dir, err := os.MkdirTemp("", "goprogram")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "program.wasm")
	if err := buildGo(path, "wasip1"); err != nil {
		return nil, err
	}
	return load(path)
})

func goProgram(t testing.TB) engine.Module {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("compiling a program in Go takes seconds")
	case raceEnabled:
		t.Skip("compiling a program in Go takes a minute with the race detector")
	}
	m, err := goProgramOnce()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// programs is the engine that runs programs.
var programs = sync.OnceValues(func() (engine.Engine, error) {
	return wazero.New(context.Background(), wazero.Config{},
		wasi.Imports(func(in engine.Instance) *wasi.Env { return in.Data().(*wasi.Env) }))
})

// load gives a program to the engine.
func load(path string) (engine.Module, error) {
	binary, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	e, err := programs()
	if err != nil {
		return nil, err
	}
	return e.Compile(context.Background(), binary)
}

func compile(t testing.TB, path string) engine.Module {
	t.Helper()
	m, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return m
}

// runIn runs a program, and gives what ended it, if that isn't its end.
func runIn(ctx context.Context, m engine.Module, env *wasi.Env) error {
	defer env.Close()
	in, err := m.Instantiate(ctx, env)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close(context.WithoutCancel(ctx)) }()
	start, _ := in.Function("_start")
	err = start.Call(ctx, nil)
	if exit, ok := errors.AsType[*wasi.ExitError](err); ok && exit.Code == 0 {
		return nil
	}
	return err
}

// run runs a program to its end, and gives what it printed.
func run(t testing.TB, m engine.Module, config wasi.Config) (stdout string) {
	t.Helper()
	env := wasi.NewEnv(config)
	err := runIn(t.Context(), m, env)
	stdout, stderr := string(env.DrainStdout().Bytes), string(env.DrainStderr().Bytes)
	if err != nil || stderr != "" {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	return stdout
}
