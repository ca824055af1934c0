package scripts_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// wholeWorkspaces are workspaces that can be made.
var wholeWorkspaces = []string{
	"version: 1\nworkspace:\n",
	`{version: 1, manifest: {root: /home/a, grants: [/home, {path: /b, read_only: true}], environment: {A: b}, users: [u], groups: {g: [u]},
  entries: {e: {folder: true, mode: "700", ephemeral: true}, e/f: {text: x, owner: u, group: g}, c: y}},
 workspace: {files: {c: x, d: {base64: /w==, mode: "755"}, s: {folder: true}, l: {symlink: s}, l/m: {folder: true}, /home/b/x: "", /b/y: {text: x}}, folder: .,
  answers: {read: steps, exec: workspace}, limits: {bytes: 64KiB, files: 99}, utilities: false}, tools: {}}`,
	`{version: 1, workspace: {answers: {ls: workspace}}, steps: [{method: read, result: x}]}`,
}

func TestWholeWorkspacesCanBeMade(t *testing.T) {
	for _, text := range wholeWorkspaces {
		script, err := scripts.Parse(t.Context(), filepath.Join(t.TempDir(), "script.yaml"), []byte(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if err := newSession(t, script).Start(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// FuzzParse makes sure that no file panics, and that all that can be wrong with
// one has a place.
func FuzzParse(f *testing.F) {
	add := func(path string, data []byte) { f.Add(filepath.Ext(path) == ".json", data) }
	for _, pattern := range []string{"examples/*/script.yaml", "testdata/errors/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if filepath.Ext(path) != ".txtar" {
				add(path, data)
				continue
			}
			for _, file := range txtar.Parse(data).Files {
				add(file.Name, file.Data)
			}
		}
	}
	for _, text := range wholeWorkspaces {
		add("script.yaml", []byte(text))
	}
	dir := f.TempDir() // without modules to build
	f.Fuzz(func(t *testing.T, isJSON bool, data []byte) {
		name := filepath.Join(dir, "script.yaml")
		if isJSON {
			name = filepath.Join(dir, "script.json")
		}
		script, err := scripts.Parse(t.Context(), name, data, scripts.ForbidBuild())
		if err == nil {
			session, err := script.NewSession()
			if err != nil {
				t.Fatalf("a valid script makes no session: %v", err)
			}
			if err := session.Start(t.Context()); err != nil {
				t.Fatalf("a valid script makes a session that doesn't start: %v", err)
			}
			if err := session.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			return
		}
		all, ok := errors.AsType[*scripts.Error](err)
		if !ok || len(all.Problems) == 0 {
			t.Fatalf("got %v", err)
		}
		for _, p := range all.Problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Errorf("%+v has no place or message", p)
			}
		}
	})
}
