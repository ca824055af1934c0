package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// TestScripts runs testdata/script/*.txtar. All share the folder of compiled
// code. Besides the usual variables they have
//
//	$REPO     the root of this repository
//	$GREETER  the compiled guest of scripts/examples/quickstart
//	$ECHO     the compiled guest of testdata/guests/echo
//	$USERHOME the user's own home, where compilers may keep their settings
//
// The condition lang:NAME is true if the tools for a language are there. Where all
// have to be, as in continuous integration, WASMSANDBOX_TOOLCHAINS is "all", and the
// condition is true: what a tool lacks then fails the script.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	greeter := buildGuest(t, filepath.Join(repo, "scripts/examples/quickstart/greeter"))
	echo := buildGuest(t, filepath.Join(repo, "testdata/guests/echo"))
	env := goEnv(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update && os.Getenv("CI") == "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": checkCode, "module": makeModule, "sources": putSources, "append": appendLine, "replace": replaceText,
		},
		Condition: func(name string) (bool, error) {
			language, ok := strings.CutPrefix(name, "lang:")
			if !ok {
				return false, fmt.Errorf("no condition is called %s", name)
			}
			return hasTools(t, sourcebuild.Language(language)), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			if zig, ok := os.LookupEnv("ZIG"); ok { // which isn't in PATH; cargo wants the rustc beside it
				e.Setenv("ZIG", zig)
			}
			e.Setenv("REPO", repo)
			e.Setenv("GREETER", greeter)
			e.Setenv("ECHO", echo)
			e.Setenv("USERHOME", os.Getenv("HOME"))
			e.Setenv("WASMSANDBOX_CACHE", sharedCache())
			e.Setenv("NO_COLOR", "")
			e.Setenv("TERM", "xterm")
			return nil
		},
	})
}

// hasTools tells whether a test of a language can be run, or has to.
func hasTools(t *testing.T, language sourcebuild.Language) bool {
	if os.Getenv("WASMSANDBOX_TOOLCHAINS") == "all" {
		return true
	}
	err := sourcebuild.Check(t.Context(), language, sourcebuild.Reactor)
	if err != nil {
		t.Logf("what needs %s is skipped: %v", language.Title(), err)
	}
	return err == nil
}

// goEnv is what the go command needs to find its caches, which a script's home
// lacks, and what a module's graph needs that isn't in them yet.
func goEnv(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GOFLAGS=-mod=mod -buildvcs=false", "GONOSUMDB=*", "GOWORK=off"}
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+value)
	}
	return env
}

// checkCode is the command "code N PROGRAM ARG…": it runs a program, and wants an
// exit code. What it prints can be looked at as after exec.
func checkCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N PROGRAM ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = strconv.Itoa(exit.ExitCode()) // -1: a signal
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// modules are WebAssembly modules, section by section, that can't be guests.
var modules = map[string]string{
	"program": "\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" + // a function of the type ()
		"\x05\x04\x01\x01\x02\x10" + // memory of 2 to 16 pages
		"\x07\x13\x02\x06_start\x00\x00\x06memory\x02\x00" + "\x0a\x04\x01\x02\x00\x0b",
	"foreign": "\x01\x04\x01\x60\x00\x00" + "\x02\x0a\x01\x04host\x01f\x00\x00" + "\x03\x02\x01\x00" + // it imports host.f
		"\x05\x03\x01\x00\x01" + "\x07\x13\x02\x06_start\x00\x01\x06memory\x02\x00" + "\x0a\x04\x01\x02\x00\x0b",
	"later": "\x01\x05\x01\x60\x00\x01\x7f" + "\x03\x02\x01\x00" + // a function of the type () -> i32
		"\x07\x16\x01\x12wasmsandbox_abi_v9\x00\x00" + "\x0a\x06\x01\x04\x00\x41\x00\x0b",
	"bare": "",
}

// makeModule is the command "module NAME FILE".
func makeModule(ts *testscript.TestScript, _ bool, args []string) {
	body, ok := modules[args[0]]
	if !ok {
		ts.Fatalf("no module is called %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("\x00asm\x01\x00\x00\x00"+body), 0o666))
}

// putSources is the command "sources DIR": it puts this repository's go.sum into
// the folder of a module that requires it.
func putSources(ts *testscript.TestScript, _ bool, args []string) {
	sum := ts.ReadFile(filepath.Join(ts.Getenv("REPO"), "go.sum"))
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "go.sum"), []byte(sum), 0o666))
}

// appendLine is the command "append FILE TEXT", which needs no shell.
func appendLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append FILE TEXT")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile(args[0])+args[1]+"\n"), 0o666))
}

// replaceText is the command "replace FILE OLD NEW", which replaces what is there once.
func replaceText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s has %q %d times", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666))
}
