package host_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

var manifest = host.Manifest{
	Root:      "/workspace",
	Ephemeral: []string{"tmp/./cache"},
	Mounts:    []string{"data/a/deep", "data/z", `data\b`},
}

// S5.26, S5.27: each row is one check, in the order of the checks.
func TestPersistSkipPathsAreChecked(t *testing.T) {
	tests := []struct {
		name, path string
		rel        string // "": refused
		reason     string // of an invalid path
		mount      string // of an overlap
	}{
		{"a file", "a/b.txt", "a/b.txt", "", ""},
		{"dots drop", "./a/./b/", "a/b", "", ""},
		{"doubled slashes drop", "a//b", "a/b", "", ""},
		{"back-slashes are slashes", `a\b`, "a/b", "", ""},
		{"a drive without a root is a name", "c:x", "c:x", "", ""},
		{"a Windows path", `C:\x\..`, "", "absolute", ""},
		{"a Windows path with slashes", "c:/x", "", "absolute", ""},
		{"a network path", `\\server\share`, "", "absolute", ""},
		{"an absolute path, also one in the root", "/workspace/a", "", "absolute", ""},
		{"a way out", "../a", "", "escape_root", ""},
		{"a way up that stays inside", "a/../b", "", "escape_root", ""},
		{"two dots in a name", "a..b", "a..b", "", ""},
		{"nothing", "", "", "", ""},
		{"the root", ".", "", "", ""},
		{"the root, in other words", "./.", "", "", ""},
		{"a mount", "data/z", "", "", "data/z"},
		{"inside of a mount", "data/z/x", "", "", "data/z"},
		{"around several mounts: the shallowest, then the first", "data", "", "", "data/b"},
		{"around the deep one", "data/a", "", "", "data/a/deep"},
		{"beside a mount", "data/zz", "data/zz", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t, nil, host.WithManifest(manifest))
			rel, err := s.RegisterPersistSkipPath(test.path)
			e, _ := errors.AsType[*host.SandboxError](err)
			switch {
			case test.rel != "":
				if rel != test.rel || err != nil {
					t.Errorf("%q, %v", rel, err)
				}
			case test.reason != "":
				if !errors.Is(err, host.CodeInvalidManifestPath) || e.Context["reason"] != test.reason {
					t.Errorf("%v", err)
				}
			case test.mount != "":
				if !errors.Is(err, host.CodeMountConfig) || e.Context["mount_path"] != test.mount || e.Context["skip_path"] != test.path {
					t.Errorf("%v, context %v", err, e.Context)
				}
			default:
				if err == nil || e != nil {
					t.Errorf("%q, %v", rel, err)
				}
			}
		})
	}
}

// S5.26, S5.28: the set is that of the manifest and of what was registered.
func TestPersistSkipPathsAreASet(t *testing.T) {
	s := newSession(t, nil, host.WithManifest(manifest))
	if got := s.PersistSkipPaths(); !reflect.DeepEqual(got, []string{"tmp/cache"}) { // of the manifest
		t.Errorf("paths %v at first", got)
	}
	for _, path := range []string{"z", "a", "./a", "tmp/cache"} {
		if _, err := s.RegisterPersistSkipPath(path); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"a", "tmp/cache", "z"}
	if got := s.PersistSkipPaths(); !reflect.DeepEqual(got, want) {
		t.Errorf("paths %v", got)
	}
	s.PersistSkipPaths()[0] = "changed"
	if got := s.PersistSkipPaths(); !reflect.DeepEqual(got, want) {
		t.Errorf("paths %v after a change", got)
	}
}

// S5.2: the session's manifest is its own.
func TestTheManifestIsCopied(t *testing.T) {
	m := host.Manifest{Root: "/configured/.", Ephemeral: []string{"a"}, Mounts: []string{"m"}}
	s := newSession(t, nil, host.WithManifest(m))
	m.Root, m.Ephemeral[0], m.Mounts[0] = "/changed", "changed", "changed"
	want := host.Manifest{Root: "/configured", Ephemeral: []string{"a"}, Mounts: []string{"m"}}
	if got := s.Manifest(); !reflect.DeepEqual(got, want) {
		t.Errorf("manifest %+v", got)
	}
	s.Manifest().Ephemeral[0] = "changed"
	if got := s.Manifest(); !reflect.DeepEqual(got, want) {
		t.Errorf("manifest %+v after a change", got)
	}
	if m.Mounts[0] != "changed" {
		t.Error("the caller's manifest was changed")
	}
}

func TestAManifestIsChecked(t *testing.T) {
	for name, m := range map[string]host.Manifest{
		"a relative root":             {Root: "workspace"},
		"an absolute ephemeral path":  {Ephemeral: []string{"/a"}},
		"a mount outside of the root": {Mounts: []string{"../a"}},
		"a mount that is nothing":     {Mounts: []string{""}},
	} {
		if _, err := host.NewScripted(nil, host.WithManifest(m)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// S5.31: paths are taken from the manifest's root, and may not leave it.
func TestNormalizePath(t *testing.T) {
	s := newSession(t, nil, host.WithManifest(host.Manifest{Root: "/workspace"}))
	for _, test := range []struct{ path, want, reason string }{
		{"", "/workspace", ""},
		{".", "/workspace", ""},
		{"a", "/workspace/a", ""},
		{"a/../b", "/workspace/b", ""},
		{`a\b`, "/workspace/a/b", ""},
		{"../workspace/a", "/workspace/a", ""},
		{"../x", "", "escape_root"},
		{"../workspaces", "", "escape_root"},
		{"/workspace", "/workspace", ""},
		{"/workspace//a/./b", "/workspace/a/b", ""},
		{"/workspace/../etc", "", "absolute"},
		{"/etc/passwd", "", "absolute"},
		{"//workspace/a", "", "absolute"},
		{`C:\a`, "", "absolute"},
		{"c:a", "/workspace/c:a", ""},
	} {
		got, err := s.NormalizePath(test.path)
		e, _ := errors.AsType[*host.SandboxError](err)
		switch {
		case test.reason == "" && (got != test.want || err != nil):
			t.Errorf("%q is %q, %v", test.path, got, err)
		case test.reason != "" && (e == nil || e.Code != host.CodeInvalidManifestPath || e.Context["reason"] != test.reason):
			t.Errorf("%q is %q, %v", test.path, got, err)
		}
	}
	s = newSession(t, nil, host.WithManifest(host.Manifest{Root: "/"}))
	if got, err := s.NormalizePath("/etc/passwd"); got != "/etc/passwd" || err != nil {
		t.Errorf("below the root of all: %q, %v", got, err)
	}
}
