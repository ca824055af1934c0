package sourcebuild_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

func TestTheLanguageIsKnownByTheFiles(t *testing.T) {
	for _, test := range []struct {
		files map[string]string
		want  []sourcebuild.Language
	}{
		{map[string]string{"go.mod": ""}, []sourcebuild.Language{"go"}},
		{map[string]string{"a.go": "", "package.json": "{}"}, []sourcebuild.Language{"go"}},
		{map[string]string{"greet.c": "", "greet.h": "", "Makefile": ""}, []sourcebuild.Language{"c"}},
		{map[string]string{"Cargo.toml": "", "src/lib.rs": "", "src/extra.c": ""}, []sourcebuild.Language{"rust"}},
		{map[string]string{"build.zig": "", "wasmsandbox/a.c": ""}, []sourcebuild.Language{"zig"}},
		{map[string]string{"asconfig.json": ""}, []sourcebuild.Language{"assemblyscript"}},
		{map[string]string{"package.json": `{"dependencies": {"assemblyscript": "^0.28"}}`}, []sourcebuild.Language{"assemblyscript"}},
		{map[string]string{"package.json": `{"devDependencies": {"assemblyscript": "^0.28"}}`}, []sourcebuild.Language{"assemblyscript"}},
		{map[string]string{"package.json": `{"devDependencies": {"typescript": "^5"}}`}, nil},
		{map[string]string{"README.md": "", ".hidden.c": "", "sub/main.go": ""}, nil},
		{map[string]string{"main.go": "", "Cargo.toml": ""}, []sourcebuild.Language{"go", "rust"}},
		{map[string]string{"main.c": "", "build.zig": "", "asconfig.json": ""}, []sourcebuild.Language{"c", "assemblyscript", "zig"}},
	} {
		dir := t.TempDir()
		for name, text := range test.files {
			write(t, filepath.Join(dir, name), text)
		}
		got, err := sourcebuild.Detect(dir)
		if len(test.want) == 1 {
			if err != nil || got != test.want[0] {
				t.Errorf("%v: got %q, %v", test.files, got, err)
			}
			continue
		}
		e, ok := errors.AsType[*sourcebuild.DetectError](err)
		if !ok || !slices.Equal(e.Found, test.want) {
			t.Errorf("%v: got %q, %v", test.files, got, err)
			continue
		}
		for _, want := range append(test.want, "lang in a script and --lang on the command line") {
			if len(test.want) > 0 && !strings.Contains(err.Error(), string(want)) {
				t.Errorf("%q is missing in %v", want, err)
			}
		}
	}
}

func TestWhatIsLookedForIsToldWhenNothingIsFound(t *testing.T) {
	_, err := sourcebuild.Detect(t.TempDir())
	for _, want := range []string{"go.mod or *.go (Go)", "*.c (C)", "Cargo.toml (Rust)", "asconfig.json", "build.zig (Zig)", "name the .js file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}

func TestAFolderThatCannotBeReadIsAnError(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "package.json"), "{")
	if _, err := sourcebuild.Detect(dir); err == nil || !strings.HasPrefix(err.Error(), "package.json: ") {
		t.Errorf("got %v", err)
	}
	if _, err := sourcebuild.Detect(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that isn't there has a language")
	}
	_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{Language: "cobol"})
	if err == nil || err.Error() != `nothing is built from "cobol", but from assemblyscript, c, go, rust and zig` {
		t.Errorf("got %v", err)
	}
}

func TestTheLanguageCanBeChosen(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.Go])
	write(t, filepath.Join(dir, "Cargo.toml"), "[package]\n")
	if _, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{}); err == nil {
		t.Error("two languages aren't an error")
	}
	built, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{Language: sourcebuild.Go})
	if err != nil || built.Language != sourcebuild.Go || built.Language.Title() != "Go" {
		t.Errorf("got %v, %v", built, err)
	}
}
