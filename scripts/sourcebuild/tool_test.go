package sourcebuild_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// isolate leaves no compiler to be found.
func isolate(t *testing.T) {
	t.Helper()
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CC", "")
	t.Setenv("ZIG", "")
	t.Setenv("CARGO", "no-cargo") // that of the system would be found without PATH
}

func TestAMissingToolSaysWhatToInstall(t *testing.T) {
	for language, want := range map[sourcebuild.Language][]string{
		sourcebuild.Go:             {"building it from Go isn't possible: the go command isn't there; install Go 1.26 or later from https://go.dev/dl"},
		sourcebuild.C:              {"there is no clang", "or set CC to a clang that has the target wasm32"},
		sourcebuild.AssemblyScript: {"building it from AssemblyScript isn't possible: there is no node", "install Node.js 20 or later"},
		sourcebuild.Rust:           {"there is no cargo and rustc", "rustup target add wasm32-unknown-unknown"},
		sourcebuild.Zig:            {"there is no zig", "pip install ziglang"},
	} {
		s := samples[language]
		s.setup = nil
		dir := newProject(t, s)
		isolate(t)
		_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
		missing, ok := errors.AsType[*sourcebuild.MissingToolError](err)
		if !ok || missing.Language != language || !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("%s: got %v", language, err)
			continue
		}
		if checked := sourcebuild.Check(t.Context(), language, sourcebuild.Reactor); checked == nil || checked.Error() != err.Error() {
			t.Errorf("%s: Check gives %v, Build %v", language, checked, err)
		}
		for _, text := range want {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q is missing in %v", language, text, err)
			}
		}
	}
}

func TestPackagesThatAreNotInstalledAreTold(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		needTools(t, err)
	}
	s := samples[sourcebuild.AssemblyScript]
	s.setup = nil
	dir := newProject(t, s)
	_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "its compiler isn't installed; run npm install in "+dir) {
		t.Errorf("got %v", err)
	}
}

func TestNpmIsToldOfWhereOnlyNodeIs(t *testing.T) {
	s := samples[sourcebuild.AssemblyScript]
	s.setup = nil
	dir := newProject(t, s)
	isolate(t)
	node := filepath.Join(os.Getenv("PATH"), "node")
	write(t, node, "#!/bin/sh\n")
	if err := os.Chmod(node, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there are no shell scripts")
	}
	_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
	if err == nil || !strings.Contains(err.Error(), "there is no npm\n") || !strings.HasSuffix(err.Error(), "\tthen run npm install in "+dir) {
		t.Errorf("got %v", err)
	}
}

func TestTheFolderOfAGoGuestIsTold(t *testing.T) {
	s := samples[sourcebuild.Go]
	dir := newProject(t, sample{files: map[string]string{
		"go.mod": s.files["go.mod"], "agent_test.go": "package agent\n", "later/main.go": s.files["main.go"],
	}})
	_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "it has no Go source but tests: ") || !strings.HasSuffix(err.Error(), filepath.Join(dir, "later")) {
		t.Errorf("got %v", err)
	}
	write(t, filepath.Join(dir, "later/main.go"), "")
	if err := os.Rename(filepath.Join(dir, "later/main.go"), filepath.Join(dir, "later/main_test.go")); err != nil {
		t.Fatal(err)
	}
	_, err = sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
	if err == nil || err.Error() != "it has no Go source but tests" {
		t.Errorf("got %v", err)
	}
}

// The library for programs has to be of the compiler's version.
func TestTheLibraryOfTheFirstCompilerIsTold(t *testing.T) {
	const clang = "#!/bin/sh\ncase \"$*\" in\n*targets*) echo wasm32;;\n*prog-name*) echo /bin/sh;;\n-dumpversion) echo %s;;\n*) echo libc.a;;\nesac\n"
	isolate(t)
	first := filepath.Join(os.Getenv("PATH"), "clang")
	for path, version := range map[string]string{first: "14.0.6", first + "-19": "19.1.7"} {
		write(t, path, fmt.Sprintf(clang, version))
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if exec.Command(first).Run() != nil {
		t.Skip("there are no shell scripts")
	}
	want := "building it from C isn't possible: " + first + " doesn't find wasi-libc\n"
	err := sourcebuild.Check(t.Context(), sourcebuild.C, sourcebuild.Program)
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if runtime.GOOS == "linux" && !strings.Contains(err.Error(), "apt install wasi-libc libclang-rt-14-dev-wasm32\n") {
		t.Errorf("the package isn't told: %v", err)
	}
}

func TestAZigThatIsNamedHasToBeThere(t *testing.T) {
	isolate(t)
	t.Setenv("ZIG", "no-zig build")
	want := "building it from Zig isn't possible: there is no no-zig, which ZIG names\n"
	if err := sourcebuild.Check(t.Context(), sourcebuild.Zig, sourcebuild.Reactor); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A compiler without the target for WebAssembly is no compiler.
func TestACompilerWithoutTheTargetIsTold(t *testing.T) {
	compiler := filepath.Join(t.TempDir(), "compiler")
	write(t, compiler, "#!/bin/sh\necho /nowhere\n")
	if err := os.Chmod(compiler, 0o700); err != nil {
		t.Fatal(err)
	}
	if exec.Command(compiler).Run() != nil {
		t.Skip("there are no shell scripts")
	}
	isolate(t)
	t.Setenv("CARGO", compiler)
	t.Setenv("RUSTC", compiler)
	want := "building it from Rust isn't possible: " + compiler + " doesn't have the target wasm32-unknown-unknown\n"
	if err := sourcebuild.Check(t.Context(), sourcebuild.Rust, sourcebuild.Reactor); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	clang := filepath.Join(t.TempDir(), "clang")
	if err := os.Rename(compiler, clang); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(clang))
	want = "building it from C isn't possible: " + clang + " doesn't have the target wasm32\n"
	if err := sourcebuild.Check(t.Context(), sourcebuild.C, sourcebuild.Reactor); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What isn't one module says how many there are, and what would make it one.
func TestABuildMakesExactlyOneModule(t *testing.T) {
	const library = "crate-type = [\"cdylib\"]"
	for name, change := range map[string]func(t *testing.T, dir string){
		`the build made no module; Cargo.toml has to have one [lib] with crate-type = ["cdylib"]`: func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "Cargo.toml"), library, "crate-type = [\"rlib\"]")
		},
		`the build made 2 modules, other.wasm, sample_guest.wasm; Cargo.toml has to have one [lib]`: func(t *testing.T, dir string) {
			for _, member := range []string{"sample-guest", "other"} {
				manifest := strings.Replace(samples[sourcebuild.Rust].files["Cargo.toml"], "sample-guest", member, 1)
				write(t, filepath.Join(dir, member, "Cargo.toml"), manifest)
				write(t, filepath.Join(dir, member, "src/lib.rs"), "")
			}
			write(t, filepath.Join(dir, "Cargo.toml"), "[workspace]\nmembers = [\"other\", \"sample-guest\"]\n")
		},
	} {
		dir := newProject(t, samples[sourcebuild.Rust])
		change(t, dir)
		_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
		if _, ok := errors.AsType[*sourcebuild.MissingToolError](err); ok {
			needTools(t, err)
		}
		if _, ok := errors.AsType[*sourcebuild.OutputError](err); !ok || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}

func TestProgramsAreBuilt(t *testing.T) {
	for language, files := range map[sourcebuild.Language]map[string]string{
		sourcebuild.Go:   {"go.mod": "module sample\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() { println(\"hi\") }\n"},
		sourcebuild.C:    {"main.c": "#include <stdio.h>\nint main(void) { puts(\"hi\"); return 0; }\n"},
		sourcebuild.Rust: {"Cargo.toml": "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/main.rs": "fn main() { println!(\"hi\"); }\n"},
	} {
		t.Run(string(language), func(t *testing.T) {
			dir := newProject(t, sample{files: files})
			built, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{Kind: sourcebuild.Program})
			if _, ok := errors.AsType[*sourcebuild.MissingToolError](err); ok {
				needTools(t, err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(built.Wasm), "\x06_start") || !strings.Contains(string(built.Wasm), "wasi_snapshot_preview1") {
				t.Error("it isn't a WASI program")
			}
		})
	}
}

// A guest in C has no library of its own, unless it includes a header of one.
func TestAGuestInCUsesTheLibraryThatItIncludes(t *testing.T) {
	dir := newProject(t, samples[sourcebuild.C])
	if bare := mustBuild(t, dir, sourcebuild.Options{}); strings.Contains(string(bare), "_initialize") {
		t.Error("without a library it has to be initialised")
	}
	edit(t, filepath.Join(dir, "main.c"), `#include "answer.h"`, "#include \"answer.h\"\n# include <stdlib.h>\n")
	edit(t, filepath.Join(dir, "main.c"), "ANSWER", `atoi("4") + ANSWER`)
	if hosted := mustBuild(t, dir, sourcebuild.Options{}); !strings.Contains(string(hosted), "_initialize") {
		t.Error("with a library it isn't initialised")
	}
}
