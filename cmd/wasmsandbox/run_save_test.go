package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestAFailedSaveLeavesNothing(t *testing.T) {
	session, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "after.tar")
	if err := os.WriteFile(name, []byte("of another run"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := saveTo(t.Context(), session, name); !errors.Is(err, host.ErrClosed) {
		t.Errorf("got %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("left are %v, %v", files, err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "of another run" {
		t.Errorf("the file is %q, %v", data, err)
	}
}

func TestAFailedSaveFailsTheRun(t *testing.T) {
	session, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close(context.WithoutCancel(t.Context())) }()
	report := newScriptReport("script.yaml")
	report.raise(exitOK)
	name := filepath.Join(t.TempDir(), "missing", "after.tar")
	report.saved(name, saveTo(t.Context(), session, name))
	if want := "--save " + name + ": no such file or directory"; report.code != exitFailed || report.Error == nil || report.Error.Message != want || report.Saved != "" {
		t.Errorf("got %+v", report)
	}
}

func TestASavedFileReplacesALinkAndNotWhatItLeadsTo(t *testing.T) {
	session, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close(context.WithoutCancel(t.Context())) }()
	dir := t.TempDir()
	target, name := filepath.Join(dir, "target"), filepath.Join(dir, "after.tar")
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
	if err := saveTo(t.Context(), session, name); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(target); err != nil || string(data) != "mine" {
		t.Errorf("the link's target is %q, %v", data, err)
	}
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o644 {
		t.Errorf("the file is %v, %v", info, err)
	}
}
