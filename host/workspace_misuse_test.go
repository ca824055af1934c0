package host_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAWorkspaceThatCantBeMadeIsRefused(t *testing.T) {
	tool := func(context.Context, shell.Process) (int, error) { return 0, nil }
	for name, test := range map[string]struct {
		workspace  host.Workspace
		field, key string // of the error
	}{
		"a tool that is nil":     {host.Workspace{Tools: map[string]shell.Tool{"y": tool, "x": nil}}, "Tools", "x"},
		"the first of two tools": {host.Workspace{Tools: map[string]shell.Tool{"b/": tool, "a": nil}}, "Tools", "a"},
		"a tool without a name":  {host.Workspace{Tools: map[string]shell.Tool{"": tool}}, "Tools", ""},
		"a tool that is a path":  {host.Workspace{Tools: map[string]shell.Tool{"a/b": tool}}, "Tools", "a/b"},
		"an unknown precedence":  {host.Workspace{Answers: map[host.Method]host.Precedence{host.MethodExec: 9}}, "Answers", "exec"},
		"an unknown method":      {host.Workspace{Answers: map[host.Method]host.Precedence{99: host.StepsOnly}}, "Answers", "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := host.NewScripted(nil, host.WithWorkspace(test.workspace))
			e := errorAs[*host.WorkspaceConfigError](t, err)
			if e.Field != test.field || e.Key != test.key || e.Reason == "" || !strings.Contains(err.Error(), test.field) {
				t.Errorf("%+v: %v", e, err)
			}
		})
	}
	for name, seed := range map[string]func(*workspace.Tree) error{
		"a seed that panics":       func(*workspace.Tree) error { panic("boom") },
		"a seed beyond the limits": seeded(notes),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{Limits: workspace.Limits{Bytes: 1}, Seed: seed})); err == nil {
				t.Error("no error")
			}
		})
	}
}

// panicking panics wherever a session calls it.
type panicking struct{ there bool }

func (panicking) ID() string                                     { return "panicking" }
func (panicking) Persist(context.Context, io.Reader) error       { panic("persist") }
func (panicking) Restore(context.Context) (io.ReadCloser, error) { return nil, nil }
func (p panicking) Restorable(context.Context) (bool, error)     { return p.there, nil }
func (panicking) Read([]byte) (int, error)                       { panic("read") }
func (panicking) Write([]byte) (int, error)                      { panic("write") }

func TestAPanicOfWhatAWorkspaceIsGivenIsAnError(t *testing.T) {
	s, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{Snapshot: panicking{}}))
	if err != nil {
		t.Fatal(err)
	}
	start(t, s)
	for name, err := range map[string]error{
		"hydrate": s.HydrateWorkspace(t.Context(), panicking{}),
		"persist": s.PersistWorkspace(t.Context(), panicking{}),
		"extract": s.Extract(t.Context(), host.ExtractRequest{Path: "x.tar", Data: panicking{}}),
		"stop":    s.Stop(t.Context()),
		"close":   s.Close(t.Context()),
	} {
		if e := errorAs[*host.PanicError](t, err); e.Value == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s = withWorkspace(t, nil, host.Workspace{Snapshot: panicking{there: true}})
	wantSandboxError(t, s.Start(t.Context()), host.CodeWorkspaceStart, nil)
}

func TestAnErrorOfAToolIsTheCallersAsItIs(t *testing.T) {
	failure := host.NewSandboxError(host.CodeExecTimeout, map[string]any{"k": 1}, nil)
	s := withWorkspace(t, nil, host.Workspace{Tools: map[string]shell.Tool{
		"fail": func(context.Context, shell.Process) (int, error) { return 0, failure },
	}})
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"fail"}}); err != error(failure) {
		t.Errorf("got %v", err)
	}
	if u, err := s.PTYExecStart(t.Context(), host.PTYExecStartRequest{Command: []string{"fail"}}); !errors.Is(err, host.CodeExecTimeout) {
		t.Errorf("got %+v, %v", u, err)
	}
}

// busy calls its session from within.
type busy struct {
	badSnapshot
	call func() error
	err  error
}

func (b *busy) Persist(context.Context, io.Reader) error {
	b.err = b.call()
	return nil
}

func TestASnapshotCantStopItsSession(t *testing.T) {
	kept := &busy{}
	s := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
	kept.call = func() error { return errors.Join(s.Stop(t.Context()), s.Start(t.Context())) }
	start(t, s)
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(kept.err, host.ErrBusy) {
		t.Errorf("got %v", kept.err)
	}
}

func TestWhatAUserMakesIsTheUsers(t *testing.T) {
	s := withFiles(t, map[string]string{"open/": ""})
	if err := s.Workspace().Chmod("open", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"open/d/e/a", "open/d/e/b"} {
		if err := s.Write(t.Context(), host.WriteRequest{Path: path, User: "alice", Data: strings.NewReader("x")}); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"open/x/y", "open/x/y/z"} {
		if err := s.Mkdir(t.Context(), host.MkdirRequest{Path: path, Parents: true, User: "alice"}); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"open/d", "open/d/e/b", "open/x/y"} {
		if info, err := s.Workspace().Stat(path); err != nil || info.Owner != "alice" {
			t.Errorf("%s: %+v, %v", path, info, err)
		}
	}
}

// S6.39: also where a symlink leads.
func TestAPatchDoesntLeaveTheRootThroughASymlink(t *testing.T) {
	s := withFiles(t, map[string]string{"out": "-> /data"}, host.WithManifest(host.Manifest{Grants: []host.Grant{{Path: "/data"}}}))
	_, err := s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{create("out/f", "+x")}})
	wantSandboxError(t, err, host.CodeApplyPatchInvalidPath, map[string]any{"path": "out/f", "reason": "escape_root"})
}

func TestWhatIsChangedDuringAStopIsStoredByTheNext(t *testing.T) {
	for range 50 {
		kept := &lastTar{}
		s := withWorkspace(t, nil, host.Workspace{Snapshot: kept})
		start(t, s)
		done := make(chan error)
		go func() { done <- s.Workspace().WriteFile("tmp", []byte("x"), 0) }()
		if err := errors.Join(s.Stop(t.Context()), <-done, s.Workspace().Remove("tmp"), s.Stop(t.Context())); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(kept.tar, "tmp") {
			t.Fatal("the file that is gone is still stored")
		}
	}
}

// A lastTar keeps what was persisted last.
type lastTar struct {
	badSnapshot
	tar string
}

func (l *lastTar) Persist(_ context.Context, r io.Reader) error {
	data, err := io.ReadAll(r)
	l.tar = string(data)
	return err
}
