package scripts_test

import (
	"os/exec"
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
	for _, text := range []string{"a", "another"} {
		write(t, "hello/text/a.txt", text)
		time.Sleep(2100 * time.Millisecond) // go test doesn't trust files that are newer
		for _, want := range []bool{false, true} {
			if cached := goTest(t); cached != want {
				t.Errorf("with %q the result is an old one: %v, want %v", text, cached, want)
			}
		}
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
