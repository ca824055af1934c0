package host_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/snapshot"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// described is a manifest with entries of every kind (S6.90).
func described() host.Manifest {
	return host.Manifest{Entries: []host.ManifestEntry{
		{Path: "src", Folder: true, Mode: 0o700, Owner: "alice", Group: "staff"},
		{Path: "src/main.c", Content: []byte("int main;\n"), Mode: 0o600},
		{Path: "cache/x", Content: []byte("made anew"), Ephemeral: true},
	}}
}

// S6.90, S6.91.
func TestStartMakesTheManifestsEntries(t *testing.T) {
	s := withFiles(t, map[string]string{"notes.txt": "seeded"}, host.WithManifest(described()))
	if got := tree(s.Workspace()); !maps.Equal(got, map[string]string{"notes.txt": "seeded"}) {
		t.Errorf("before the start: %q", got)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"notes.txt": "seeded", "src/": "", "src/main.c": "int main;\n", "cache/": "", "cache/x": "made anew"}
	if got := tree(s.Workspace()); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if info, err := s.Workspace().Stat("src"); err != nil || info.Owner != "alice" || info.Group != "staff" || info.Mode.Perm() != 0o700 {
		t.Errorf("%+v, %v", info, err)
	}
	if len(s.Calls()) != 0 {
		t.Error("it was recorded")
	}
}

// S6.88: what is ready keeps its content, and gets its ephemeral entries again.
func TestStartingAgainMakesOnlyWhatIsEphemeral(t *testing.T) {
	s := withFiles(t, nil, host.WithManifest(described()))
	w := s.Workspace()
	start(t, s)
	for _, err := range []error{w.Remove("src/main.c"), w.Remove("cache/x"), s.Stop(t.Context())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	start(t, s)
	if got := tree(w); !maps.Equal(got, map[string]string{"src/": "", "cache/": "", "cache/x": "made anew"}) {
		t.Errorf("got %q", got)
	}
}

func start(t *testing.T, s *host.Scripted) {
	t.Helper()
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !s.Running() {
		t.Error("it isn't running")
	}
}

func TestAnEntryThatCantBeMadeIsAStartError(t *testing.T) {
	s := withFiles(t, map[string]string{"src": "a file"}, host.WithManifest(described()))
	err := s.Start(t.Context())
	wantSandboxError(t, err, host.CodeWorkspaceStart, map[string]any{"path": "/workspace"})
	if entry := errorAs[*host.ManifestEntryError](t, err); entry.Index != 0 || entry.Path != "src" || !errors.Is(err, workspace.ENOTDIR) {
		t.Errorf("%+v", entry)
	}
	if s.Running() {
		t.Error("it runs")
	}
}

// S5.13: nothing is undone or closed by it, so that it can be tried again.
func TestAStartThatFailsIsntUndone(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx   context.Context
		files map[string]string
		asked error // by the snapshot
	}{
		"its context has ended":        {ctx: ended},
		"the snapshot fails":           {ctx: t.Context(), asked: errBoom},
		"an entry can't be made":       {ctx: t.Context(), files: map[string]string{"cache": "a file"}},
		"an entry and a snapshot fail": {ctx: t.Context(), files: map[string]string{"cache": "a file"}, asked: errBoom},
	} {
		t.Run(name, func(t *testing.T) {
			var e events
			kept := &badSnapshot{restorable: test.asked}
			s := withWorkspace(t, answering(host.MethodExec, host.MethodExec), host.Workspace{Seed: seeded(test.files), Snapshot: kept},
				host.WithManifest(described()))
			if err := errors.Join(s.RegisterPreStopHook(e.hook("hook", nil)), s.AddDependency(e.closer("dependency", nil))); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := s.Start(test.ctx); err == nil || errors.Is(err, host.ErrClosed) || s.Running() {
					t.Errorf("start: %v, running %v", err, s.Running())
				}
				execute(t, s)
			}
			if kept.restorable == nil && test.files != nil {
				if _, err := s.Workspace().Stat("src/main.c"); err != nil {
					t.Errorf("the entries before the one that failed: %v", err)
				}
			}
			if kept.persisted != 0 || len(e.list) != 0 {
				t.Errorf("persisted %d times, done: %v", kept.persisted, e.list)
			}

			kept.restorable = nil
			if err := s.Workspace().RemoveAll("cache"); err != nil {
				t.Fatal(err)
			}
			start(t, s)
			if got, err := s.Workspace().ReadFile("src/main.c"); err != nil || string(got) != "int main;\n" {
				t.Errorf("after all: %q, %v", got, err)
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if want := []string{"hook", "dependency"}; !slices.Equal(e.list, want) || kept.persisted != 1 {
				t.Errorf("done: %v, persisted %d times", e.list, kept.persisted)
			}
		})
	}
}

func TestAManifestWithAnEntryOutsideIsRefused(t *testing.T) {
	for _, path := range []string{"../x", "/x", "a/../b", ""} {
		_, err := host.NewScripted(nil, host.WithManifest(host.Manifest{Entries: []host.ManifestEntry{{Path: path}}}))
		if err == nil {
			t.Errorf("%q is taken", path)
		}
	}
	for _, grant := range []string{"data", "/", ""} {
		_, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{}), host.WithManifest(host.Manifest{Grants: []host.Grant{{Path: grant}}}))
		wantSandboxError(t, err, host.CodeSandboxConfigInvalid, nil)
	}
}

// S6.87, S6.88: what one session stops with, another one starts with.
func TestASnapshotOutlivesItsSession(t *testing.T) {
	dir := t.TempDir()
	session := func() *host.Scripted {
		kept, err := snapshot.NewLocal(dir, "one")
		if err != nil {
			t.Fatal(err)
		}
		return withWorkspace(t, nil, host.Workspace{Seed: seeded(map[string]string{"seed": "x"}), Snapshot: kept}, host.WithManifest(described()))
	}
	first := session()
	start(t, first)
	if err := first.Write(t.Context(), host.WriteRequest{Path: "made.txt", Data: strings.NewReader("by the first")}); err != nil {
		t.Fatal(err)
	}
	if err := first.Workspace().Symlink("made.txt", "link"); err != nil {
		t.Fatal(err)
	}
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := tree(first.Workspace())

	second := session()
	if err := second.Workspace().WriteFile("stray", []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	start(t, second)
	if got := tree(second.Workspace()); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if info, _ := second.Workspace().Stat("src"); info.Mode.Perm() != 0o700 || info.Owner != "alice" {
		t.Errorf("%+v", info)
	}
}

// S5.3, S5.28, S6.86.
func TestSkippedPathsArentPersisted(t *testing.T) {
	s := withFiles(t, map[string]string{"keep": "x", "skip/a": "y", "node_modules/b": "z"}, host.WithManifest(described()))
	start(t, s)
	if _, err := s.RegisterPersistSkipPath("node_modules"); err != nil {
		t.Fatal(err)
	}
	var tar bytes.Buffer
	if err := s.PersistWorkspace(t.Context(), &tar); err != nil {
		t.Fatal(err)
	}
	other := withFiles(t, nil)
	if err := other.HydrateWorkspace(t.Context(), &tar); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"keep": "x", "skip/": "", "skip/a": "y", "src/": "", "src/main.c": "int main;\n", "cache/": ""}
	if got := tree(other.Workspace()); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// S5.4, S6.87.
func TestANoOpSnapshotIsntAsked(t *testing.T) {
	s := withWorkspace(t, nil, host.Workspace{Snapshot: snapshot.NewNoop("none")})
	start(t, s)
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// A badSnapshot fails, and counts what it was asked.
type badSnapshot struct {
	restorable, persist, restore error
	there                        bool
	persisted                    int
}

func (*badSnapshot) ID() string { return "bad" }

func (b *badSnapshot) Persist(_ context.Context, r io.Reader) error {
	b.persisted++
	_, err := io.Copy(io.Discard, r)
	return errors.Join(b.persist, err)
}

func (b *badSnapshot) Restore(context.Context) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("not a tar")), b.restore
}
func (b *badSnapshot) Restorable(context.Context) (bool, error) { return b.there, b.restorable }

func TestSnapshotsThatFail(t *testing.T) {
	broken := errors.New("broken")
	t.Run("persisting", func(t *testing.T) {
		kept := &badSnapshot{persist: &snapshot.PersistError{ID: "bad", Path: "there", Err: broken}}
		s := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
		start(t, s)
		err := s.Stop(t.Context())
		wantSandboxError(t, err, host.CodeWorkspaceStop, map[string]any{"path": "/workspace"})
		inner := errorAs[*host.SandboxError](t, errors.Unwrap(err))
		wantSandboxError(t, inner, host.CodeSnapshotPersist, map[string]any{"snapshot_id": "bad", "path": "there"})
		if !errors.Is(err, broken) || s.Running() {
			t.Errorf("%v, running %v", err, s.Running())
		}
		kept.persist = nil
	})
	t.Run("persisting at the end", func(t *testing.T) {
		kept := &badSnapshot{persist: broken}
		s := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
		start(t, s)
		wantSandboxError(t, s.Close(t.Context()), host.CodeWorkspaceStop, map[string]any{"path": "/workspace"})
		if err := s.Close(t.Context()); err != nil || kept.persisted != 1 { // S5.11
			t.Errorf("closed again: %v, persisted %d times", err, kept.persisted)
		}
	})
	t.Run("restoring", func(t *testing.T) {
		s := withWorkspace(t, nil, host.Workspace{
			Snapshot: &badSnapshot{there: true, restore: &snapshot.RestoreError{ID: "bad", Err: broken}}, Seed: seeded(notes),
		})
		err := s.Start(t.Context())
		wantSandboxError(t, err, host.CodeWorkspaceStart, nil)
		wantSandboxError(t, errors.Unwrap(err), host.CodeSnapshotRestore, map[string]any{"snapshot_id": "bad"})
		if got := tree(s.Workspace()); !maps.Equal(got, notes) {
			t.Errorf("it has changed: %q", got)
		}
	})
	t.Run("what is stored is no tar", func(t *testing.T) {
		s := withWorkspace(t, nil, host.Workspace{Snapshot: &badSnapshot{there: true}, Seed: seeded(notes)})
		err := s.Start(t.Context())
		wantSandboxError(t, err, host.CodeWorkspaceStart, nil)
		wantSandboxError(t, errors.Unwrap(err), host.CodeWorkspaceArchiveWrite, map[string]any{"path": "/workspace"})
		if got := tree(s.Workspace()); !maps.Equal(got, notes) {
			t.Errorf("it has changed: %q", got)
		}
	})
	t.Run("asking", func(t *testing.T) {
		s := withWorkspace(t, nil, host.Workspace{Snapshot: &badSnapshot{restorable: broken}})
		if err := s.Start(t.Context()); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	})
}

func TestAWorkspaceIsPersistedOnceForEachState(t *testing.T) {
	kept := &badSnapshot{}
	s := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
	if err := s.Stop(t.Context()); err != nil || kept.persisted != 0 {
		t.Errorf("before a start: %v, persisted %d times", err, kept.persisted)
	}
	start(t, s)
	for range 2 {
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if kept.persisted != 1 {
		t.Errorf("persisted %d times", kept.persisted)
	}
	if err := s.Workspace().WriteFile("new", nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil || kept.persisted != 2 {
		t.Errorf("%v, persisted %d times", err, kept.persisted)
	}
}

func TestExtractUnpacksAnArchive(t *testing.T) {
	var tar bytes.Buffer
	source := withFiles(t, map[string]string{"a/b.txt": "content", "c": ""})
	if err := source.PersistWorkspace(t.Context(), &tar); err != nil {
		t.Fatal(err)
	}
	s := withFiles(t, nil)
	err := s.Extract(t.Context(), host.ExtractRequest{Path: "in/x.tar", Data: bytes.NewReader(tar.Bytes())})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"in/": "", "in/x.tar": tar.String(), "in/a/": "", "in/a/b.txt": "content", "in/c": ""}
	if got := tree(s.Workspace()); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for _, test := range []struct {
		rule    string
		request host.ExtractRequest
		code    host.Code
		fields  map[string]any
	}{
		{"S6.24 no scheme", host.ExtractRequest{Path: "x"}, host.CodeInvalidCompressionScheme, map[string]any{"path": "x"}},
		{"S6.24 an unknown scheme", host.ExtractRequest{Path: "x.rar"}, host.CodeInvalidCompressionScheme, map[string]any{"scheme": "rar"}},
		{"S6.34 no archive", host.ExtractRequest{Path: "x.zip", Data: strings.NewReader("nonsense")}, host.CodeWorkspaceArchiveWrite, map[string]any{"path": "/workspace/x.zip"}},
		{"S6.23 outside", host.ExtractRequest{Path: "../x.tar"}, host.CodeInvalidManifestPath, map[string]any{"reason": "escape_root"}},
	} {
		t.Run(test.rule, func(t *testing.T) { wantSandboxError(t, s.Extract(t.Context(), test.request), test.code, test.fields) })
	}
	if len(s.Calls()) != 0 {
		t.Error("it was recorded")
	}
}

// A root that is a folder of the host as well is only a name.
func TestNothingIsWrittenToTheHost(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := withFiles(t, nil, host.WithManifest(host.Manifest{Root: filepath.ToSlash(dir)}))
	if err := s.Write(t.Context(), host.WriteRequest{Path: "x", Data: strings.NewReader("y")}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"echo hi > z"}}); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestAStartWhileItRunsChangesNothing(t *testing.T) {
	kept, err := snapshot.NewLocal(t.TempDir(), "one")
	if err != nil {
		t.Fatal(err)
	}
	s := withWorkspace(t, nil, host.Workspace{Snapshot: kept}, host.WithManifest(described()))
	start(t, s)
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	start(t, s)
	if err := s.Write(t.Context(), host.WriteRequest{Path: "cache/x", Data: strings.NewReader("changed")}); err != nil {
		t.Fatal(err)
	}
	before := tree(s.Workspace())
	start(t, s)
	if got := tree(s.Workspace()); !maps.Equal(got, before) {
		t.Errorf("got %q, want %q", got, before)
	}
}

func TestCloseKeepsWhatACallStillWrites(t *testing.T) {
	kept, err := snapshot.NewLocal(t.TempDir(), "one")
	if err != nil {
		t.Fatal(err)
	}
	begun, goOn := make(chan struct{}), make(chan struct{})
	s := withWorkspace(t, nil, host.Workspace{Snapshot: kept, Tools: map[string]shell.Tool{
		"late": func(_ context.Context, p shell.Process) (int, error) {
			close(begun)
			<-goOn
			return 0, p.Files.WriteFile("late", []byte("x"), 0)
		},
	}})
	start(t, s)
	done := make(chan error)
	go func() {
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"late"}})
		done <- err
	}()
	<-begun
	closed := make(chan error)
	go func() { closed <- s.Close(t.Context()) }()
	close(goOn)
	if err := errors.Join(<-done, <-closed); err != nil {
		t.Fatal(err)
	}
	other := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
	start(t, other)
	if got := tree(other.Workspace()); !maps.Equal(got, map[string]string{"late": "x"}) {
		t.Errorf("got %q", got)
	}
}
