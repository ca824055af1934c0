package host_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// seeded gives a workspace some files: a name that ends in a slash is a folder,
// content after "-> " makes a symlink.
func seeded(files map[string]string) func(*workspace.Tree) error {
	return func(w *workspace.Tree) error {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			var err error
			switch target, isLink := strings.CutPrefix(files[name], "-> "); {
			case strings.HasSuffix(name, "/"):
				err = w.MkdirAll(name, 0)
			case isLink:
				err = errors.Join(w.MkdirAll(name+"/..", 0), w.Symlink(target, name))
			default:
				err = errors.Join(w.MkdirAll(name+"/..", 0), w.WriteFile(name, []byte(files[name]), 0))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// withFiles is a session with a workspace that has some files, and no steps.
func withFiles(t *testing.T, files map[string]string, opts ...host.Option) *host.Scripted {
	t.Helper()
	return withWorkspace(t, nil, host.Workspace{Seed: seeded(files)}, opts...)
}

func withWorkspace(t *testing.T, steps []host.Step, w host.Workspace, opts ...host.Option) *host.Scripted {
	t.Helper()
	s, err := host.NewScripted(steps, append([]host.Option{host.WithWorkspace(w)}, opts...)...)
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

// tree shows all that is in a workspace, as seeded takes it.
func tree(w *workspace.Tree) map[string]string {
	files := map[string]string{}
	for _, e := range w.Snapshot() {
		switch {
		case e.Path == ".":
		case e.Mode.IsDir():
			files[e.Path+"/"] = ""
		case e.Target != "":
			files[e.Path] = "-> " + e.Target
		default:
			files[e.Path] = string(e.Content)
		}
	}
	return files
}

func readFile(t *testing.T, s *host.Scripted, name string) string {
	t.Helper()
	r, err := s.Read(t.Context(), host.ReadRequest{Path: name})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wantSandboxError checks the code and the fields of the context that are named.
func wantSandboxError(t *testing.T, err error, code host.Code, fields map[string]any) {
	t.Helper()
	e, ok := errors.AsType[*host.SandboxError](err)
	if !ok {
		t.Fatalf("got %v, want %s", err, code)
	}
	if e.Code != code {
		t.Fatalf("got %s (%v), want %s", e.Code, err, code)
	}
	got := e.PlainContext()
	for name, want := range fields {
		if !equalPlain(got[name], want) {
			t.Errorf("%s is %#v, want %#v", name, got[name], want)
		}
	}
}

func equalPlain(got, want any) bool {
	if list, ok := want.([]string); ok {
		items, ok := got.([]any)
		return ok && slices.EqualFunc(items, list, func(a any, b string) bool { return a == b })
	}
	return got == want
}
