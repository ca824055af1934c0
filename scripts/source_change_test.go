package scripts_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// go test keeps a test's result as long as nothing changes that it looked at:
// also no file that a guest is built from.
func TestAChangedGuestIsTestedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs go test")
	}
	newGoGuest(t, strings.Replace(goGuest, "\nfunc init", "\nimport \"hello/text\"\n\nvar _ = text.A\n\nfunc init", 1))
	t.Setenv(host.CacheEnv, t.TempDir())
	t.Setenv("GOFLAGS", "-mod=mod")
	write(t, "hello/text/text.go", "package text\n\nimport _ \"embed\"\n\n//go:embed a.txt\nvar A string\n")
	write(t, "hello/hello_test.go", `package main

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestScript(t *testing.T) {
	if _, err := scripts.Load(t.Context(), "..", scripts.AllowOutside()); err != nil {
		t.Fatal(err)
	}
}
`)
	age(t, "hello")
	for _, text := range []string{"a", "another"} {
		write(t, "hello/text/a.txt", text)
		age(t, "hello/text/a.txt")
		for _, want := range []bool{false, true} {
			if cached := goTest(t); cached != want {
				t.Errorf("with %q the result is an old one: %v, want %v", text, cached, want)
			}
		}
	}
}

// age makes a new file, or all new files of a folder, an hour older: go test doesn't
// trust those of the last seconds.
func age(t *testing.T, path string) {
	t.Helper()
	err := filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil || time.Since(info.ModTime()) > time.Hour/2 {
			return err
		}
		old := info.ModTime().Add(-time.Hour)
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func goTest(t *testing.T) (cached bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", ".")
	cmd.Dir = "hello"
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return strings.Contains(string(output), "(cached)")
}
