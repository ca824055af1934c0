package sourcebuild_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// A sample is a small project in a language, whose module has the export answer. A
// source file is changed by replacing forty-two.
type sample struct {
	files  map[string]string
	source string // the file with the number 42
	syntax string // what the compiler says of the source without its last brace
	setup  func(t *testing.T, dir string)
}

var samples = map[sourcebuild.Language]sample{
	sourcebuild.Go: {
		files: map[string]string{
			"go.mod":  "module sample\n\ngo 1.26\n",
			"main.go": "package main\n\n//go:wasmexport answer\nfunc answer() int32 { return 42 }\n\nfunc main() {}\n",
		},
		source: "main.go", syntax: "./main.go:",
	},
	sourcebuild.C: {
		files: map[string]string{
			"main.c":             "#include \"answer.h\"\n__attribute__((export_name(\"answer\"))) int answer(void) { return ANSWER + zero(); }\n",
			"main_test.c":        "#include <stdio.h>\n#error a test isn't compiled\n",
			"answer.h":           "#define ANSWER 42\nint zero(void);\n",
			"wasmsandbox/zero.c": "#include <answer.h>\nint zero(void) { return 0; }\n",
		},
		source: "answer.h", syntax: "main.c:",
	},
	sourcebuild.Rust: {
		files: map[string]string{
			"Cargo.toml": "[package]\nname = \"sample-guest\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ncrate-type = [\"cdylib\"]\n",
			"src/lib.rs": "#[no_mangle]\npub extern \"C\" fn answer() -> i32 { 42 }\n",
		},
		source: "src/lib.rs", syntax: "--> src/lib.rs:",
	},
	sourcebuild.AssemblyScript: {
		files: map[string]string{
			"package.json":      `{"private": true, "devDependencies": {"assemblyscript": "0.28.20"}}`,
			"asconfig.json":     `{"targets": {"release": {"outFile": "build/release.wasm", "runtime": "stub", "optimizeLevel": 3}}}`,
			"assembly/index.ts": "export function answer(): i32 { return 42; }\n",
		},
		source: "assembly/index.ts", syntax: "in assembly/index.ts(",
		setup: npmInstall,
	},
	sourcebuild.Zig: {
		files: map[string]string{
			"build.zig": `const std = @import("std");

pub fn build(b: *std.Build) void {
    const exe = b.addExecutable(.{
        .name = "sample",
        .root_module = b.createModule(.{
            .root_source_file = b.path("main.zig"),
            .target = b.resolveTargetQuery(.{ .cpu_arch = .wasm32, .os_tag = .freestanding }),
            .optimize = .ReleaseSmall,
        }),
    });
    exe.entry = .disabled;
    exe.rdynamic = true;
    b.installArtifact(exe);
}
`,
			"main.zig": "export fn answer() i32 {\n    return 42;\n}\n",
		},
		source: "main.zig", syntax: "main.zig:",
	},
}

func npmInstall(t *testing.T, dir string) {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		needTools(t, err)
	}
	cmd := exec.CommandContext(t.Context(), npm, "install", "--prefer-offline", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		needTools(t, errors.New(string(out)))
	}
}

// needTools skips a test for which a tool isn't there. Where all have to be, as in
// continuous integration, WASMSANDBOX_TOOLCHAINS is "all", and the test fails.
func needTools(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("WASMSANDBOX_TOOLCHAINS") == "all" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// newProject makes a sample, with a cache of its own.
func newProject(t *testing.T, s sample) string {
	t.Helper()
	t.Setenv(host.CacheEnv, t.TempDir())
	dir := filepath.Join(t.TempDir(), "a sample")
	s.create(t, dir)
	return dir
}

func (s sample) create(t *testing.T, dir string) {
	t.Helper()
	for name, text := range s.files {
		write(t, filepath.Join(dir, name), text)
	}
	if s.setup != nil {
		s.setup(t, dir)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// edit replaces text in a file.
func edit(t *testing.T, path, old, with string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s lacks %q: %v", path, old, err)
	}
	write(t, path, strings.ReplaceAll(string(text), old, with))
}

func mustBuild(t *testing.T, dir string, o sourcebuild.Options) []byte {
	t.Helper()
	start := time.Now()
	built, err := sourcebuild.Build(t.Context(), dir, o)
	if _, ok := errors.AsType[*sourcebuild.MissingToolError](err); ok {
		needTools(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes in %v", len(built.Wasm), time.Since(start).Round(time.Millisecond))
	if !bytes.HasPrefix(built.Wasm, []byte("\x00asm\x01\x00\x00\x00")) || !bytes.Contains(built.Wasm, []byte("\x06answer\x00")) {
		t.Errorf("it isn't the module: %.40q", built.Wasm)
	}
	return built.Wasm
}

func forEachLanguage(t *testing.T, test func(*testing.T, sample)) {
	for language, s := range samples {
		t.Run(string(language), func(t *testing.T) { test(t, s) })
	}
}

func TestEachLanguageHasASample(t *testing.T) {
	for _, l := range sourcebuild.Languages() {
		if _, ok := samples[l]; !ok {
			t.Errorf("there is none in %s", l)
		}
	}
}

func TestAChangeIsBuiltAndKept(t *testing.T) {
	forEachLanguage(t, func(t *testing.T, s sample) {
		dir := newProject(t, s)
		first := mustBuild(t, dir, sourcebuild.Options{})
		if again := mustBuild(t, dir, sourcebuild.Options{}); !bytes.Equal(first, again) {
			t.Error("the same source gives another module")
		}
		edit(t, filepath.Join(dir, s.source), "42", "77")
		changed := mustBuild(t, dir, sourcebuild.Options{})
		if bytes.Equal(first, changed) {
			t.Error("a change gives the same module")
		}
		edit(t, filepath.Join(dir, s.source), "77", "42")
		if back := mustBuild(t, dir, sourcebuild.Options{}); !bytes.Equal(first, back) {
			t.Error("the first source gives another module")
		}
		if made, _ := filepath.Glob(filepath.Join(dir, "*", "*.wasm")); len(made) > 0 {
			t.Errorf("the build left %v in the source", made)
		}
	})
}

func TestWhatTheCompilerPrintsIsInTheError(t *testing.T) {
	forEachLanguage(t, func(t *testing.T, s sample) {
		dir := newProject(t, s)
		edit(t, filepath.Join(dir, s.source), "42", "42 42")
		_, err := sourcebuild.Build(t.Context(), dir, sourcebuild.Options{})
		if _, ok := errors.AsType[*sourcebuild.MissingToolError](err); ok {
			needTools(t, err)
		}
		failed, ok := errors.AsType[*sourcebuild.Error](err)
		if !ok || !strings.Contains(failed.Output, s.syntax) || !strings.Contains(err.Error(), s.syntax) ||
			!strings.HasPrefix(err.Error(), failed.Command+" failed: exit status ") {
			t.Errorf("got %v, want %s", err, s.syntax)
		}
	})
}

func TestTheEndOfTheContextLeavesNothingBehind(t *testing.T) {
	forEachLanguage(t, func(t *testing.T, s sample) {
		defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
		dir := newProject(t, s)
		t.Setenv("TMPDIR", t.TempDir())
		t.Setenv("GOCACHE", t.TempDir()) // so that it takes long
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		_, err := sourcebuild.Build(ctx, dir, sourcebuild.Options{})
		if _, ok := errors.AsType[*sourcebuild.MissingToolError](err); ok {
			needTools(t, err)
		}
		if !errors.Is(err, context.DeadlineExceeded) && err != nil {
			t.Errorf("got %v", err)
		}
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

func TestABuildNeedsNoCache(t *testing.T) {
	forEachLanguage(t, func(t *testing.T, s sample) {
		dir := newProject(t, s)
		t.Setenv(host.CacheEnv, "off")
		t.Setenv("TMPDIR", t.TempDir())
		mustBuild(t, dir, sourcebuild.Options{})
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}
