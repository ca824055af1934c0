package host_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// written is a checkpoint as a file.
func written(t testing.TB, c *host.Checkpoint) []byte {
	t.Helper()
	var file bytes.Buffer
	n, err := c.WriteTo(&file)
	if err != nil || n != int64(file.Len()) {
		t.Fatalf("%d bytes, of %d: %v", n, file.Len(), err)
	}
	return file.Bytes()
}

func readBack(t testing.TB, file []byte, steps []host.Step, opts ...host.Option) *host.Checkpoint {
	t.Helper()
	c, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(file), steps, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantCheckpointError(t testing.TB, err error, kind host.CheckpointErrorKind, text string) {
	t.Helper()
	if e, ok := errors.AsType[*host.CheckpointError](err); !ok || !errors.Is(err, kind) || !strings.Contains(e.Error(), text) {
		t.Errorf("error %v, want %v: %s", err, kind, text)
	}
}

// A session that goes on from a file, in a runtime that has never seen it, is the one
// that was never interrupted: the same answers, history, logs, fuel and memory, whatever
// the language of its guest.
func TestASessionGoesOnFromAFile(t *testing.T) {
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			wasm := kitchenWasm(t, language)
			steps := func() []host.Step {
				r, _ := newCountingRuntime(t)
				return times(5, guestStep(t, r, language, wasm, "count"))
			}
			s := newSession(t, steps(), host.WithSeed(8))
			before := perform(t, s, "a", "b")
			file := written(t, checkpoint(t, s))
			want := perform(t, s, "c", "d")
			c := readBack(t, file, steps())
			if again := written(t, c); !bytes.Equal(again, file) {
				t.Errorf("it is written as %d bytes, and was %d", len(again), len(file))
			}
			for range 2 {
				copied := fork(t, c)
				if diff := cmp.Diff(before, perform(t, copied, []string(nil)...), sameTrace, ignoreOutputs); diff != "" {
					t.Errorf("at first (-session +file):\n%s", diff)
				}
				if diff := cmp.Diff(want, perform(t, copied, "c", "d"), sameTrace); diff != "" {
					t.Errorf("(-session +file):\n%s", diff)
				}
				if copied.RemainingSteps() != 1 || copied.Settings().Seed != 8 {
					t.Errorf("%d steps remain, seed %d", copied.RemainingSteps(), copied.Settings().Seed)
				}
			}
		})
	}
}

// What a guest has open, the files with their numbers and times, the clock and the
// random bytes go through a file.
func TestAWorkspaceGoesThroughAFile(t *testing.T) {
	w := host.Workspace{Seed: seeded(map[string]string{"d/a.txt": "abcdefghi", "b": "", "link": "-> d/a.txt", "bin": "\x00\xff"})}
	steps := func() []host.Step {
		r, _ := newCountingRuntime(t)
		return times(9, keeperOn(t, r))
	}
	manifest := host.WithManifest(host.Manifest{Grants: []host.Grant{{Path: "/rw"}}})
	start2026 := host.WithStartTime(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC))
	s := withWorkspace(t, steps(), w, manifest, start2026)
	start(t, s)
	files := s.Workspace()
	if err := errors.Join(files.Link("bin", "second"), files.WriteFile("/rw/x", []byte("granted"), 0o600), files.Chown("d", "ada", "staff"),
		files.Symlink("/absolute", "d/out"), files.Chmod("b", 0o4755)); err != nil {
		t.Fatal(err)
	}
	_ = perform(t, s, "open d/a.txt", "read", "random", "time")
	if err := files.Rename("d", "e"); err != nil {
		t.Fatal(err)
	}
	file := written(t, checkpoint(t, s))
	w.Seed = func(*workspace.Tree) error { return errors.New("it is seeded again") }
	c := readBack(t, file, steps(), host.WithWorkspace(w), manifest)
	want := perform(t, s, "read", "random", "time")
	for i := range 3 {
		copied := fork(t, c)
		if !copied.Running() {
			t.Error("it isn't running")
		}
		if diff := cmp.Diff(want, perform(t, copied, "read", "random", "time"), sameTrace); diff != "" {
			t.Errorf("(-session +file):\n%s", diff)
		}
		if diff := cmp.Diff(s.Workspace().Image(), copied.Workspace().Image()); diff != "" {
			t.Errorf("files (-session +file):\n%s", diff)
		}
		if err := copied.Workspace().WriteFile("b", []byte(fmt.Sprint(i)), 0); err != nil { // others don't see it
			t.Fatal(err)
		}
	}
	if again := written(t, c); !bytes.Equal(again, file) {
		t.Error("it is written otherwise after it was used")
	}
}

// The archive is one that other programs can list and unpack.
func TestAFileIsAnArchive(t *testing.T) {
	s := withFiles(t, map[string]string{"notes.txt": "call Ada\n", "link": "-> notes.txt"})
	if err := s.Workspace().Link("notes.txt", "same"); err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(written(t, checkpoint(t, s))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(unpacked); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%c %s %s", header.Typeflag, header.Name, header.Linkname)))
	}
	want := []string{
		"0 checkpoint.json", "0 history.jsonl", "5 files/", "5 files/workspace/",
		"2 files/workspace/link notes.txt", "0 files/workspace/notes.txt", "1 files/workspace/same files/workspace/notes.txt",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every request, refused call and error comes back.
func TestAHistoryGoesThroughAFile(t *testing.T) {
	broken := &brokenError{"broken"}
	steps := func() []host.Step {
		r, _ := newCountingRuntime(t)
		keeps := keeperOn(t, r)
		list := []host.Step{
			{Method: host.MethodExec, Outcome: host.Fail(broken)},
			{Method: host.MethodExec, Outcome: host.Fail(host.NewSandboxError(host.CodeExecTimeout, map[string]any{"timeout_s": 5}, nil))},
			respond(func(context.Context, host.Call) (any, error) {
				cause := fmt.Errorf("deep: %w", &brokenError{"inside"})
				details := map[string]any{"n": 1, "bytes": []byte{0xff}, "list": []any{true, nil, 1.5}, "odd": make(chan int)}
				return nil, host.NewSandboxError(host.CodeExecTransport, details, errors.Join(cause, context.Canceled))
			}),
			keeps, keeps,
			{Method: host.MethodLs, Outcome: host.Respond(host.ResponderFunc(func(context.Context, host.Call) (any, error) {
				_, err := os.Open("/nothing/there")
				return nil, err
			}))},
			matching(verdict(host.Reject("no", host.Difference{Field: "args[0]", Expected: "a", Actual: "b"}))),
		}
		return append(list, answering(host.MethodRead)...)
	}
	s := newSession(t, steps())
	for range 3 {
		_, _ = s.Exec(t.Context(), host.ExecRequest{Command: []string{"x", "\xff\x00"}})
	}
	_, _ = s.Exec(t.Context(), host.ExecRequest{Command: []string{"say"}})
	_, _ = s.Exec(t.Context(), host.ExecRequest{Command: []string{"die", "now"}})
	_, _ = s.Ls(t.Context(), host.LsRequest{})
	_, _ = s.Exec(t.Context(), host.ExecRequest{})
	_, _ = s.Read(t.Context(), host.ReadRequest{Path: "x"})
	_ = s.Rm(t.Context(), host.RmRequest{Path: "x"})
	if _, err := s.RegisterPersistSkipPath("skip"); err != nil {
		t.Fatal(err)
	}
	copied := fork(t, readBack(t, written(t, checkpoint(t, s)), steps()))
	if copied.Fuel() != s.Fuel() || copied.Refused()[host.MethodRm] != 1 || len(copied.PersistSkipPaths()) != 1 || copied.Running() {
		t.Errorf("fuel %d, refused %v, skipped %v", copied.Fuel(), copied.Refused(), copied.PersistSkipPaths())
	}
	got, want := copied.History(), s.History()
	if diff := cmp.Diff(want, got, sameTrace); diff != "" {
		t.Errorf("(-session +file):\n%s", diff)
	}
	for i := range want {
		if !got[i].Call.Equal(want[i].Call) {
			t.Errorf("call %d is another one", i)
		}
	}
	if got[0].Err != error(broken) {
		t.Errorf("the step's error is %v", got[0].Err)
	}
	sandbox := errorAs[*host.SandboxError](t, got[2].Err)
	if diff := cmp.Diff(errorAs[*host.SandboxError](t, want[2].Err).PlainContext()["list"], sandbox.Context["list"]); diff != "" || sandbox.Code != host.CodeExecTransport {
		t.Errorf("%+v: %s", sandbox, diff)
	}
	if !errors.Is(got[2].Err, context.Canceled) || errors.Is(got[2].Err, context.DeadlineExceeded) {
		t.Errorf("the cause of %v is lost", got[2].Err)
	}
	if !errors.Is(got[1].Err, context.DeadlineExceeded) || !errors.Is(got[5].Err, fs.ErrNotExist) {
		t.Errorf("%v is no timeout, or %v means something else", got[1].Err, got[5].Err)
	}
	if inner := errorAs[*host.RestoredError](t, got[2].Err); !strings.Contains(sandbox.Cause.Error(), "deep: inside") || inner.Type == "" {
		t.Errorf("the cause is %+v", inner)
	}
	died, lives := errorAs[*host.GuestError](t, got[4].Err), errorAs[*host.GuestError](t, want[4].Err)
	if diff := cmp.Diff(lives, died, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Err" }, cmp.Ignore())); diff != "" {
		t.Errorf("(-session +file):\n%s", diff)
	}
	rejected := errorAs[*host.MatcherRejectedError](t, got[6].Err)
	if rejected.Reason != "no" || len(rejected.Differences) != 1 || !rejected.Call.Equal(want[6].Call) {
		t.Errorf("%+v", rejected)
	}
	if e := errorAs[*host.UnexpectedCallError](t, got[7].Err); e.Expected != host.MethodExec || e.Remaining != 2 {
		t.Errorf("%+v", e)
	}
}

type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }

func TestEveryRequestGoesThroughAFile(t *testing.T) {
	var methods []host.Method
	for _, r := range requests("text") {
		methods = append(methods, r.Method())
	}
	steps := append(answering(methods...), answering(host.MethodWrite)...)
	s := newSession(t, steps)
	for _, r := range requests("text") {
		if _, err := s.Do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	data := host.ByteStream([]byte("\xff\x00data")).At(3).Reader()
	if err := s.Write(t.Context(), host.WriteRequest{Path: "\xff", Data: data}); err != nil {
		t.Fatal(err)
	}
	copied := fork(t, readBack(t, written(t, checkpoint(t, s)), steps))
	got := copied.Calls()
	for i, call := range s.Calls() {
		if !call.Equal(got[i]) {
			t.Errorf("%s: %v %v, want %v %v", call.Method(), got[i].Args(), got[i].Kwargs(), call.Args(), call.Kwargs())
		}
	}
	wantComplete(t, copied)
}
