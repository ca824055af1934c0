package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// wantSameFile makes sure that a session can be read back, and is written again as it was.
func wantSameFile(t *testing.T, s *host.Scripted, steps []host.Step, opts ...host.Option) *host.Checkpoint {
	t.Helper()
	file := written(t, checkpoint(t, s))
	c := readBack(t, file, steps, opts...)
	if again := written(t, c); !bytes.Equal(again, file) {
		t.Errorf("it is written as %d bytes, and was %d", len(again), len(file))
	}
	return c
}

// Whatever a responder in Go puts into an error, the file can be read.
func TestStrangeErrorsGoThroughAFile(t *testing.T) {
	deep := any("x")
	for range 200 {
		deep = []any{deep}
	}
	for name, details := range map[string]map[string]any{
		"a number of 64 bits without a sign": {"n": uint64(math.MaxUint64)},
		"one in a list":                      {"n": []any{uint64(math.MaxUint64)}},
		"a float that looks whole":           {"n": 1e20},
		"a zero below zero":                  {"n": math.Copysign(0, -1)},
		"no number":                          {"n": math.NaN()},
		"lists in lists":                     {"n": deep},
		"keys that are the same in UTF-8":    {"\xff": 1, "\xfe": 2},
		"such keys further inside":           {"n": map[string]any{"\xff": 1, "\xfe": 2}},
		"a type of Go":                       {"n": complex(1, 2)},
	} {
		t.Run(name, func(t *testing.T) {
			failure := host.NewSandboxError(host.CodeExecTransport, details, nil)
			steps := []host.Step{
				respond(func(context.Context, host.Call) (any, error) { return nil, failure }),
				{Method: host.MethodExec, Outcome: host.Fail(failure)},
			}
			s := newSession(t, steps)
			for range steps {
				_, _ = s.Exec(t.Context(), host.ExecRequest{})
			}
			restored := errorAs[*host.SandboxError](t, fork(t, wantSameFile(t, s, steps)).History()[0].Err)
			if len(restored.Context) == 0 {
				t.Error("there is nothing of its context")
			}
		})
	}
}

// Names that aren't UTF-8 do no harm, and paths come back as they were.
func TestStrangePathsGoThroughAFile(t *testing.T) {
	tools := host.WithWorkspace(host.Workspace{Tools: map[string]shell.Tool{"t\xff": func(context.Context, shell.Process) (int, error) { return 0, nil }}})
	s := newSession(t, nil, tools)
	for _, path := range []string{"a\xff", "a\x80", "aé", "a\xef\xbf\xbe", `{"base64":""}`} {
		if _, err := s.RegisterPersistSkipPath(path); err != nil {
			t.Fatal(err)
		}
	}
	copied := fork(t, wantSameFile(t, s, nil, tools))
	if diff := cmp.Diff(s.PersistSkipPaths(), copied.PersistSkipPaths()); diff != "" {
		t.Errorf("(-session +file):\n%s", diff)
	}
}

func TestStrangeFilesGoThroughAFile(t *testing.T) {
	write := func(names ...string) func(*workspace.Tree) error {
		return func(w *workspace.Tree) (err error) {
			for _, name := range names {
				err = errors.Join(err, w.WriteFile(name, []byte(name), 0), w.Symlink(name, "to "+strings.TrimPrefix(name, "/")))
			}
			return err
		}
	}
	at := func(accessed, modified int64) func(*workspace.Tree) error {
		return func(w *workspace.Tree) error {
			return errors.Join(w.WriteFile("f", nil, 0), w.SetTimes("f", &accessed, &modified))
		}
	}
	for name, make := range map[string]func(*workspace.Tree) error{
		"names":           write("a\nb", "é", " ", "=", "c:", "..x", "-", "files", strings.Repeat("y", 250), "20 path=x\n"),
		"a deep path":     func(w *workspace.Tree) error { return w.MkdirAll(strings.Repeat("d/", 2040), 0) },
		"the first time":  at(math.MinInt64, math.MinInt64),
		"the last time":   at(math.MaxInt64, math.MaxInt64),
		"a time before":   at(-1, -1_500_000_000),
		"a clock at rest": func(w *workspace.Tree) error { w.AdvanceTo(math.MaxInt64); return w.WriteFile("x", nil, 0) },
		"modes": func(w *workspace.Tree) error {
			return errors.Join(w.WriteFile("m", nil, 0), w.Chmod("m", fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky|0o7), w.Chmod(".", 0o1000))
		},
		"owners":   func(w *workspace.Tree) error { return w.Chown(".", "a\xff\nb", strings.Repeat("x", 5000)) },
		"symlinks": func(w *workspace.Tree) error { return errors.Join(w.Symlink("\n/../..", "l"), w.Link("l", "m")) },
		"nothing":  func(w *workspace.Tree) error { w.Clear(); return nil },
		"names of one": func(w *workspace.Tree) error {
			return errors.Join(w.WriteFile("a", []byte("x"), 0), w.Link("a", "b"), w.Link("b", "c"))
		},
		"a name is left": func(w *workspace.Tree) error {
			return errors.Join(w.WriteFile("a", []byte("x"), 0), w.Link("a", "b"), w.Remove("a"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := withWorkspace(t, nil, host.Workspace{})
			if err := make(s.Workspace()); err != nil {
				t.Fatal(err)
			}
			copied := fork(t, wantSameFile(t, s, nil, host.WithWorkspace(host.Workspace{})))
			if diff := cmp.Diff(s.Workspace().Image(), copied.Workspace().Image(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-session +file):\n%s", diff)
			}
		})
	}
}

// What no file could be read with isn't written.
func TestWhatNoFileCanHaveIsntWritten(t *testing.T) {
	for name, owner := range map[string]string{"a NUL": "a\x00b", "2 MB": strings.Repeat("x", 2<<20)} {
		s := withWorkspace(t, nil, host.Workspace{})
		if err := s.Workspace().Chown(".", owner, ""); err != nil {
			t.Fatal(err)
		}
		_, err := checkpoint(t, s).WriteTo(new(bytes.Buffer))
		t.Run("an owner of "+name, func(t *testing.T) { wantCheckpointError(t, err, host.CheckpointFiles, "") })
	}
	steps := answering(host.MethodApplyPatch)
	s := newSession(t, steps)
	_, _ = s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: make([]host.PatchOperation, abi.MaxMessages)})
	_, err := checkpoint(t, s).WriteTo(new(bytes.Buffer))
	wantCheckpointError(t, err, host.CheckpointTooLarge, "operations")
	s = newSession(t, steps)
	_, _ = s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: make([]host.PatchOperation, abi.MaxMessages-1)})
	_ = wantSameFile(t, s, steps)
}

// A fork may be given less memory than its guest has. It is the limit that fails it.
func TestAForkWithLessMemoryFailsByItsLimit(t *testing.T) {
	r, _ := newCountingRuntime(t)
	s := newSession(t, times(4, keeperOn(t, r)))
	_ = perform(t, s, "a", "grow")
	copied := fork(t, checkpoint(t, s), host.WithLimits(host.Limits{MemoryBytes: 32 << 20}))
	_, err := copied.Exec(t.Context(), host.ExecRequest{Command: []string{"b"}})
	if e := wantGuestError(t, err, host.GuestLimit); !strings.Contains(fmt.Sprint(e), "memory") {
		t.Errorf("%v", e)
	}
	_, err = copied.Exec(t.Context(), host.ExecRequest{Command: []string{"c"}})
	_ = wantGuestError(t, err, host.GuestDead)
}
