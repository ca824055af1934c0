//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

const bareWorkspace = "version: 1\nworkspace:\ncalls: [{method: ls, args: [.]}]\n"

func TestTheEndOfTheRunEndsTheWaitForAWorkspace(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run([]string{"run", writeScript(t, bareWorkspace), "--workspace", pipe, "--timeout", "200ms"}, strings.NewReader(""), &stdout, &stderr)
	if want := "error: the run didn't end within 200ms\n"; code != exitTime || !strings.Contains(stdout.String(), want) {
		t.Errorf("exit code %d, %s%s", code, &stdout, &stderr)
	}
}

func TestAFolderReplacesFilesButNotFolders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "of the folder", "sub/b": "of the folder", "link": "no link any more"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	tree := workspace.New(workspace.Config{Now: 1e9})
	for name, text := range map[string]string{"a": "of the script", "c": "of the script"} {
		if err := tree.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.Symlink("c", "link"); err != nil {
		t.Fatal(err)
	}
	if err := seedFrom(t.Context(), tree, dir); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range tree.Snapshot() {
		got[e.Path] = modeText(e) + " " + string(e.Content) + e.Target
	}
	want := map[string]string{
		".": "drwxr-xr-x ", "a": "-rw-r----- of the folder", "sub": "drwxr-xr-x ", "sub/b": "-rw-r----- of the folder",
		"c": "-rw------- of the script", "link": "-rw-r----- no link any more", "out": "lrwxrwxrwx /etc/passwd",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
}

func TestAFolderThatCantBeCopiedChangesNothing(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		`pipe" is of a kind that a workspace can't have`: func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600) },
		"a: is a directory":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), nil, 0o600) },
		"f: not a directory": func(dir string) error { return os.Mkdir(filepath.Join(dir, "f"), 0o700) },
		"may have 4 files":   func(dir string) error { return os.MkdirAll(filepath.Join(dir, "x/y/z"), 0o700) },
	} {
		dir := t.TempDir()
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		tree := workspace.New(workspace.Config{Limits: workspace.Limits{Files: 4}})
		if err := tree.MkdirAll("a", 0); err != nil {
			t.Fatal(err)
		}
		if err := tree.WriteFile("f", nil, 0); err != nil {
			t.Fatal(err)
		}
		before := tree.Snapshot()
		err := seedFrom(t.Context(), tree, dir)
		if err == nil || !strings.HasPrefix(err.Error(), "--workspace "+dir+": ") {
			t.Errorf("%s: got %v", name, err)
		} else if !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
		if changes := workspace.Compare(before, tree.Snapshot()); len(changes) > 0 {
			t.Errorf("%s: it has changed: %v", name, changes)
		}
	}
}

func TestTheEndOfTheRunEndsTheCopyingOfAWorkspace(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	archived := filepath.Join(dir, "b.tar")
	var data bytes.Buffer
	session, err := new(scripts.Script).NewSession(host.WithWorkspace(host.Workspace{}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close(context.WithoutCancel(t.Context())) }()
	if err := errors.Join(session.PersistWorkspace(t.Context(), &data), os.WriteFile(archived, data.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, archived} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := new(scripts.Script).NewSession(workspaceOver(ctx, new(scripts.Script), name)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
