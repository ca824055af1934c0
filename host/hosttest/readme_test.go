package hosttest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// What the README shows has to work as it stands.
func TestTheReadmesTestResponderAndScriptWork(t *testing.T) {
	goCode, yaml := readmeBlocks(t, "go"), readmeBlocks(t, "yaml")
	if len(goCode) != 3 || len(yaml) != 2 {
		t.Fatalf("the README has %d blocks of Go and %d of YAML", len(goCode), len(yaml))
	}
	dir := userModule(t)
	write(t, filepath.Join(dir, "agent_test.go"), goCode[0])
	write(t, filepath.Join(dir, "agent.go"), `package agent

import (
	"context"
	"errors"
	"io/fs"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func Answer(ctx context.Context, s host.Session, _ string) string {
	if _, err := s.Exec(ctx, host.ExecRequest{Command: []string{"ls", "notes.md"}}); err != nil {
		return err.Error()
	}
	if _, err := s.Read(ctx, host.ReadRequest{Path: "notes.md"}); errors.Is(err, fs.ErrNotExist) {
		return "There are no notes."
	}
	return "?"
}
`)
	write(t, filepath.Join(dir, "mend_test.go"), goCode[2])
	write(t, filepath.Join(dir, "mend.go"), `package agent

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func Mend(ctx context.Context, s host.Session) {
	result, err := s.Exec(ctx, host.ExecRequest{Command: []string{"balance ledger.txt"}})
	if err != nil || result.ExitCode != 1 {
		return
	}
	diff := "@@\n-2026-01-06  tax          1.50\n+2026-01-06  tax          1.00\n"
	_, _ = s.ApplyPatch(ctx, host.ApplyPatchRequest{
		Operations: []host.PatchOperation{{Type: "update_file", Path: "ledger.txt", Diff: &diff}},
	})
}
`)
	copyExample(t, "workspace", dir, "balance.wasm", "project/ledger.txt")
	write(t, filepath.Join(dir, "git", "main.go"), goCode[1])
	write(t, filepath.Join(dir, "script.yaml"), yaml[0])
	write(t, filepath.Join(dir, "workspace.yaml"), yaml[1])

	test := exec.Command("go", "test", ".")
	test.Dir = dir
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("the test: %v\n%s", err, out)
	}

	for _, name := range []string{"script.yaml", "workspace.yaml"} {
		script, err := scripts.Load(t.Context(), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		session, err := script.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close(t.Context())
		report := scripts.Run(t.Context(), session, slices.Values(script.Calls))
		if report.Verdict() != scripts.Held {
			t.Errorf("%s: %v: %+v", name, report.Verdict(), report.Results)
		}
	}
}

// copyExample copies files of an example.
func copyExample(t *testing.T, example, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("../../scripts/examples", example, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(data))
	}
}

// readmeBlocks gives the README's code in a language.
func readmeBlocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		blocks = append(blocks, string(m[1]))
	}
	return blocks
}

// userModule makes a module that uses this one as it is here.
func userModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	goSum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/wasmsandbox/wasmsandbox"
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(string(goMod), "module "+path, "module agent", 1)+
		"\nrequire "+path+" v0.0.0\n\nreplace "+path+" => "+root+"\n")
	write(t, filepath.Join(dir, "go.sum"), string(goSum))
	t.Setenv("GOFLAGS", "-mod=mod")
	return dir
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
