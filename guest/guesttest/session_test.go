package guesttest_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest"
	"github.com/wasmsandbox/wasmsandbox/guest/guesttest"
)

// kept is content of a call that has ended.
var kept guest.Content

func init() {
	guest.OnOpen(func(o *guest.Open) error {
		if o.Config.Int("depth", 1) > 9 {
			return errors.New("depth is at most 9")
		}
		return nil
	})
	guest.Describe("test", "1")
	guest.OnApplyPatch("all", func(_ *guest.Call, req *guest.ApplyPatchRequest) (string, error) {
		return req.PatchFormat, nil
	})
	guest.OnExec("all", func(c *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		guest.Warn("exec " + req.Command[0])
		return guest.Stdout(fmt.Sprint(c.Index(), c.Time().Unix(), c.Config().Strings("args"))), nil
	})
	guest.OnLs("all", func(_ *guest.Call, req *guest.LsRequest) ([]guest.FileEntry, error) {
		return []guest.FileEntry{{Path: req.Path}}, nil
	})
	guest.OnMkdir("all", func(_ *guest.Call, req *guest.MkdirRequest) error {
		return guest.NewError(guest.CodeWorkspaceRootNotFound).With("path", req.Path)
	})
	guest.OnPTYExecStart("all", func(*guest.Call, *guest.PTYExecStartRequest) (*guest.PTYUpdate, error) {
		return guest.PTYRunning(4, "$ "), nil
	})
	guest.OnPTYWriteStdin("all", func(_ *guest.Call, req *guest.PTYWriteStdinRequest) (*guest.PTYUpdate, error) {
		return guest.PTYExited(3, req.Chars), nil
	})
	guest.OnRead("all", func(_ *guest.Call, req *guest.ReadRequest) (*guest.Stream, error) {
		return guest.TextStream(strings.Repeat(req.Path, 100_000)), nil
	})
	guest.OnRm("all", func(*guest.Call, *guest.RmRequest) error { return nil })
	guest.OnWrite("all", func(_ *guest.Call, req *guest.WriteRequest) error {
		kept = req.Data.Content
		data, err := req.Data.ReadAll()
		guest.Log(guest.LogDebug, fmt.Sprint(req.Path, len(data), data[0], len(kept.SHA256())))
		return err
	})
	guest.OnRead("stale", func(*guest.Call, *guest.ReadRequest) (*guest.Stream, error) {
		return &guest.Stream{Content: kept}, nil
	})
	guest.OnExec("panic", func(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout(req.Command[3]), nil
	})
	guest.Match("no", func(*guest.Call) guest.Verdict { return guest.Reject("no") })
}

func TestEveryMethodIsAnswered(t *testing.T) {
	s := guesttest.Open(t, guesttest.Config{"args": []string{"a", "b"}, "depth": 3})
	if text, err := s.ApplyPatch("all", &guest.ApplyPatchRequest{PatchFormat: "v4a"}); text != "v4a" || err != nil {
		t.Errorf("apply_patch: %q, %v", text, err)
	}
	if res, err := s.Exec("all", &guest.ExecRequest{Command: []string{"ls"}}); err != nil || string(res.Stdout.Inline) != "1 946684801 [a b]" {
		t.Errorf("exec: %+v, %v", res, err)
	}
	if list, err := s.Ls("all", &guest.LsRequest{Path: "p"}); err != nil || len(list) != 1 || list[0].Path != "p" {
		t.Errorf("ls: %+v, %v", list, err)
	}
	err := s.Mkdir("all", &guest.MkdirRequest{Path: "p"})
	var raised *guest.SandboxError
	if !errors.As(err, &raised) || !errors.Is(err, guest.CodeWorkspaceRootNotFound) || raised.Context[0].Value != "p" {
		t.Errorf("mkdir: %v", err)
	}
	if u, err := s.PTYExecStart("all", &guest.PTYExecStartRequest{}); err != nil || *u.ProcessID != 4 || u.ExitCode != nil {
		t.Errorf("pty_exec_start: %+v, %v", u, err)
	}
	if u, err := s.PTYWriteStdin("all", &guest.PTYWriteStdinRequest{Chars: "x"}); err != nil || *u.ExitCode != 3 || string(u.Output.Inline) != "x" {
		t.Errorf("pty_write_stdin: %+v, %v", u, err)
	}
	if stream, err := s.Read("all", &guest.ReadRequest{Path: "a"}); err != nil || len(stream.Content.Inline) != 100_000 || !stream.Text {
		t.Errorf("read: %v", err)
	}
	if err := s.Rm("all", &guest.RmRequest{Path: "p"}); err != nil {
		t.Errorf("rm: %v", err)
	}
	large := guest.Stream{Content: guest.Bytes(bytes.Repeat([]byte{7}, 70_000)), Position: 1}
	if err := s.Write("all", &guest.WriteRequest{Path: "p", Data: large}); err != nil {
		t.Errorf("write: %v", err)
	}
	if v, err := s.Match("no", &guest.LsRequest{}); err != nil || v.Reason != "no" {
		t.Errorf("match: %+v, %v", v, err)
	}
	want := []guesttest.Log{{Level: guest.LogWarn, Message: "exec ls"}, {Level: guest.LogDebug, Message: "p69999 7 32"}}
	if got := s.Logs(); !reflect.DeepEqual(got, want) {
		t.Errorf("logs %+v", got)
	}
}

func TestContentKeptFromAnEarlierCallIsRefused(t *testing.T) {
	s := guesttest.Open(t, nil)
	if err := s.Write("all", &guest.WriteRequest{Data: *guest.TextStream("abc")}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Read("stale", &guest.ReadRequest{})
	var failed *guesttest.GuestError
	if !errors.As(err, &failed) || failed.Kind != abi.GuestHandlerFailed || failed.Message != guest.ErrExpired.Error() {
		t.Errorf("got %v", err)
	}
}

func TestPanicIsAnErrorThatNamesTheLineAndPoisonsTheSession(t *testing.T) {
	s := guesttest.Open(t, nil)
	req := &guest.ExecRequest{Command: []string{"a"}}
	_, err := s.Exec("panic", req)
	var panicked *guesttest.PanicError
	if !errors.As(err, &panicked) {
		t.Fatalf("got %v", err)
	}
	if panicked.Message != "runtime error: index out of range [3] with length 1" || filepath.Base(panicked.File) != "session_test.go" || panicked.Line == 0 {
		t.Errorf("got %v", err)
	}
	if _, err := s.Exec("all", req); err == nil {
		t.Error("it answers after a panic")
	}
}

func TestBadConfigurationIsRefused(t *testing.T) {
	var refused *guesttest.GuestError
	for _, depth := range []any{10, "deep"} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			err := guesttest.OpenError(t, guesttest.Config{"depth": depth})
			if !errors.As(err, &refused) || refused.Kind != abi.GuestBadConfig {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("fraction", func(t *testing.T) {
		if err := guesttest.OpenError(t, guesttest.Config{"depth": 1.5}); err == nil {
			t.Error("a fraction was accepted")
		}
	})
}

func TestGuestDescribesItself(t *testing.T) {
	d, err := guesttest.Open(t, nil).Describe()
	if err != nil || d.Name != "test" || d.SDK != "go" || d.SDKVersion != guest.SDKVersion || len(d.Handlers) != 4 {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestLimitsAreThoseOfTheSpecification(t *testing.T) {
	s := guesttest.Open(t, nil)
	_, err := s.ApplyPatch("all", &guest.ApplyPatchRequest{PatchFormat: strings.Repeat("a", 16<<20)})
	if long, ok := errors.AsType[*guesttest.ReplyLimitError](err); !ok || *long != (guesttest.ReplyLimitError{Size: 16<<20 + 10, Limit: 16 << 20}) {
		t.Errorf("a long reply: %.200v", err)
	}
	if text, err := s.ApplyPatch("all", &guest.ApplyPatchRequest{PatchFormat: "v4a"}); text != "v4a" || err != nil {
		t.Errorf("after it: %q, %v", text, err)
	}
	for range 2 { // the limit counts anew with each call
		if _, err := s.Exec("all", &guest.ExecRequest{Command: []string{strings.Repeat("a", 600<<10)}}); err != nil {
			t.Error(err)
		}
	}
	if logs := s.Logs(); len(logs) != 2 || len(logs[1].Message) != 600<<10+len("exec ") {
		t.Errorf("%d lines are kept", len(logs))
	}
}
