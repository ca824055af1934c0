// Command kitchen is a guest that uses all of the SDK, for its tests.
package main

import (
	"errors"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

var (
	files = map[string][]byte{}
	calls int
)

func init() {
	guest.Describe("kitchen", "1.2.3")
	guest.ConfigSchema(`{"type":"object"}`)
	guest.OnOpen(func(o *guest.Open) error {
		if o.Config.Int("depth", 1) > 9 {
			return errors.New("depth is at most 9")
		}
		guest.Info("opened with seed " + strconv.FormatUint(o.Seed, 10))
		return nil
	})
	guest.OnClose(func() error {
		guest.Info("closed")
		return nil
	})
	guest.OnExec("status", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout("on branch " + c.Config().String("branch", "main") + "\n"), nil
	})
	guest.OnExec("count", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		calls++
		guest.Debug("call " + strconv.Itoa(calls))
		return guest.Exit(int32(calls), c.Time().Format("15:04:05")), nil
	})
	guest.OnRead("kv", read)
	guest.OnWrite("kv", write)
	guest.OnRm("kv", func(_ *guest.Call, req *guest.RmRequest) error {
		delete(files, req.Path)
		return nil
	})
	guest.OnLs("kv", ls)
	guest.OnMkdir("kv", func(*guest.Call, *guest.MkdirRequest) error { return guest.CodeWorkspaceArchiveWrite })
	guest.OnApplyPatch("patch", func(_ *guest.Call, req *guest.ApplyPatchRequest) (string, error) {
		return "patched " + strconv.Itoa(len(req.Operations)), nil
	})
	guest.OnPTYExecStart("shell", func(_ *guest.Call, _ *guest.PTYExecStartRequest) (*guest.PTYUpdate, error) {
		return guest.PTYRunning(7, "$ "), nil
	})
	guest.OnPTYWriteStdin("shell", func(_ *guest.Call, req *guest.PTYWriteStdinRequest) (*guest.PTYUpdate, error) {
		return guest.PTYExited(0, req.Chars), nil
	})
	guest.OnExec("generate", generate)
	guest.OnExec("fail", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
		return nil, errors.New("it's broken")
	})
	guest.OnExec("panic", func(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout(req.Command[5]), nil // out of range
	})
	guest.OnExec("empty", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
		return &guest.ExecResult{}, nil
	})
	guest.Match("only_git", onlyGit)
	guest.Match("digest", func(c *guest.Call) guest.Verdict {
		req := c.Request().(*guest.WriteRequest)
		return guest.Reject("digest").Differ("data", "", string(req.Data.Content.SHA256()))
	}, guest.Write)
}

func onlyGit(c *guest.Call) guest.Verdict {
	req, ok := c.Request().(*guest.ExecRequest)
	if !ok || len(req.Command) == 0 || req.Command[0] != "git" {
		return guest.Reject("not git")
	}
	return guest.Accept()
}

func read(_ *guest.Call, req *guest.ReadRequest) (*guest.Stream, error) {
	data, ok := files[req.Path]
	if !ok {
		return nil, guest.NewError(guest.CodeWorkspaceReadNotFound).With("path", req.Path)
	}
	return guest.BytesStream(data), nil
}

func write(_ *guest.Call, req *guest.WriteRequest) error {
	data, err := req.Data.Content.ReadAll()
	files[req.Path] = data
	return err
}

func ls(*guest.Call, *guest.LsRequest) ([]guest.FileEntry, error) {
	var entries []guest.FileEntry
	for path, data := range files {
		entries = append(entries, guest.FileEntry{Path: path, Size: uint64(len(data)), Permissions: 0o644})
	}
	return entries, nil
}

func generate(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
	lines, err := strconv.Atoi(req.Command[0])
	if err != nil {
		return nil, err
	}
	var w guest.Writer
	for i := range lines {
		if _, err := w.WriteString(strconv.Itoa(i) + "\n"); err != nil {
			return nil, err
		}
	}
	stdout, err := w.Content()
	return &guest.ExecResult{Stdout: stdout}, err
}

func main() {}
