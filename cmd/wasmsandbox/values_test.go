package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestCallsAreShownAsAPersonWritesThem(t *testing.T) {
	for want, c := range map[string]*callReport{
		`exec sh -c "ls; pwd"`: {Method: "exec", Args: []any{"sh", "-c", "ls; pwd"}, Kwargs: map[string]any{"shell": true, "timeout": nil}},
		`exec "" shell=false timeout=2.5`: {
			Method: "exec", Args: []any{""}, Kwargs: map[string]any{"shell": false, "timeout": 2.5},
		},
		`exec ls shell=["bash","-c"]`: {Method: "exec", Args: []any{"ls"}, Kwargs: map[string]any{"shell": []any{"bash", "-c"}}},
		`mkdir a parents=true`:        {Method: "mkdir", Args: []any{"a"}, Kwargs: map[string]any{"parents": true}},
		`apply_patch update_file a.c`: {
			Method: "apply_patch", Args: []any{[]any{map[string]any{"type": "update_file", "path": "a.c", "diff": "@@"}}},
			Kwargs: map[string]any{"patch_format": "v4a"},
		},
		`pty_write_stdin session_id=1 chars="q\r"`: {
			Method: "pty_write_stdin", Kwargs: map[string]any{"session_id": 1, "chars": "q\r", "yield_time_s": nil},
		},
	} {
		got := strings.Fields(callText(c))
		for _, part := range strings.Fields(want) { // the order of named arguments is the host's
			if !strings.Contains(strings.Join(got, " "), part) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

func TestResultsAreShownInOneLine(t *testing.T) {
	id, code := 4, 1
	for _, test := range []struct {
		want   string
		result any
	}{
		{`done`, nil},
		{`exit 0`, host.ExecResult{}},
		{`exit 2 "a\n" stderr "b"`, host.ExecResult{Stdout: []byte("a\n"), Stderr: []byte("b"), ExitCode: 2}},
		{`{"base64":"/w=="}`, host.ExecResult{Stdout: []byte{0xff}}},
		{`"$ " process 4`, host.PTYUpdate{ProcessID: &id, Output: []byte("$ ")}},
		{`exit 1`, host.PTYUpdate{ExitCode: &code}},
		{`no files`, []host.FileEntry{}},
		{`2 files: src/ "a b"`, []host.FileEntry{{Path: "src", Kind: host.FileKindDirectory}, {Path: "a b"}}},
		{`"Done!"`, "Done!"},
		{`"` + long(70) + `…`, strings.Repeat("x", 100)},
		{`"\x1b[2J\u202e"`, "\x1b[2J\u202e"},
		{"\"\ufffd\"", "\ufffd"},
		{`process 4`, host.PTYUpdate{ProcessID: &id}},
		{`"out" stderr "warning\n"`, host.ExecResult{Stdout: []byte("out"), Stderr: []byte("warning\n")}},
	} {
		if got := resultText(host.PlainResult(test.result)); got != test.want {
			t.Errorf("%v: got %s, want %s", test.result, got, test.want)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestControlCharactersAreMadeVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext é 世":        "plain\ttext é 世",
		"a\nok  1 call":          `a\nok  1 call`,
		"\x9b2J \ufffd":          `\x9b2J ` + "\ufffd",
		"\x1b]0;title\a\r\u202e": `\x1b]0;title\a\r\u202e`,
	} {
		if got := visible(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTheWorstExitCodeWins(t *testing.T) {
	order := []int{exitOK, exitTime, exitFailed, exitGuest, exitUsage}
	for i, a := range order {
		for j, b := range order {
			if got := worse(a, b); got != order[max(i, j)] {
				t.Errorf("of %d and %d: %d", a, b, got)
			}
		}
	}
}

func TestGuestThatFailsAtTheEndIsToldOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		code int
	}{
		{&host.GuestError{Kind: host.GuestPanic, Module: "m", Call: -1}, exitGuest},
		{&host.GuestError{Kind: host.GuestInterrupted, Module: "m", Call: -1, Err: context.DeadlineExceeded}, exitTime},
		{context.DeadlineExceeded, exitTime},
		{errors.New("a hook"), exitFailed},
	} {
		r := newScriptReport("script.yaml")
		r.closed(test.err)
		if r.code != test.code || r.Verdict != verdicts[test.code] || r.Error == nil ||
			!strings.Contains(r.Error.Message, test.err.Error()) {
			t.Errorf("%v: %+v", test.err, r)
		}
	}
}
