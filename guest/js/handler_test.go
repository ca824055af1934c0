package js

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// failure runs a responder of a program that must fail, and gives the error with
// what was logged.
func failure(t *testing.T, source string) (*host.GuestError, []host.LogEntry) {
	t.Helper()
	m := load(t, "a.js", "import { onExec, panic, SandboxError } from 'wasmsandbox';\nonExec('f', "+source+");")
	s := session(t, m, "f")
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	guestErr, ok := errors.AsType[*host.GuestError](err)
	if !ok {
		t.Fatalf("%s: got %v, want a guest error", source, err)
	}
	return guestErr, s.History()[0].Logs
}

func TestAnErrorOfAHandlerIsItsMessageAndItsStackALogEntry(t *testing.T) {
	got, logs := failure(t, "() => {\n  throw new TypeError(\"it's broken\"); }")
	if got.Kind != host.GuestFailed || got.Message != "it's broken" {
		t.Errorf("got %s %q", got.Kind, got.Message)
	}
	if len(logs) != 1 || logs[0].Level != host.LogError || logs[0].Text != "TypeError: it's broken\n    at <anonymous> (a.js:3:13)" {
		t.Errorf("got the log %+v", logs)
	}
}

func TestEveryWayToFailHasAMessage(t *testing.T) {
	for source, want := range map[string]string{
		"() => { throw 'text'; }":                                            "text",
		"() => ({ stdot: 'x' })":                                             "the result of exec has the unknown key stdot; it can have stdout, stderr, exitCode",
		"() => { throw null; }":                                              "null",
		"() => { throw { toString() { throw 1; } }; }":                       "an error that has no text",
		"() => { throw Object.create(null); }":                               "an error that has no text",
		"() => { throw new Error(); }":                                       "Error",
		"async () => { await null; throw new Error('late'); }":               "late",
		"() => new Promise(() => {})":                                        "f: the promise isn't settled when all other work is done; nothing can settle it",
		"function f() { return f(); }":                                       "Maximum call stack size exceeded",
		"() => 5":                                                            "the result of exec must be an object, not a number",
		"() => ({ stdout: 5 })":                                              "stdout must be a string, a Uint8Array, a Content or a Writer, not a number",
		"() => ({ exitCode: 1.5 })":                                          "exitCode must be an integer from -2147483648 to 2147483647, not 1.5",
		"() => ({ exitCode: 2 ** 31 })":                                      "exitCode must be an integer from -2147483648 to 2147483647, not 2147483648",
		"() => { throw new SandboxError('') }":                               "the code of a SandboxError is empty",
		"() => { throw new SandboxError('a', { context: { x: 0.5 } }) }":     "context.x is 0.5: numbers have no fraction, and large ones are BigInt",
		"() => { throw new SandboxError('a', { context: { x: f => f } }) }":  "context.x is a function, which can't be passed on",
		"() => { throw new SandboxError('a', { context: { x: 2n**63n } }) }": "context.x doesn't fit into 64 bits",
		"() => { const a = []; a.push(a); throw new SandboxError('a', { context: { a } }) }": "is nested too deep",
		"() => { onExec('later', () => {}) }":                                                "onExec: handlers are registered while the file is evaluated, not later",
	} {
		if got, _ := failure(t, source); got.Kind != host.GuestFailed || !strings.HasSuffix(got.Message, want) {
			t.Errorf("%s: got %s %q, want %q", source, got.Kind, got.Message, want)
		}
	}
}

func TestAPanicTellsMessageAndPlace(t *testing.T) {
	for _, source := range []string{"() => {\n panic('no way'); }", "() => {\n try { panic('no way'); } catch {} }"} {
		got, _ := failure(t, source)
		if got.Kind != host.GuestPanic || got.Message != "no way" || got.File != "a.js" || got.Line != 3 || !strings.Contains(got.Stack, "a.js:3") {
			t.Errorf("%s: got %+v", source, got)
		}
	}
}

func TestASandboxErrorIsAnAnswer(t *testing.T) {
	m := load(t, "a.js", `
import { onExec, SandboxError } from "wasmsandbox";
class Timeout extends SandboxError { constructor(s) { super("exec_timeout", { context: { timeout_s: s }, retryable: true }); } }
onExec("f", async () => { throw new Timeout(5); });`)
	_, err := session(t, m, "f").Exec(t.Context(), host.ExecRequest{})
	sandboxErr, ok := errors.AsType[*host.SandboxError](err)
	if !ok || !errors.Is(err, host.CodeExecTimeout) {
		t.Fatalf("got %v", err)
	}
	if got := sandboxErr.Context["timeout_s"]; got != int64(5) {
		t.Errorf("got the context %v", sandboxErr.Context)
	}
}

func TestArgumentsThatAreNoTextAreKept(t *testing.T) {
	m := load(t, "a.js", `
import { onExec } from "wasmsandbox";
onExec("f", (call, { command, commandBytes, shell, user, timeoutNs }) => ({
  stdout: commandBytes[1], stderr: JSON.stringify([command, shell, user, timeoutNs]) }));`)
	result, err := session(t, m, "f").Exec(t.Context(), host.ExecRequest{
		Command: []string{"a\x00ü", "\xff\xfeb", strings.Repeat("é", 40)}, Shell: host.ShellCommand("bash", "-c"), User: "root", Timeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `[["a\u0000ü","` + "\ufffd\ufffd" + `b","` + strings.Repeat("é", 40) + `"],{"mode":"argv","argv":["bash","-c"]},"root",5000000000]`
	if string(result.Stdout) != "\xff\xfeb" || string(result.Stderr) != want {
		t.Errorf("got %q and\n%s, want\n%s", result.Stdout, result.Stderr, want)
	}
}

func TestNumbersOf64BitsAreExact(t *testing.T) {
	m := load(t, "a.js", `
import { onPtyWriteStdin, onPtyExecStart } from "wasmsandbox";
onPtyExecStart("f", () => ({ processId: 2n ** 62n, originalTokenCount: 2n ** 53n }));
onPtyWriteStdin("f", (call, { sessionId }) => ({ output: typeof sessionId + sessionId, processId: sessionId }));`)
	h, err := m.Responder("f")
	if err != nil {
		t.Fatal(err)
	}
	var steps []host.Step
	numbers := []int{0, 1, -1, 1 << 31, -1 << 31, 1<<53 - 1, -1<<53 + 1, 1 << 53, -1 << 53, 1<<63 - 1, -1 << 63}
	for range numbers {
		steps = append(steps, host.Step{Method: host.MethodPTYWriteStdin, Outcome: host.Respond(h)})
	}
	s := scripted(t, steps)
	for _, n := range numbers {
		update, err := s.PTYWriteStdin(t.Context(), host.PTYWriteStdinRequest{SessionID: int64(n)})
		if err != nil {
			t.Fatal(err)
		}
		kind := "number"
		if n >= 1<<53 || n <= -1<<53 {
			kind = "bigint"
		}
		if !strings.HasPrefix(string(update.Output), kind) || update.ProcessID == nil || *update.ProcessID != n {
			t.Errorf("%d: got %s, and process %v", n, update.Output, *update.ProcessID)
		}
	}
}

func TestTheWorldFollowsFromTheSession(t *testing.T) {
	m := load(t, "a.js", `
import { onExec } from "wasmsandbox";
const before = [Date.now(), Math.random()];
onExec("f", async ({ time }) => {
  const start = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 60000));
  const waited = Date.now() - start;
  return { stdout: JSON.stringify([before, new Date().toISOString(), time, new Date().getTimezoneOffset(), Math.random(), waited >= 60000 && waited < 61000]) };
});`)
	run := func(seed uint64) string {
		start := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
		return stdout(t, session(t, m, "f", host.WithSeed(seed), host.WithStartTime(start)), "x")
	}
	first := run(1)
	if again := run(1); again != first {
		t.Errorf("the same session gives\n%s and\n%s", first, again)
	}
	if other := run(2); other == first {
		t.Errorf("another seed changes nothing: %s", first)
	}
	if !strings.Contains(first, `"2031-02-03T04:06:0`) || !strings.Contains(first, `"2031-02-03T04:05:06.000Z"`) || !strings.HasSuffix(first, ",true]") {
		t.Errorf("got %s", first)
	}
}

func TestLogsAndTheConsole(t *testing.T) {
	m := load(t, "a.js", `
import { log, onExec } from "wasmsandbox";
onExec("f", () => {
  log("plain"); log.debug("d"); log.warn("w"); log.error(new Uint8Array([0xff, 0x41]));
  console.log("a", 1, { b: [2n, new Map([["k", new Set([3])]])] }, null, undefined); console.error("e"); print("p");
  const self = {}; self.self = self; console.info(self);
});`)
	s := session(t, m, "f")
	exec(t, s, "x")
	var got []string
	for _, entry := range s.History()[0].Logs {
		got = append(got, entry.Level.String()+" "+entry.Text)
	}
	want := []string{"info plain", "debug d", "warn w", "error \ufffdA", `info a 1 {"b":["2n",{"k":[3]}]} null undefined`, "error e", "info p", "info [object Object]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
}

func TestSettingsHaveTheirTypes(t *testing.T) {
	m := load(t, "a.js", `
import { onExec } from "wasmsandbox";
onExec("f", ({ config }) => ({ stdout: JSON.stringify([
  config.string("text", "x"), config.string("none", "fallback"), config.integer("int"), config.boolean("bool"), [...config.bytes("bytes")],
  config.list("list"), [...config.map("map")], config.get("null", 1), config.get("none"), [...config].length]) }));
onExec("wrong", ({ config }) => config.integer("text"));`, host.WithConfig(map[string]any{
		"text": "ü", "int": -3, "bool": true, "bytes": []byte{1, 2}, "list": []any{1, "a", nil}, "map": map[string]any{"k": "v"}, "null": nil,
	}))
	if got, want := stdout(t, session(t, m, "f"), "x"), `["ü","fallback",-3,true,[1,2],[1,"a",null],[["k","v"]],null,null,7]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, err := session(t, m, "wrong").Exec(t.Context(), host.ExecRequest{})
	if !errors.Is(err, host.GuestBadConfig) || !strings.Contains(err.Error(), "text must be an integer, not a string") {
		t.Errorf("got %v", err)
	}
}

func TestContentOfAnySizeIsReadAndWritten(t *testing.T) {
	m := load(t, "a.js", `
import { onWrite, onRead, Writer } from "wasmsandbox";
let kept, old;
onWrite("f", (call, { data }) => {
  if (old) { try { old.bytes(); } catch (e) { kept = new TextEncoder().encode(e.message); return; } }
  kept = data.bytes(); old = data;
  const pieces = [];
  for (let at = 0; at < data.size; at += 1000) pieces.push(...data.read(at, 1000));
  if (pieces.length !== kept.length || pieces.some((b, i) => b !== kept[i])) throw new Error("pieces differ");
  if (data.read(data.size).length !== 0 || data.read(data.size + 5, 5).length !== 0) throw new Error("past the end");
});
onRead("f", (call, { path }) => {
  if (path === "whole") return kept;
  const writer = new Writer();
  for (let at = 0; at < kept.length; at += 777) writer.write(kept.subarray(at, at + 777));
  writer.write(kept); writer.write("ü");
  if (writer.size !== 2 * kept.length + 2) throw new Error("size " + writer.size);
  return writer;
});`)
	h, err := m.Responder("f")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 1000, 65535, 65536, 65537, 200_000} {
		content := bytes.Repeat([]byte("0123456789abcdef\xff"), size/17+1)[:size]
		s := scripted(t, []host.Step{
			{Method: host.MethodWrite, Outcome: host.Respond(h)},
			{Method: host.MethodRead, Outcome: host.Respond(h)},
			{Method: host.MethodRead, Outcome: host.Respond(h)},
		})
		if err := s.Write(t.Context(), host.WriteRequest{Path: "x", Data: bytes.NewReader(content)}); err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		for path, want := range map[string][]byte{"whole": content, "pieces": slices.Concat(content, content, []byte("ü"))} {
			stream, err := s.Read(t.Context(), host.ReadRequest{Path: path})
			if err != nil {
				t.Fatalf("%d bytes, %s: %v", size, path, err)
			}
			got, err := io.ReadAll(stream)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes, %s: got %d bytes, want %d", size, path, len(got), len(want))
			}
		}
	}
}

func TestContentOfAnEarlierCallIsGone(t *testing.T) {
	m := load(t, "a.js", `
import { onWrite } from "wasmsandbox";
let old;
onWrite("f", (call, { data }) => { const before = old; old = data; before?.text(); });`)
	h, err := m.Responder("f")
	if err != nil {
		t.Fatal(err)
	}
	s := scripted(t, slices.Repeat([]host.Step{{Method: host.MethodWrite, Outcome: host.Respond(h)}}, 2))
	write := func() error {
		return s.Write(t.Context(), host.WriteRequest{Path: "x", Data: strings.NewReader(strings.Repeat("x", 70000))})
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	if err := write(); !errors.Is(err, host.GuestFailed) || !strings.Contains(err.Error(), "a call that has ended") {
		t.Errorf("got %v", err)
	}
}

func TestMatchersAnswer(t *testing.T) {
	m := load(t, "a.js", `
import { match } from "wasmsandbox";
match("polite", ({ request }) => request.command.at(-1) === "please");
match("odd", () => "yes");`)
	for name, test := range map[string]struct {
		command string
		want    error
	}{
		"polite": {"please", nil},
		"odd":    {"please", host.GuestFailed},
	} {
		matcher, err := m.Matcher(name)
		if err != nil {
			t.Fatal(err)
		}
		s := scripted(t, []host.Step{{Method: host.MethodExec, Match: matcher, Outcome: host.Return(host.ExecResult{})}})
		_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{test.command}})
		if !errors.Is(err, test.want) || test.want == nil && err != nil {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}

// An error of work that an earlier call left behind fails no later call.
func TestAnErrorOfStrayWorkIsLogged(t *testing.T) {
	m := load(t, "a.js", `import { onExec } from "wasmsandbox";
onExec("f", async (call) => {
  setTimeout(() => { throw new Error("timer " + call.index); }, 1);
  return { stdout: "done" };
});`)
	h, err := m.Responder("f")
	if err != nil {
		t.Fatal(err)
	}
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(h)}
	s, err := host.NewScripted([]host.Step{step, step})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	for range 2 {
		result, err := s.Exec(t.Context(), host.ExecRequest{})
		if err != nil || string(result.Stdout) != "done" {
			t.Errorf("got %q, %v", result.Stdout, err)
		}
	}
	logs := s.History()[0].Logs
	if len(logs) != 1 || !strings.HasPrefix(logs[0].Text, "in work that no handler waits for: timer 0\n    at <anonymous> (a.js:3:") {
		t.Errorf("the log is %+v", logs)
	}
}
