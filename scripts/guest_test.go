package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// guestWasm is the guest in testdata/guest, built once for all tests.
var guestWasm = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "wasmsandbox-guest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, ".")
	build.Dir = "testdata/guest"
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
})

// programs are modules of testdata/guests/programs, by their files' names.
var programs = sync.OnceValues(func() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range []string{"tool.wasm", "answer.wasm", "library.wasm"} {
		wasm, err := os.ReadFile(filepath.Join("../testdata/guests/programs", name))
		if err != nil {
			return nil, err
		}
		files[name] = wasm
	}
	return files, nil
})

// newProgramFolder is newFolder with the modules of programs.
func newProgramFolder(t *testing.T, files map[string]string) {
	t.Helper()
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	newFolder(t, files)
	for name, wasm := range all {
		write(t, name, string(wasm))
	}
}

func TestMain(m *testing.M) {
	_, _ = guestWasm() // in the package's own folder: tests change it
	_, _ = programs()
	os.Exit(m.Run())
}

// newFolder makes the current folder a new one, with guest.wasm and these files.
func newFolder(t *testing.T, files map[string]string) {
	t.Helper()
	wasm, err := guestWasm()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "guest.wasm", string(wasm))
	for name, text := range files {
		write(t, name, text)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
