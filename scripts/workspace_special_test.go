//go:build unix

package scripts_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestWhatAWorkspaceCantHaveIsNamed(t *testing.T) {
	for name, create := range map[string]func(path string) error{
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a socket": func(path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { _ = l.Close() })
			}
			return err
		},
	} {
		newFolder(t, map[string]string{"script.yaml": "{version: 1, workspace: {folder: p}}", "p/sub/a": ""})
		if err := create(filepath.Join("p", "sub", "b")); err != nil {
			t.Fatal(err)
		}
		_, err := scripts.Load(t.Context(), ".")
		if want := "script.yaml:1:34: workspace.folder can't be copied: sub/b is " + name + ", which a workspace can't have"; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestAPipeIsNoTarAndNoFile(t *testing.T) {
	for text, want := range map[string]string{
		"{version: 1, workspace: {tar: pipe}}":                "script.yaml:1:31: workspace.tar can't be copied: pipe isn't a regular file",
		"{version: 1, workspace: {folder: pipe}}":             "script.yaml:1:34: workspace.folder can't be copied: pipe isn't a folder",
		"{version: 1, workspace: {files: {a: {file: pipe}}}}": "script.yaml:1:44: workspace.files.a.file can't be copied: pipe isn't a regular file",
	} {
		newFolder(t, map[string]string{"script.yaml": text})
		if err := syscall.Mkfifo("pipe", 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := scripts.Load(t.Context(), ".")
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestAFolderThatCantBeReadIsNamed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("everything can be read")
	}
	newFolder(t, map[string]string{"script.yaml": "{version: 1, workspace: {folder: p}}", "p/a": "x"})
	if err := os.Chmod("p/a", 0); err != nil {
		t.Fatal(err)
	}
	_, err := scripts.Load(t.Context(), ".")
	if want := "script.yaml:1:34: workspace.folder can't be copied: a: permission denied"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
