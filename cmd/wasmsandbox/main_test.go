package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare output with")

// TestMain makes the command available to the scripts, each time as a process.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"wasmsandbox": main})
}

// sharedDir has the guests that tests build, and in cache the code that all
// processes of a test run compile.
var sharedDir string

// A suite is all tests, with what they share.
type suite struct{ m *testing.M }

func (s suite) Run() int {
	code, err := s.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return code
}

func (s suite) run() (code int, err error) {
	if sharedDir, err = os.MkdirTemp("", "wasmsandbox-test-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(sharedDir)) }()
	if raceEnabled {
		if err := useFastCommand(filepath.Join(sharedDir, "bin")); err != nil {
			return 0, err
		}
	}
	return s.m.Run(), nil
}

// useFastCommand makes "wasmsandbox" the command without the race detector, with
// which to compile a guest takes half a minute. The tests in process_test.go and
// those that call functions are about what runs concurrently; they have it.
func useFastCommand(bin string) error {
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin+string(filepath.Separator), ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return os.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func sharedCache() string { return filepath.Join(sharedDir, "cache") }

// builtGuests are the guests that buildGuest has built.
var builtGuests = struct {
	sync.Mutex
	errs map[string]error
}{errs: map[string]error{}}

// buildGuest compiles a guest, once, and gives the file. Its code is in the
// cache from then on.
func buildGuest(t *testing.T, source string) string {
	t.Helper()
	builtGuests.Lock()
	defer builtGuests.Unlock()
	out := filepath.Join(sharedDir, filepath.Base(source)+".wasm")
	err, done := builtGuests.errs[out]
	if !done {
		err = compileGuest(source, out)
		builtGuests.errs[out] = err
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func compileGuest(source, out string) error {
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, ".")
	build.Dir = source
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	compile := exec.Command("wasmsandbox", "inspect", out)
	compile.Env = append(os.Environ(), "WASMSANDBOX_CACHE="+sharedCache())
	if text, err := compile.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}
