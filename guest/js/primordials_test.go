package js

import (
	"bytes"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// eachSpoiled runs a test with a program that changed what is built in: nothing,
// as it would be without, then in each way there is.
func eachSpoiled(t *testing.T, test func(*testing.T, *host.Module)) {
	t.Helper()
	source, err := os.ReadFile("testdata/spoiled.js")
	if err != nil {
		t.Fatal(err)
	}
	config := host.WithConfig(map[string]any{
		"text": "ü", "int": -3, "bool": true, "bytes": []byte{1, 2}, "list": []any{1, "a", nil}, "map": map[string]any{"k": "v"},
	})
	for _, how := range []string{"nothing", "remove", "break", "lie"} {
		t.Run(how, func(t *testing.T) {
			test(t, load(t, "spoiled.js", strings.Replace(string(source), "HOW", how, 1), config))
		})
	}
}

func TestAProgramThatChangesWhatIsBuiltInGetsItsAnswers(t *testing.T) {
	eachSpoiled(t, func(t *testing.T, m *host.Module) {
		for _, test := range []struct {
			handler        string
			command        []string
			stdout, stderr string
			code           int
		}{
			{"text", []string{"x", "a\x00ünï" + strings.Repeat("é", 30)}, "a\x00ünï" + strings.Repeat("é", 30), "root argv bash", 3},
			{"bytes", []string{"x", "\xff\xfe"}, "\xff\xfe", "\xff\x00A", 0},
			{"long", nil, strings.Repeat("é\x00", 50000), "", 0},
			{"config", nil, "ü|fallback|-3|true|2|a|-|0|exec", "", 0},
			{"writer", nil, strings.Repeat("line\n", 30000) + "\xff\x00A", "", 0},
			{"async", nil, "later", "", 0},
			{"thenable", nil, "at once", "", 0},
			{"extension", nil, "-6", "", 0},
			{"rest", nil, "some", "", 0},
		} {
			result, err := session(t, m, test.handler).Exec(t.Context(), host.ExecRequest{
				Command: test.command, User: "root", Shell: host.ShellCommand("bash", "-c"),
			})
			if err != nil {
				t.Errorf("%s: %v", test.handler, err)
				continue
			}
			if string(result.Stdout) != test.stdout || string(result.Stderr) != test.stderr || result.ExitCode != test.code {
				t.Errorf("%s: got %.200q, %q and %d", test.handler, result.Stdout, result.Stderr, result.ExitCode)
			}
		}
	})
}

func TestAProgramThatChangesWhatIsBuiltInServesAllMethods(t *testing.T) {
	eachSpoiled(t, func(t *testing.T, m *host.Module) {
		h, err := m.Responder("all")
		if err != nil {
			t.Fatal(err)
		}
		var steps []host.Step
		for _, method := range []host.Method{
			host.MethodApplyPatch, host.MethodLs, host.MethodMkdir, host.MethodPTYExecStart, host.MethodPTYWriteStdin,
			host.MethodRead, host.MethodRm, host.MethodWrite,
		} {
			steps = append(steps, host.Step{Method: method, Outcome: host.Respond(h)})
		}
		s := scripted(t, steps)
		var got []any
		add := func(v any, err error) { got = append(got, v, err) }
		add(s.ApplyPatch(t.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{{Type: "create_file", Path: "a"}}}))
		add(s.Ls(t.Context(), host.LsRequest{Path: "src"}))
		add(nil, s.Mkdir(t.Context(), host.MkdirRequest{Path: "d"}))
		add(s.PTYExecStart(t.Context(), host.PTYExecStartRequest{Command: []string{"sh"}}))
		add(s.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: 7, Chars: "ls\n"}))
		stream, err := s.Read(t.Context(), host.ReadRequest{Path: "f"})
		if err != nil {
			t.Fatal(err)
		}
		add(io.ReadAll(stream))
		add(nil, s.Rm(t.Context(), host.RmRequest{Path: "f"}))
		add(nil, s.Write(t.Context(), host.WriteRequest{Path: "f", Data: bytes.NewReader(bytes.Repeat([]byte("AB"), 50000))}))

		entry := host.FileEntry{
			Path: "src", Permissions: 0o755, Owner: "root", Group: "staff", Size: 1 << 40, Kind: host.FileKindDirectory,
		}
		want := []any{
			"create_file a undefined undefined", nil, []host.FileEntry{entry}, nil, nil, nil,
			host.PTYUpdate{ProcessID: new(7), Output: []byte("$ "), OriginalTokenCount: new(1 << 53)}, nil,
			host.PTYUpdate{Output: []byte("ls\n"), ExitCode: new(-1)}, nil, []byte("\x00A"), nil, nil, nil, nil, nil,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the results (-want +got):\n%s", diff)
		}
		history := s.History()
		if logs := history[len(history)-1].Logs; len(logs) != 1 || logs[0].Text != "100000 A 66" {
			t.Errorf("got the log %+v", logs)
		}
	})
}

func TestAProgramThatChangesWhatIsBuiltInHasItsErrors(t *testing.T) {
	eachSpoiled(t, func(t *testing.T, m *host.Module) {
		for _, test := range []struct {
			handler, message, log string
			kind                  host.GuestErrorKind
		}{
			{"failure", "it's broken", "Error: it's broken\n    at <anonymous> (spoiled.js:N:N)", host.GuestFailed},
			{"async_failure", "late", "Error: late\n    at <anonymous> (spoiled.js:N:N)", host.GuestFailed},
			{"null", "cannot read property 'property' of null", "TypeError: cannot read property 'property' of null\n    at <anonymous> (spoiled.js:N:N)", host.GuestFailed},
			{"thrown", "a text", "", host.GuestFailed},
			{"unknown_key", "the result of exec has the unknown key stdot; it can have stdout, stderr, exitCode", "", host.GuestFailed},
			{"no_integer", "exitCode must be an integer from -2147483648 to 2147483647, not 0.5", "", host.GuestFailed},
			{"never", "never: the promise isn't settled when all other work is done; nothing can settle it", "", host.GuestFailed},
			{"wrong_config", "text must be an integer, not a string", "", host.GuestBadConfig},
		} {
			s := session(t, m, test.handler)
			_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
			guestErr, ok := errors.AsType[*host.GuestError](err)
			if !ok || guestErr.Kind != test.kind || guestErr.Message != test.message {
				t.Errorf("%s: got %v", test.handler, err)
			}
			logs := s.History()[0].Logs
			logs = slices.DeleteFunc(logs, func(e host.LogEntry) bool { return strings.HasPrefix(e.Text, "opened") })
			if test.log != "" && (len(logs) != 1 || placeInLog.ReplaceAllString(logs[0].Text, ":N:N") != test.log) {
				t.Errorf("%s: got the log %+v, want %q", test.handler, logs, test.log)
			}
		}

		_, err := session(t, m, "sandbox_error").Exec(t.Context(), host.ExecRequest{})
		sandboxErr, ok := errors.AsType[*host.SandboxError](err)
		if !ok || sandboxErr.Code != host.CodeExecTimeout || sandboxErr.Message != "too late" {
			t.Fatalf("got %v", err)
		}
		context := map[string]any{
			"list": []any{int64(1), "a", nil, []byte("\xff\x00A")}, "é": map[string]any{"nested": map[string]any{"k": int64(-5)}},
		}
		for key, want := range context {
			if diff := cmp.Diff(want, sandboxErr.Context[key]); diff != "" {
				t.Errorf("the context's %s (-want +got):\n%s", key, diff)
			}
		}
		_, err = session(t, m, "plain_error").Exec(t.Context(), host.ExecRequest{})
		if sandboxErr, ok := errors.AsType[*host.SandboxError](err); !ok || sandboxErr.Code != host.CodeExecTimeout {
			t.Errorf("got %v", err)
		}

		_, err = session(t, m, "panic").Exec(t.Context(), host.ExecRequest{})
		if guestErr, ok := errors.AsType[*host.GuestError](err); !ok || guestErr.Kind != host.GuestPanic ||
			guestErr.Message != "no way" || guestErr.File != "spoiled.js" || guestErr.Line == 0 || !strings.Contains(guestErr.Stack, "spoiled.js:") {
			t.Errorf("got %+v", err)
		}
	})
}

var placeInLog = regexp.MustCompile(`:\d+:\d+`)

func TestAProgramThatChangesWhatIsBuiltInLogsAndMatches(t *testing.T) {
	eachSpoiled(t, func(t *testing.T, m *host.Module) {
		s := session(t, m, "log")
		exec(t, s, "x")
		var got []string
		for _, entry := range s.History()[0].Logs {
			got = append(got, entry.Level.String()+" "+placeInLog.ReplaceAllString(entry.Text, ":N:N"))
		}
		want := []string{
			"debug opened with ü", "info plain", "warn \ufffd\x00A", `error {"big":"2n","map":{"k":[3]},"bytes":[255,0,65]}`,
			"info Error: shown\n    at <anonymous> (spoiled.js:N:N)\n",
		}
		for i := range want {
			if i >= len(got) || !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("got the logs %q, want %q", got, want)
				break
			}
		}

		matcher, err := m.Matcher("polite")
		if err != nil {
			t.Fatal(err)
		}
		s = scripted(t, []host.Step{{Method: host.MethodExec, Match: matcher, Outcome: host.Return(host.ExecResult{})}})
		_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"cat", "now"}})
		rejected, ok := errors.AsType[*host.MatcherRejectedError](err)
		if !ok || rejected.Reason != "be polite" || len(rejected.Differences) != 1 || rejected.Differences[0].Actual != "now" {
			t.Errorf("got %v: %+v", err, rejected)
		}
		if _, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"cat", "please"}}); err != nil {
			t.Error(err)
		}
	})
}
