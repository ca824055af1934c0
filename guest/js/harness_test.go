package js

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// runtimeOfTests compiles the interpreter once for all tests.
var runtimeOfTests = sync.OnceValues(func() (*host.Runtime, error) {
	return host.NewRuntime(context.Background())
})

// load loads a program that must be fine.
func load(t testing.TB, filename, source string, opts ...host.ModuleOption) *host.Module {
	t.Helper()
	m, err := tryLoad(t, filename, source, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tryLoad(t testing.TB, filename, source string, opts ...host.ModuleOption) (*host.Module, error) {
	t.Helper()
	r, err := runtimeOfTests()
	if err != nil {
		t.Fatal(err)
	}
	return Load(t.Context(), r, "test", filename, []byte(source), opts...)
}

// loadFile loads a file of this folder.
func loadFile(t testing.TB, path string, opts ...host.ModuleOption) *host.Module {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return load(t, filepath.Base(path), string(source), opts...)
}

// session scripts a session in which one responder answers exec.
func session(t testing.TB, m *host.Module, responder string, opts ...host.Option) *host.Scripted {
	t.Helper()
	h, err := m.Responder(responder)
	if err != nil {
		t.Fatal(err)
	}
	return scripted(t, slices.Repeat([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(h)}}, 1000), opts...)
}

func scripted(t testing.TB, steps []host.Step, opts ...host.Option) *host.Scripted {
	t.Helper()
	s, err := host.NewScripted(steps, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// exec runs a command that must succeed as a call, and gives its result.
func exec(t testing.TB, s *host.Scripted, command ...string) host.ExecResult {
	t.Helper()
	result, err := s.Exec(t.Context(), host.ExecRequest{Command: command})
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return result
}

func stdout(t testing.TB, s *host.Scripted, command ...string) string {
	t.Helper()
	return string(bytes.TrimRight(exec(t, s, command...).Stdout, "\n"))
}
