package scripts_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

const goGuest = `package main

import "github.com/wasmsandbox/wasmsandbox/guest"

func init() {
	guest.OnExec("hello", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout("hello"), nil
	})
}

func main() {}
`

// newGoGuest makes the current folder one with a script and a guest in Go, which
// uses the module that is tested.
func newGoGuest(t *testing.T, source string) {
	t.Helper()
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var own [2]string
	for i, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			t.Fatal(err)
		}
		own[i] = string(text)
	}
	const path = "github.com/wasmsandbox/wasmsandbox"
	newFolder(t, map[string]string{
		"script.yaml": `{version: 1, modules: {hello: hello}, steps: [{method: exec, responder: {module: hello, handler: hello}}],
  calls: [{method: exec, args: [x], expect: {stdout: hello}}]}`,
		"hello/main.go": source,
		"hello/go.mod": strings.Replace(own[0], "module "+path, "module hello", 1) +
			"\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + module + "\n",
		"hello/go.sum": own[1],
	})
}

func TestGuestsInGoAreBuiltOnceAndKept(t *testing.T) {
	newGoGuest(t, goGuest)
	cache := t.TempDir()
	t.Setenv(host.CacheEnv, cache)
	for range 2 {
		script, err := scripts.Load(t.Context(), ".")
		if err != nil {
			t.Fatal(err)
		}
		if report := runScript(t, script); report.Verdict() != scripts.Held {
			t.Errorf("it is %s", report.Verdict())
		}
	}
	kept, err := filepath.Glob(filepath.Join(cache, "builds", "hello-go-reactor-*.wasm"))
	if err != nil || len(kept) != 1 {
		t.Errorf("the cache holds %v", kept)
	}

	write(t, "hello/main.go", strings.Replace(goGuest, `Stdout("hello")`, `Stdout("changed")`, 1))
	script, err := scripts.Load(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if report := runScript(t, script); report.Verdict() != scripts.NotHeld || !strings.Contains(differences(report.Results[0]), "changed") {
		t.Errorf("after a change it is %s", report.Verdict())
	}
}

func TestAGuestIsBuiltWithoutACache(t *testing.T) {
	newGoGuest(t, goGuest)
	t.Setenv(host.CacheEnv, "off")
	t.Setenv("TMPDIR", t.TempDir())
	if _, err := scripts.Load(t.Context(), "."); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "wasmsandbox-*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestManyMayBuildTheSameGuestAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	newGoGuest(t, goGuest)
	t.Setenv(host.CacheEnv, t.TempDir())
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := scripts.Load(t.Context(), "."); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestWhatTheCompilerSaysIsShownInFull(t *testing.T) {
	newGoGuest(t, strings.Replace(goGuest, "guest.Stdout", "guest.Stdot", 1)+"\nvar x int = \"text\"\n")
	t.Setenv(host.CacheEnv, t.TempDir())
	_, err := scripts.Load(t.Context(), ".")
	build, ok := errors.AsType[*sourcebuild.Error](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"./main.go:7:16: undefined: guest.Stdot", `./main.go:13:13: cannot use "text"`} {
		if !strings.Contains(build.Output, want) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	if !strings.HasPrefix(err.Error(), "script.yaml:1:31: modules.hello can't be loaded: go build failed: exit status 1\n\t") {
		t.Errorf("got %v", err)
	}
}

func TestWithoutTheGoCommandTheErrorSaysWhatToInstall(t *testing.T) {
	newGoGuest(t, goGuest)
	t.Setenv(host.CacheEnv, t.TempDir())
	t.Setenv("PATH", t.TempDir())
	_, err := scripts.Load(t.Context(), ".")
	if !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "install Go 1.26 or later") {
		t.Errorf("got %v", err)
	}
}

func TestBuildingCanBeForbidden(t *testing.T) {
	newGoGuest(t, goGuest)
	_, err := scripts.Load(t.Context(), ".", scripts.ForbidBuild())
	if err == nil || !strings.Contains(err.Error(), "modules.hello would have to be built") {
		t.Errorf("got %v", err)
	}
}
