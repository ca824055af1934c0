package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestNothingIsLeftOfAProjectThatCannotBeWritten(t *testing.T) {
	root := t.TempDir()
	files := []newFile{{"a.txt", "a"}, {"sub/b.txt", "b"}, {"a.txt/c.txt", "a file isn't a folder"}}
	if err := writeNew(filepath.Join(root, "x", "y"), files); err == nil {
		t.Error("it was written")
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestExistingFoldersStay(t *testing.T) {
	root := t.TempDir()
	files := []newFile{{"a.txt", "a"}, {"a.txt/c.txt", "a file isn't a folder"}}
	if err := writeNew(root, files); err == nil {
		t.Error("it was written")
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestNewModuleNeedsTheVersionOfTheCommand(t *testing.T) {
	for name, test := range map[string]struct {
		module    goModule
		next, run string
	}{
		"released":         {goModule{Version: "v1.2.3"}, "go mod tidy", modulePath + "/cmd/wasmsandbox@v1.2.3 run ."},
		"source":           {goModule{Version: "v0.0.0", Replace: "/src"}, "go mod tidy", "-C /src ./cmd/wasmsandbox run /x/greeter"},
		"trimmed":          {goModule{}, "go mod tidy", modulePath + "/cmd/wasmsandbox@latest run ."},
		"inside, released": {goModule{File: "go.mod", Version: "v1.2.3"}, "go get " + modulePath + "@v1.2.3; go mod tidy", modulePath + "/cmd/wasmsandbox@v1.2.3 run ."},
		"inside, trimmed":  {goModule{File: "go.mod"}, "go mod tidy", modulePath + "/cmd/wasmsandbox@latest run ."},
		"inside, development": {
			goModule{File: "go.mod", Version: "v0.0.0", Replace: "/my src"},
			"go mod edit -replace '" + modulePath + "=/my src'; go mod tidy", "-C '/my src' ./cmd/wasmsandbox run /x/greeter",
		},
		"inside, with the host": {
			goModule{File: "go.mod", Version: "v0.0.0", Replace: "/src", hasHost: true}, "", "-C /src ./cmd/wasmsandbox run /x/greeter",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := &project{Dir: "/x/greeter", Module: test.module, Language: projectLanguageOf("go")}
			want := strings.TrimSuffix("cd greeter; "+test.next, "; ") + "; go test ./...; "
			if got := strings.Join(p.nextCommands("greeter", true), "; "); got != want+"wasmsandbox run ." {
				t.Errorf("got %q, want %q", got, want+"wasmsandbox run .")
			}
			if got := strings.Join(p.nextCommands("greeter", false), "; "); got != want+"go run "+test.run {
				t.Errorf("not installed: got %q, want %q", got, want+"go run "+test.run)
			}
		})
	}
}

func TestTheZigThatIsThereIsToldOf(t *testing.T) {
	zig := projectLanguageOf("zig")
	path := t.TempDir()
	t.Setenv("PATH", path)
	t.Setenv("ZIG", "")
	if got := zig.testCommands()[0]; got != "python3 -m ziglang build test" {
		t.Errorf("without zig: %s", got)
	}
	if err := os.WriteFile(filepath.Join(path, "zig"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("zig"); err == nil { // not on Windows
		if got := zig.testCommands()[0]; got != "zig build test" {
			t.Errorf("with zig: %s", got)
		}
	}
	t.Setenv("ZIG", "/opt/zig/zig")
	if got := zig.testCommands()[0]; got != "$ZIG build test" {
		t.Errorf("with ZIG: %s", got)
	}
}

func TestShellWordsAreQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"a/b-c_1.go": "a/b-c_1.go", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "a;b": "'a;b'",
		"~a": "'~a'", "-a/b": "./-a/b", "=a": "'=a'",
	} {
		if got := quoteShell(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}

func TestHostIsFoundInGoMod(t *testing.T) {
	for content, want := range map[string]bool{
		"module " + modulePath + "\n":                                         true,
		"module x\n\nrequire " + modulePath + " v1.0.0\n":                     true,
		"module x\n\nrequire (\n\t" + modulePath + " v1.0.0 // indirect\n)\n": true,
		"module x\n\nrequire " + modulePath + "/v2 v2.0.0\n":                  false,
		"module x\n\n// require " + modulePath + " v1.0.0\n":                  false,
		"module x\n": false,
	} {
		if got := mentionsHost.MatchString(content); got != want {
			t.Errorf("%q: got %t", content, got)
		}
	}
}

var goLine = regexp.MustCompile(`(?m)^go (\S+)$`)

func TestGoVersionIsThatOfGoMod(t *testing.T) {
	content, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if got := goLine.FindSubmatch(content); got == nil || string(got[1]) != goVersion {
		t.Errorf("go.mod has %q, a new module gets %s", got, goVersion)
	}
}
