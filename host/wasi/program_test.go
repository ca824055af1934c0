package wasi_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// newTree makes a tree with a root "/work", a folder "sub" in it, and a grant.
func newTree(t testing.TB) *workspace.Tree {
	t.Helper()
	policy, err := workspace.NewPolicy("/work", workspace.Grant{Path: "/granted", ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	tree := workspace.New(workspace.Config{Policy: policy, Now: newYear})
	if err := tree.Mkdir("sub", 0); err != nil {
		t.Fatal(err)
	}
	return tree
}

// native runs a program of this machine in an empty folder, which has one around
// it that is empty as well.
func native(t *testing.T, program string, args ...string) (stdout string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other errors")
	}
	dir := filepath.Join(t.TempDir(), "outer", "sub")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return command(t, dir, nil, program, args...)
}

// sameAsNative runs a program, and compares what it prints by line.
func sameAsNative(t *testing.T, m engine.Module, want string, args ...string) {
	t.Helper()
	got := run(t, m, wasi.Config{Files: newTree(t), Dir: "/work/sub", Now: newYear, Args: append([]string{"program"}, args...)})
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the guest differs from the machine (-machine +guest):\n%s", diff)
	}
}

func TestAProgramInCUsesFilesAsOnPOSIX(t *testing.T) {
	const source = "testdata/cfiles/files.c"
	sameAsNative(t, compile(t, compileC(t, source, "wasm32-wasi")), native(t, compileC(t, source, "")))
}

func TestAProgramInGoUsesFilesAsOnPOSIX(t *testing.T) {
	m, path := goProgram(t), filepath.Join(t.TempDir(), "program")
	if err := buildGo(path, ""); err != nil {
		t.Fatal(err)
	}
	sameAsNative(t, m, native(t, path, "files"), "files")
}

func TestAProgramInRustUsesFilesAsOnPOSIX(t *testing.T) {
	const source = "testdata/rustfiles/files.rs"
	sameAsNative(t, compile(t, compileRust(t, source, "wasm32-wasi")), native(t, compileRust(t, source, "")))
}
