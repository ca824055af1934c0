package host_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

func create(path, diff string) host.PatchOperation {
	return host.PatchOperation{Type: "create_file", Path: path, Diff: &diff}
}

func update(path, diff string) host.PatchOperation {
	return host.PatchOperation{Type: "update_file", Path: path, Diff: &diff}
}

func move(path, target, diff string) host.PatchOperation {
	return host.PatchOperation{Type: "update_file", Path: path, Diff: &diff, MoveTo: &target}
}

func remove(path string) host.PatchOperation {
	return host.PatchOperation{Type: "delete_file", Path: path}
}

func TestPatchesAreApplied(t *testing.T) {
	before := map[string]string{"a.txt": "one\ntwo\n", "crlf.txt": "one\r\ntwo\r\n", "d/": ""}
	for _, test := range []struct {
		rule       string
		operations []host.PatchOperation
		want       map[string]string // what differs; "-": it is gone
	}{
		{"S6.36 an empty list", nil, nil},
		{"S6.44 create", []host.PatchOperation{create("new/b.txt", "+x\n+y")}, map[string]string{"new/": "", "new/b.txt": "x\ny"}},
		{"S6.44 create over a file", []host.PatchOperation{create("a.txt", "+x\n+")}, map[string]string{"a.txt": "x\n"}},
		{"S6.42 update", []host.PatchOperation{update("a.txt", "@@\n-one\n+ONE")}, map[string]string{"a.txt": "ONE\ntwo\n"}},
		{"S6.39 absolute inside the root", []host.PatchOperation{update("/workspace/a.txt", "-two\n+TWO")}, map[string]string{"a.txt": "one\nTWO\n"}},
		{"S6.49 the file's newlines", []host.PatchOperation{update("crlf.txt", "-two\n+TWO")}, map[string]string{"crlf.txt": "one\r\nTWO\r\n"}},
		{"S6.60 the end of the file", []host.PatchOperation{update("a.txt", "@@\n two\n+three\n*** End of File")}, map[string]string{"a.txt": "one\ntwo\nthree\n"}},
		{"S6.43 move", []host.PatchOperation{move("a.txt", "d/b.txt", "-one\n+ONE")}, map[string]string{"a.txt": "-", "d/b.txt": "ONE\ntwo\n"}},
		{"S6.43 move over a file", []host.PatchOperation{move("a.txt", "crlf.txt", "")}, map[string]string{"a.txt": "-", "crlf.txt": "one\ntwo\n"}},
		{"S6.43 move to the same place", []host.PatchOperation{move("a.txt", "./d/../a.txt", "-one")}, map[string]string{"a.txt": "two\n"}},
		{"S6.40 delete", []host.PatchOperation{remove("a.txt")}, map[string]string{"a.txt": "-"}},
		{"S6.45 in the root itself", []host.PatchOperation{create("c", "+x"), remove("c")}, nil},
		{"S6.37 one after the other", []host.PatchOperation{create("c", "+x"), update("c", "-x\n+y"), move("c", "e", "")}, map[string]string{"e": "y"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := withFiles(t, before)
			text, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: test.operations})
			if err != nil || text != "Done!" {
				t.Fatalf("%q, %v", text, err)
			}
			want := maps.Clone(before)
			for path, content := range test.want {
				if want[path] = content; content == "-" {
					delete(want, path)
				}
			}
			if got := tree(s.Workspace()); !maps.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestPatchesThatCantBeApplied(t *testing.T) {
	before := map[string]string{
		"a.txt": "one\ntwo\n", "bad.bin": "\xff\xfe", "d/": "",
		"out": "-> /etc", "granted": "-> /tmp", "lost": "-> /tmp/no/where",
	}
	for _, test := range []struct {
		rule      string
		operation host.PatchOperation
		code      host.Code
		fields    map[string]any
		cause     error
	}{
		{"S6.38 an unknown type", host.PatchOperation{Type: "chmod", Path: "a.txt"}, host.CodeApplyPatchInvalidDiff, map[string]any{"path": nil}, nil},
		{"S6.39 no path", remove("  "), host.CodeApplyPatchInvalidPath, map[string]any{"path": "  ", "reason": "empty"}, nil},
		{"S6.39 leaving the root", remove("../x"), host.CodeApplyPatchInvalidPath, map[string]any{"path": "../x", "reason": "escape_root"}, nil},
		{"S6.39 absolute", remove("/etc/passwd"), host.CodeApplyPatchInvalidPath, map[string]any{"reason": "escape_root"}, nil},
		{"S6.39 a grant", remove("/tmp/x"), host.CodeApplyPatchInvalidPath, map[string]any{"reason": "escape_root"}, nil},
		{"S6.39 a drive", remove(`C:\x`), host.CodeApplyPatchInvalidPath, map[string]any{"reason": "escape_root"}, nil},
		{"S6.40 nothing to delete", remove("d/../nope"), host.CodeApplyPatchFileNotFound, map[string]any{"path": "nope"}, nil},
		{"S6.41 no diff", host.PatchOperation{Type: "update_file", Path: "a.txt"}, host.CodeApplyPatchInvalidDiff, map[string]any{"path": "a.txt"}, nil},
		{"S6.42 nothing to update", update("d/../nope", "+x"), host.CodeApplyPatchFileNotFound, map[string]any{"path": "d/../nope"}, nil},
		{"S6.42 not text", update("bad.bin", "+x"), host.CodeApplyPatchDecode, map[string]any{"path": "/workspace/bad.bin"}, nil},
		{"S6.46 the wrong context", update("a.txt", "-nope\n+x"), host.CodeApplyPatchInvalidDiff, map[string]any{"path": "a.txt"}, v4a.InvalidContext},
		{"S6.51 a line without a plus", create("b", "x"), host.CodeApplyPatchInvalidDiff, map[string]any{"path": "b"}, v4a.InvalidAddLine},
		{"S6.39 through a symlink out", create("out/x", "+x"), host.CodeApplyPatchInvalidPath, map[string]any{"path": "out/x", "reason": "escape_root"}, nil},
		{"S6.39 through a symlink to a grant", create("granted/x", "+x"), host.CodeApplyPatchInvalidPath, map[string]any{"path": "granted/x", "reason": "escape_root"}, nil},
		{"S6.39 to folders that are missing there", create("granted/y/x", "+x"), host.CodeApplyPatchInvalidPath, map[string]any{"reason": "escape_root"}, nil},
		{"S6.39 through a symlink to nothing there", create("lost/x", "+x"), host.CodeApplyPatchInvalidPath, map[string]any{"reason": "escape_root"}, nil},
		{"S6.39 a move to a grant", move("a.txt", "granted/y/x", "-one"), host.CodeApplyPatchInvalidPath, map[string]any{"path": "granted/y/x"}, nil},
		{"S6.42 a file below a file", create("a.txt/x", "+x"), host.CodeExecNonZero, nil, workspace.ENOTDIR},
		{"S6.42 a folder", create("d", "+x"), host.CodeWorkspaceArchiveWrite, map[string]any{"path": "/workspace/d"}, workspace.EISDIR},
		{"a move that leaves the root", move("a.txt", "../b", "-one"), host.CodeApplyPatchInvalidPath, map[string]any{"path": "../b"}, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := withFiles(t, before, host.WithManifest(host.Manifest{Grants: []host.Grant{{Path: "/tmp"}}}))
			_, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{test.operation}})
			wantSandboxError(t, err, test.code, test.fields)
			if test.cause != nil && !errors.Is(err, test.cause) {
				t.Errorf("the cause of %v isn't %v", err, test.cause)
			}
			if got := tree(s.Workspace()); !maps.Equal(got, before) {
				t.Errorf("it has changed: %q", got)
			}
			if granted, err := s.Workspace().ReadDir("/tmp"); err != nil || len(granted) > 0 {
				t.Errorf("in the grant there are %v, %v", granted, err)
			}
		})
	}
}

func TestAPatchBeyondTheLimitsLeavesNothing(t *testing.T) {
	files := map[string]string{"f": strings.Repeat("x", 60)}
	for _, test := range []struct {
		rule      string
		operation host.PatchOperation
		fits      bool
	}{
		{"S6.44 more bytes than there may be", create("n/e/w", "+"+strings.Repeat("y", 50)), false},
		{"S6.44 more folders than there may be", create("a/b/c/d/e", "+y"), false},
		{"S6.43 a move makes room", move("f", "n/g", ""), true},
		{"S6.43 a move that adds too much", move("f", "n/g", "+"+strings.Repeat("y", 50)), false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s := withWorkspace(t, nil, host.Workspace{Seed: seeded(files), Limits: workspace.Limits{Bytes: 100, Files: 4}})
			_, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{test.operation}})
			if test.fits {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantSandboxError(t, err, host.CodeWorkspaceArchiveWrite, nil)
			if got := tree(s.Workspace()); !maps.Equal(got, files) {
				t.Errorf("there are %q", got)
			}
		})
	}
}

func TestPatchesOfAFileAtTheSameTimeAreAllThere(t *testing.T) {
	const patches = 8
	var before, after strings.Builder
	for i := range patches {
		padding := strings.Repeat("padding\n", 500)
		fmt.Fprintf(&before, "%d a\n%s", i, padding)
		fmt.Fprintf(&after, "%d b\n%s", i, padding)
	}
	s := withFiles(t, map[string]string{"f": before.String()})
	var all sync.WaitGroup
	for i := range patches {
		all.Go(func() {
			operation := update("f", fmt.Sprintf("@@\n-%d a\n+%d b\n", i, i))
			if _, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{operation}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := readFile(t, s, "f"); got != after.String() {
		t.Errorf("lines that were changed: %d of %d", strings.Count(got, " b\n"), patches)
	}
}

func TestAWriteWhileAPatchMovesTheFileIsntLost(t *testing.T) {
	const rounds = 100
	padding := strings.Repeat("padding\n", 1000)
	for range rounds {
		s := withFiles(t, map[string]string{"from": "one\n" + padding})
		var both sync.WaitGroup
		both.Go(func() {
			operation := move("from", "to", "@@\n-one\n+two\n")
			if _, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{operation}}); err != nil {
				t.Error(err)
			}
		})
		both.Go(func() {
			if err := s.Write(t.Context(), host.WriteRequest{Path: "from", Data: strings.NewReader("one\nwritten\n" + padding)}); err != nil {
				t.Error(err)
			}
		})
		both.Wait()
		found := ""
		for _, content := range tree(s.Workspace()) {
			found += content
		}
		if !strings.Contains(found, "written\n") || !strings.Contains(found, "two\n") {
			t.Fatal("what was written is neither at the old nor at the new place")
		}
	}
}

func TestTheEndOfTheContextEndsAPatch(t *testing.T) {
	s := withFiles(t, map[string]string{"f": strings.Repeat("\n", 1<<20)})
	ctx := endingctx.After(t.Context(), 100)
	operations := []host.PatchOperation{update("f", "@@\n-x\n+y\n")}
	if _, err := s.ApplyPatch(ctx, host.ApplyPatchRequest{Operations: operations}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// S6.37: earlier operations stay, and all of them are checked first.
func TestOperationsBeforeOneThatFailsStay(t *testing.T) {
	s := withFiles(t, nil)
	_, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{create("a", "+x"), remove("nope")}})
	wantSandboxError(t, err, host.CodeApplyPatchFileNotFound, nil)
	if got := tree(s.Workspace()); !maps.Equal(got, map[string]string{"a": "x"}) {
		t.Errorf("got %q", got)
	}
	_, err = s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{create("b", "+x"), {Type: "odd", Path: "c"}}})
	wantSandboxError(t, err, host.CodeApplyPatchInvalidDiff, nil)
	if got := tree(s.Workspace()); !maps.Equal(got, map[string]string{"a": "x"}) {
		t.Errorf("got %q", got)
	}
}

// S6.37.
func TestAnUnknownPatchFormat(t *testing.T) {
	s := withFiles(t, nil)
	_, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{PatchFormat: "unified"})
	wantSandboxError(t, err, host.CodeApplyPatchInvalidDiff, map[string]any{"path": nil})
}

func TestAMoveToAnotherNameOfTheSameFileKeepsIt(t *testing.T) {
	s := withFiles(t, map[string]string{"d/f": "one\n", "l": "-> d"})
	if _, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{move("d/f", "l/f", "-one\n+two")}}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, s, "d/f"); got != "two\n" {
		t.Errorf("read %q", got)
	}
}
