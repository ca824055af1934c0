package sourcebuild_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

func TestAHeaderOutsideOfTheFolderCounts(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.C])
	edit(t, filepath.Join(dir, "main.c"), `"answer.h"`, `"../answer.h"`)
	header := filepath.Join(filepath.Dir(dir), "answer.h")
	write(t, header, samples[sourcebuild.C].files["answer.h"])
	first := mustBuild(t, dir, sourcebuild.Options{})
	edit(t, header, "42", "77")
	if changed := mustBuild(t, dir, sourcebuild.Options{}); bytes.Equal(first, changed) {
		t.Error("a change gives the same module")
	}
}

func TestALinkedPackageCounts(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.AssemblyScript])
	library := t.TempDir()
	write(t, filepath.Join(library, "index.ts"), "export const ANSWER: i32 = 42;\n")
	if err := os.Symlink(library, filepath.Join(dir, "node_modules", "library")); err != nil {
		t.Skip(err)
	}
	write(t, filepath.Join(dir, "assembly/index.ts"),
		"import { ANSWER } from \"library/index\";\nexport function answer(): i32 { return ANSWER; }\n")
	first := mustBuild(t, dir, sourcebuild.Options{})
	edit(t, filepath.Join(library, "index.ts"), "42", "77")
	if changed := mustBuild(t, dir, sourcebuild.Options{}); bytes.Equal(first, changed) {
		t.Error("a change gives the same module")
	}
}

// The same content in another folder isn't built again, and neither is it after a
// change of what isn't source.
func TestWhatWasBuiltIsKnownByContent(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.C])
	cache := os.Getenv(host.CacheEnv)
	kept := func() int {
		modules, err := filepath.Glob(filepath.Join(cache, "builds", "c-*.wasm"))
		if err != nil {
			t.Fatal(err)
		}
		return len(modules)
	}
	mustBuild(t, dir, sourcebuild.Options{})
	for _, name := range []string{"build/x.o", ".git/HEAD", "node_modules/a/index.js", ".hidden", "old.wasm", "target/x"} {
		write(t, filepath.Join(dir, name), "x")
	}
	mustBuild(t, dir, sourcebuild.Options{})
	other := filepath.Join(t.TempDir(), "other")
	for name, text := range samples[sourcebuild.C].files {
		write(t, filepath.Join(other, name), text)
	}
	mustBuild(t, other, sourcebuild.Options{})
	if n := kept(); n != 1 {
		t.Errorf("%d modules are kept, want 1", n)
	}
	write(t, filepath.Join(other, "new.h"), "")
	mustBuild(t, other, sourcebuild.Options{})
	if n := kept(); n != 2 {
		t.Errorf("after a change %d modules are kept, want 2", n)
	}
}

func TestAKeptModuleThatWasCutOffIsMadeAgain(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.C])
	first := mustBuild(t, dir, sourcebuild.Options{})
	lists, err := filepath.Glob(filepath.Join(os.Getenv(host.CacheEnv), "builds", "c-*.inputs"))
	if err != nil || len(lists) != 1 {
		t.Fatal(lists, err)
	}
	write(t, lists[0], "not a list")
	if again := mustBuild(t, dir, sourcebuild.Options{}); !bytes.Equal(first, again) {
		t.Error("another module was made")
	}
}
