package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestTheNamesOfTemporaryFilesAreTheSameInEachRun(t *testing.T) {
	const script = `mktemp; mktemp -d; mktemp -u; mktemp -u; mktemp fXXX.c; RANDOM=1; mktemp -p src`
	first, _ := ours(t, script)
	lines := strings.Fields(first)
	if again, _ := ours(t, script); again != first {
		t.Errorf("got %q, and then %q", first, again)
	}
	if len(lines) != 6 || lines[0] == lines[1] || lines[2] == lines[3] {
		t.Errorf("got %q", lines)
	}
}

func TestMktempTakesNoNameThatIsThere(t *testing.T) {
	s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
	names := map[string]bool{}
	for _, script := range []string{"mktemp", "mktemp", "mktemp -d", "mktemp -u"} { // each run has the same numbers
		var out bytes.Buffer
		code, err := s.Run(t.Context(), shell.Process{Args: []string{"sh", "-c", script}, Stdout: &out})
		if names[out.String()] || code != 0 || err != nil {
			t.Errorf("%s: got %d, %q again, %v", script, code, &out, err)
		}
		names[out.String()] = true
	}
}

func TestTemporaryFilesAreInTheRootOfAWorkspaceWithoutTmp(t *testing.T) {
	grants, err := workspace.NewPolicy("", workspace.Grant{Path: "/tmp"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		policy       workspace.Policy
		script, want string
	}{
		{script: `cd src; mktemp`, want: "/workspace/tmp.xxxxxxxxxx"},
		{script: `cd src; mktemp -t fXXX`, want: "/workspace/fxxx"},
		{script: `cd src; mktemp -u --tmpdir`, want: "/workspace/tmp.xxxxxxxxxx"},
		{script: `cd src; TMPDIR=. mktemp`, want: "./tmp.xxxxxxxxxx"},
		{script: `mktemp -u /tmp/fXXX`, want: "/tmp/fxxx"},
		{script: `mktemp /tmp/fXXX 2>&1`, want: "mktemp: failed to create file via template '/tmp/fxxx': No such file or directory"},
		{policy: grants, script: `mktemp`, want: "/tmp/tmp.xxxxxxxxxx"},
		{policy: grants, script: `mktemp -d /tmp/fXXX`, want: "/tmp/fxxx"},
		{policy: grants, script: `TMPDIR=/workspace mktemp`, want: "/workspace/tmp.xxxxxxxxxx"},
	} {
		tree := workspace.New(workspace.Config{Policy: test.policy})
		if err := tree.MkdirAll("src", 0); err != nil {
			t.Fatal(err)
		}
		s := &shell.Shell{Files: tree, Lookup: shell.Tools(builtin.Tools())}
		var out bytes.Buffer
		_, err := s.Run(t.Context(), shell.Process{Args: []string{"sh", "-c", test.script}, Stdout: &out})
		if got := strings.TrimSpace(out.String()); err != nil || !likeTemplate(got, test.want) {
			t.Errorf("%s: got %q, %v", test.script, got, err)
		}
	}
}

// likeTemplate compares a text with another one, the letters x of which are any.
func likeTemplate(text, want string) bool {
	if len(text) != len(want) {
		return false
	}
	for i := range len(want) {
		if want[i] != 'x' && text[i] != want[i] {
			return false
		}
	}
	return true
}

func TestMktempGivesUpWhenAllNamesAreTaken(t *testing.T) {
	tree := workspace.New(workspace.Config{Limits: workspace.Limits{Files: 1 << 18}})
	if err := tree.MkdirAll("full", 0); err != nil {
		t.Fatal(err)
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for i := range len(letters) * len(letters) * len(letters) {
		name := []byte{letters[i%62], letters[i/62%62], letters[i/62/62]}
		if err := tree.WriteFile("full/"+string(name), nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	s := &shell.Shell{Files: tree, Lookup: shell.Tools(builtin.Tools())}
	var out bytes.Buffer
	p := shell.Process{Args: []string{"mktemp", "-p", "full", "XXX"}, Stdout: &out, Stderr: &out}
	code, err := s.Run(t.Context(), p)
	if want := "mktemp: failed to create file via template 'full/XXX': File exists\n"; out.String() != want || code != 1 || err != nil {
		t.Errorf("got %d, %q, %v", code, &out, err)
	}
	p.Files, p.Dir, p.Random = tree, "/workspace", rand.New(rand.NewPCG(1, 2))
	if _, err := builtin.Tools()["mktemp"](endingctx.After(t.Context(), 4), p); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMktempTellsThatTheWorkspaceIsFull(t *testing.T) {
	tree := workspace.New(workspace.Config{Limits: workspace.Limits{Files: 2}})
	s := &shell.Shell{Files: tree, Lookup: shell.Tools(builtin.Tools())}
	for _, option := range []string{"", "-d"} {
		var out bytes.Buffer
		code, err := s.Run(t.Context(), shell.Process{
			Args: []string{"sh", "-c", "exec 2>&1; mktemp aXXX; mktemp aXXX; mktemp " + option + " bXXX"}, Stdout: &out,
		})
		if !strings.HasSuffix(out.String(), "via template 'bXXX': No space left on device\n") || code != 1 || err != nil {
			t.Errorf("%s: got %d, %q, %v", option, code, &out, err)
		}
	}
}
