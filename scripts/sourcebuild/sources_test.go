package sourcebuild_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

const modulePath = "github.com/wasmsandbox/wasmsandbox"

// go test keeps a test's result as long as nothing changes that it looked at: also
// no file that a module is built from.
func TestChangedSourceIsTestedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs go test")
	}
	dir, cache := t.TempDir(), t.TempDir()
	t.Setenv(host.CacheEnv, cache)
	newTestModule(t, dir)
	for language, s := range samples {
		if sourcebuild.Check(t.Context(), language, sourcebuild.Reactor) != nil {
			s.setup = nil // its test is skipped, or fails
		}
		s.create(t, filepath.Join(dir, string(language)))
	}
	age(t, dir)
	for _, number := range []string{"42", "77"} {
		for language, s := range samples {
			source := filepath.Join(dir, string(language), s.source)
			edit(t, source, "42", number)
			age(t, source)
		}
		age(t, cache) // cargo compares times
		for language := range samples {
			t.Run(string(language), func(t *testing.T) {
				if err := sourcebuild.Check(t.Context(), language, sourcebuild.Reactor); err != nil {
					needTools(t, err)
				}
				for _, want := range []bool{false, true} {
					if cached := goTest(t, dir, language); cached != want {
						t.Errorf("with %s the result is an old one: %v, want %v", number, cached, want)
					}
				}
			})
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

// newTestModule makes a folder a Go module that uses the one that is tested, and
// has a test for each language that builds its folder.
func newTestModule(t *testing.T, dir string) {
	t.Helper()
	own, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, modErr := os.ReadFile(filepath.Join(own, "go.mod"))
	sum, sumErr := os.ReadFile(filepath.Join(own, "go.sum"))
	if err := errors.Join(modErr, sumErr); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(string(mod), "module "+modulePath, "module user", 1)+
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", modulePath, own))
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	var b strings.Builder
	fmt.Fprintf(&b, "package user\n\nimport (\n\t\"testing\"\n\n\t%q\n)\n", modulePath+"/scripts/sourcebuild")
	for _, language := range sourcebuild.Languages() {
		fmt.Fprintf(&b, `
func Test_%[1]s(t *testing.T) {
	if _, err := sourcebuild.Build(t.Context(), "%[1]s", sourcebuild.Options{}); err != nil {
		t.Fatal(err)
	}
}
`, language)
	}
	write(t, filepath.Join(dir, "build_test.go"), b.String())
}

func goTest(t *testing.T, dir string, language sourcebuild.Language) (cached bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "-run", "^Test_"+string(language)+"$", ".")
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOFLAGS=") // such as -count=1
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return strings.Contains(string(output), "(cached)")
}
