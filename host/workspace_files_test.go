package host_test

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// S6.11, S6.82: read.
func TestReadGivesWhatIsInTheWorkspace(t *testing.T) {
	s := withFiles(t, map[string]string{"a/b.txt": "content", "link": "-> a/b.txt", "out": "-> /etc/passwd", "up": "-> ../../x", "a/": ""},
		host.WithManifest(host.Manifest{Grants: []host.Grant{{Path: "/data", ReadOnly: true}}}))
	for _, name := range []string{"a/b.txt", "/workspace/a/b.txt", "a/../a/./b.txt", "link", "../workspace/a/b.txt", `a\b.txt`} {
		if got := readFile(t, s, name); got != "content" {
			t.Errorf("%s: read %q", name, got)
		}
	}
	for _, test := range []struct {
		rule, path string
		code       host.Code
		fields     map[string]any
	}{
		{"S6.11 nothing there", "nope", host.CodeWorkspaceReadNotFound, map[string]any{"path": "nope"}},
		{"S6.11 a folder", "a", host.CodeWorkspaceArchiveRead, map[string]any{"path": "a"}},
		{"S6.65 leaving the root", "../x", host.CodeInvalidManifestPath, map[string]any{"rel": "../x", "reason": "escape_root"}},
		{"S6.66 absolute", "/etc/passwd", host.CodeInvalidManifestPath, map[string]any{"rel": "/etc/passwd", "reason": "absolute"}},
		{"S6.66 a grant by a relative path", "../data/x", host.CodeInvalidManifestPath, map[string]any{"reason": "escape_root"}},
		{"S6.68 two slashes", "//workspace/a/b.txt", host.CodeInvalidManifestPath, map[string]any{"reason": "absolute"}},
		{"S6.68 a drive", `C:\x`, host.CodeInvalidManifestPath, map[string]any{"rel": "C:/x", "reason": "absolute"}},
		{"S6.70 a symlink out", "out", host.CodeInvalidManifestPath, map[string]any{"reason": "escape_root", "resolved_path": "/etc/passwd"}},
		{"S6.70 a symlink up", "up", host.CodeInvalidManifestPath, map[string]any{"reason": "escape_root"}},
		{"a NUL byte", "a\x00b", host.CodeWorkspaceArchiveRead, map[string]any{"path": "a\x00b"}},
		{"a long name", strings.Repeat("x", 4096), host.CodeWorkspaceArchiveRead, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := s.Read(t.Context(), host.ReadRequest{Path: test.path})
			wantSandboxError(t, err, test.code, test.fields)
		})
	}
}

// S6.83.
func TestAMissingFileIsFoundAsOne(t *testing.T) {
	s := withFiles(t, nil)
	if _, err := s.Read(t.Context(), host.ReadRequest{Path: "nope"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// S6.11, S6.82: write.
func TestWriteReplacesAFile(t *testing.T) {
	s := withFiles(t, map[string]string{"old.txt": "old and long", "f": "a file", "link": "-> old.txt"})
	for _, test := range []struct{ path, data, at, want string }{
		{"new/deep/file.txt", "made with its folders", "new/deep/file.txt", "made with its folders"},
		{"old.txt", "new", "old.txt", "new"},
		{"link", "through a link", "old.txt", "through a link"},
		{"empty", "", "empty", ""},
	} {
		if err := s.Write(t.Context(), host.WriteRequest{Path: test.path, Data: strings.NewReader(test.data)}); err != nil {
			t.Fatal(err)
		}
		if got := readFile(t, s, test.at); got != test.want {
			t.Errorf("%s: %q", test.at, got)
		}
	}
	late := strings.NewReader("not this")
	_, _ = late.Seek(4, io.SeekStart)
	if err := s.Write(t.Context(), host.WriteRequest{Path: "late", Data: late}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, s, "late"); got != "this" {
		t.Errorf("wrote %q, not from the position on", got)
	}
	if err := s.Write(t.Context(), host.WriteRequest{Path: "nothing"}); err != nil {
		t.Errorf("without data: %v", err)
	}
	for path, code := range map[string]host.Code{
		"f/below": host.CodeWorkspaceArchiveWrite, ".": host.CodeWorkspaceArchiveWrite, "../x": host.CodeInvalidManifestPath,
	} {
		err := s.Write(t.Context(), host.WriteRequest{Path: path, Data: strings.NewReader("x")})
		wantSandboxError(t, err, code, nil)
	}
}

func TestAFullWorkspaceKeepsWhatItHas(t *testing.T) {
	s := withWorkspace(t, nil, host.Workspace{
		Seed: seeded(map[string]string{"a": "12345"}), Limits: workspace.Limits{Bytes: 8, Files: 2},
	})
	before := tree(s.Workspace())
	for _, write := range []host.WriteRequest{
		{Path: "a", Data: strings.NewReader("123456789")}, // too long
		{Path: "b", Data: strings.NewReader("1234")},      // too much with the other
		{Path: "c/d", Data: strings.NewReader("")},        // too many
	} {
		err := s.Write(t.Context(), write)
		wantSandboxError(t, err, host.CodeWorkspaceArchiveWrite, map[string]any{"path": write.Path})
		if limit := errorAs[*workspace.LimitError](t, err); limit.Actual <= limit.Max {
			t.Errorf("%+v", limit)
		}
	}
	after := tree(s.Workspace())
	delete(after, "c/") // the folders are made first, as in the original
	if !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

// S6.66, S6.67.
func TestGrantsLetOtherPathsBeUsed(t *testing.T) {
	s := withFiles(t, nil, host.WithManifest(host.Manifest{Grants: []host.Grant{
		{Path: "/data", ReadOnly: true}, {Path: "/data/mine"}, {Path: "/tmp"},
	}}))
	for _, path := range []string{"/tmp/x", "/data/mine/x"} {
		if err := s.Write(t.Context(), host.WriteRequest{Path: path, Data: strings.NewReader("x")}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	err := s.Write(t.Context(), host.WriteRequest{Path: "/data/x", Data: strings.NewReader("x")})
	wantSandboxError(t, err, host.CodeWorkspaceArchiveWrite, map[string]any{"reason": "read_only_extra_path_grant", "grant_path": "/data"})
	if list, err := s.Ls(t.Context(), host.LsRequest{Path: "/data"}); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// S6.12.
func TestAUserMayDoWhatTheModesSay(t *testing.T) {
	s := withFiles(t, map[string]string{"secret": "x", "shared": "y", "open/": ""}, host.WithManifest(host.Manifest{
		Users: []string{"alice", "bob"}, Groups: []host.Group{{Name: "staff", Members: []string{"bob"}}},
	}))
	w := s.Workspace()
	for _, err := range []error{
		w.Chmod("secret", 0o600), w.Chmod("shared", 0o640), w.Chown("shared", "", "staff"), w.Chmod("open", 0o777),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(path, user string) error {
		_, err := s.Read(t.Context(), host.ReadRequest{Path: path, User: user})
		return err
	}
	for _, err := range []error{read("secret", ""), read("secret", "root"), read("shared", "bob")} {
		if err != nil {
			t.Error(err)
		}
	}
	wantSandboxError(t, read("secret", "alice"), host.CodeWorkspaceArchiveRead, map[string]any{"path": "secret"})
	wantSandboxError(t, read("shared", "alice"), host.CodeWorkspaceArchiveRead, nil)
	wantSandboxError(t, read("nope", "alice"), host.CodeWorkspaceReadNotFound, map[string]any{"path": "nope"})

	err := s.Write(t.Context(), host.WriteRequest{Path: "mine", User: "alice", Data: strings.NewReader("x")})
	wantSandboxError(t, err, host.CodeWorkspaceArchiveWrite, map[string]any{
		"command": []string{"sh", "-c", "<check_write_access>", "sh", "mine"}, "stdout": "",
	})
	if err := s.Write(t.Context(), host.WriteRequest{Path: "open/mine", User: "alice", Data: strings.NewReader("x")}); err != nil {
		t.Fatal(err)
	}
	if info, _ := w.Stat("open/mine"); info.Owner != "alice" || info.Group != "alice" {
		t.Errorf("owner %s, group %s", info.Owner, info.Group)
	}
	wantSandboxError(t, s.Rm(t.Context(), host.RmRequest{Path: "secret", User: "alice"}), host.CodeWorkspaceArchiveWrite, nil)
	wantSandboxError(t, s.Mkdir(t.Context(), host.MkdirRequest{Path: "d", User: "alice"}), host.CodeWorkspaceArchiveWrite, nil)
}

// S6.8, S6.11, S6.20: ls.
func TestLsListsAFolder(t *testing.T) {
	s := withFiles(t, map[string]string{"b": "12345", "a/c": "", "link": "-> a", "B": ""})
	list, err := s.Ls(t.Context(), host.LsRequest{Path: "."})
	if err != nil {
		t.Fatal(err)
	}
	want := []host.FileEntry{
		{Path: "/workspace/B", Permissions: 0o644, Owner: "root", Group: "root", Kind: host.FileKindFile},
		{Path: "/workspace/a", Permissions: 0o40755, Owner: "root", Group: "root", Size: 4096, Kind: host.FileKindDirectory},
		{Path: "/workspace/b", Permissions: 0o644, Owner: "root", Group: "root", Size: 5, Kind: host.FileKindFile},
		{Path: "/workspace/link", Permissions: 0o777, Owner: "root", Group: "root", Size: 1, Kind: host.FileKindSymlink},
	}
	if len(list) != len(want) {
		t.Fatalf("got %v", list)
	}
	for i := range want {
		if list[i] != want[i] {
			t.Errorf("got %+v, want %+v", list[i], want[i])
		}
	}
	for path, want := range map[string]string{"b": "/workspace/b", "link": "/workspace/link"} {
		if list, err := s.Ls(t.Context(), host.LsRequest{Path: path}); err != nil || len(list) != 1 || list[0].Path != want {
			t.Errorf("%s: %v, %v", path, list, err)
		}
	}
	_, err = s.Ls(t.Context(), host.LsRequest{Path: "nope"})
	wantSandboxError(t, err, host.CodeExecNonZero, map[string]any{
		"command": []string{"ls", "-la", "--", "/workspace/nope"}, "command_str": "ls -la -- /workspace/nope", "exit_code": int64(2),
		"stderr": "ls: cannot access '/workspace/nope': No such file or directory\n",
	})
	_, err = s.Ls(t.Context(), host.LsRequest{Path: "/etc"})
	wantSandboxError(t, err, host.CodeInvalidManifestPath, nil)
}

// S6.9, S6.11: rm.
func TestRmRemoves(t *testing.T) {
	files := map[string]string{"a": "x", "d/e": "y", "link": "-> d", "empty/": ""}
	for _, test := range []struct {
		rule      string
		path      string
		recursive bool
		gone      string // "" : it fails
		stderr    string
	}{
		{"a file", "a", false, "a", ""},
		{"a symlink, and not what it leads to", "link", true, "link", ""},
		{"a folder", "d", true, "d/", ""},
		{"nothing there, with recursive", "nope", true, "nope", ""},
		{"nothing there", "nope", false, "", "rm: cannot remove '/workspace/nope': No such file or directory\n"},
		{"a folder, without recursive", "d", false, "", "rm: cannot remove '/workspace/d': Is a directory\n"},
		{"the root", ".", true, "", "rm: cannot remove '/workspace': Device or resource busy\n"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := withFiles(t, files)
			err := s.Rm(t.Context(), host.RmRequest{Path: test.path, Recursive: test.recursive})
			if test.gone == "" {
				wantSandboxError(t, err, host.CodeExecNonZero, map[string]any{"exit_code": int64(1), "stderr": test.stderr})
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			after := tree(s.Workspace())
			if _, there := after[test.gone]; there {
				t.Errorf("still there: %v", after)
			}
			if _, there := after["d/e"]; !there && test.path == "link" {
				t.Error("it was followed")
			}
		})
	}
}

// S6.10, S6.11: mkdir.
func TestMkdirMakesFolders(t *testing.T) {
	s := withFiles(t, map[string]string{"f": "x"})
	for _, r := range []host.MkdirRequest{{Path: "a"}, {Path: "b/c/d", Parents: true}, {Path: "b/c", Parents: true}} {
		if err := s.Mkdir(t.Context(), r); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for _, test := range []struct {
		request host.MkdirRequest
		command []string
		stderr  string
	}{
		{host.MkdirRequest{Path: "a"}, []string{"mkdir", "/workspace/a"}, "mkdir: cannot create directory '/workspace/a': File exists\n"},
		{host.MkdirRequest{Path: "x/y"}, []string{"mkdir", "/workspace/x/y"}, "mkdir: cannot create directory '/workspace/x/y': No such file or directory\n"},
		{host.MkdirRequest{Path: "f/y", Parents: true}, []string{"mkdir", "-p", "/workspace/f/y"}, "mkdir: cannot create directory '/workspace/f/y': Not a directory\n"},
	} {
		err := s.Mkdir(t.Context(), test.request)
		wantSandboxError(t, err, host.CodeExecNonZero, map[string]any{"command": test.command, "exit_code": int64(1), "stderr": test.stderr})
	}
}
