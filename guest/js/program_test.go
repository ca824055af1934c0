package js

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// failedLoad loads a program that mustn't be fine, and gives what the guest said.
func failedLoad(t *testing.T, filename, source string) *host.GuestError {
	t.Helper()
	_, err := tryLoad(t, filename, source)
	if _, ok := errors.AsType[*ProgramError](err); !ok || !errors.Is(err, host.ModuleInvalid) {
		t.Fatalf("%q: got %v, want a *ProgramError", source, err)
	}
	guestErr, ok := errors.AsType[*host.GuestError](err)
	if !ok {
		t.Fatalf("%q: %v has no guest error", source, err)
	}
	return guestErr
}

func TestTheErrorOfAProgramSaysWhatAndWhere(t *testing.T) {
	_, err := tryLoad(t, "prog.js", "let b = ;")
	const want = "isn't a valid module: SyntaxError: unexpected token in expression: ';' (prog.js:1)"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want it to end in %q", err, want)
	}
}

func TestWhatIsWrongWithAProgramIsToldWithItsPlace(t *testing.T) {
	for _, test := range []struct {
		about, source, message string
		line                   int
	}{
		{"syntax", "const a = 1;\nlet b = ;\n", "SyntaxError: unexpected token in expression: ';'", 2},
		{"an error at the top level", "\n\nthrow new Error('not today');", "not today, column 11", 3},
		{"one of the language's", "null.x;", "TypeError: cannot read property 'x' of null, column 1", 1},
		{"in a function", "function f() {\n  throw new RangeError('deep');\n}\nf();", "RangeError: deep, column 13", 2},
		{"something else thrown", "throw 7;", "prog.js: 7", 0},
		{"after a wait", "await null;\nthrow new Error('late');", "late, column 11", 2},
		{"a wait without end", "await new Promise(() => {});", "prog.js: the top level awaits what never happens", 0},
		{"no such export", "import { onExec,\n  nope } from 'wasmsandbox';", "wasmsandbox has no export nope", 2},
		{"a module of node's", "import fs from 'fs';", `there is no module fs; a program is one file, and imports "wasmsandbox" alone`, 1},
		{"another file", "\nimport './other.js';", `there is no module other.js; a program is one file, and imports "wasmsandbox" alone`, 2},
		{"recursion without end", "function f() { f(); }\nf();", "RangeError: Maximum call stack size exceeded, column 15", 1},
		{"recursion in the interpreter", "JSON.parse('['.repeat(1e6));", "RangeError: Maximum call stack size exceeded, column 15", 1},
		{"a name twice", "import { onExec } from 'wasmsandbox';\nonExec('a', () => {});\nonExec('a', () => {});", `onExec: "a" is registered twice, column 1`, 3},
		{"no function", "import { onRead } from 'wasmsandbox';\nonRead('a', 5);", `TypeError: onRead("a") needs a function, not a number, column 1`, 2},
		{"no name", "import { match } from 'wasmsandbox';\nmatch('', () => {});", `TypeError: match needs a name, not an empty one, column 1`, 2},
		{"no method", "import { respond } from 'wasmsandbox';\nrespond('a', () => {}, { methods: ['run'] });", `TypeError: respond: there is no method run, column 1`, 2},
		{"the start again", "import boot from 'wasmsandbox/boot.js';\nboot();", `the runtime is running already, column 1`, 2},
	} {
		got := failedLoad(t, "prog.js", test.source)
		file := "prog.js"
		if test.line == 0 {
			file = ""
		}
		if got.Kind != host.GuestPanic || got.Line != test.line || got.File != file || !strings.HasPrefix(got.Message, test.message) {
			t.Errorf("%s: got %s %q at %s:%d,\nwant %q at line %d", test.about, got.Kind, got.Message, got.File, got.Line, test.message, test.line)
		}
	}
}

func TestFilesAreCalledAsTheAuthorCallsThem(t *testing.T) {
	for filename, want := range map[string]string{
		"a b (1).js": "", "./a.js": "a.js", "../lib/a.js": "../lib/a.js", "/abs/a.js": "/abs/a.js",
		"wasmsandbox": "", "ü.js": "ü.js", ".hidden.js": ".hidden.js",
	} {
		if want == "" {
			if _, err := tryLoad(t, filename, "export {};"); err != nil {
				t.Errorf("%s: %v", filename, err)
			}
			continue
		}
		if got := failedLoad(t, filename, "\nnull.x;"); got.File != want || got.Line != 2 {
			t.Errorf("%s: got %s:%d", filename, got.File, got.Line)
		}
	}
}

func TestASourceThatIsNoTextIsRefused(t *testing.T) {
	for source, want := range map[string]string{
		"let a;\n\x00":           "a.js:2 has a NUL byte",
		"let a;\n\nlet b='\xff'": "a.js:3 isn't UTF-8",
	} {
		_, err := tryLoad(t, "a.js", source)
		if !errors.Is(err, host.ModuleInvalid) || !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", source, err, want)
		}
	}
	for _, filename := range []string{"", "a\nb.js", "a\x00"} {
		if _, err := tryLoad(t, filename, ""); !errors.Is(err, host.ModuleInvalid) {
			t.Errorf("filename %q: got %v", filename, err)
		}
	}
}

func TestModernJavaScriptRuns(t *testing.T) {
	m := load(t, "modern.js", "\ufeff"+`
import { onExec } from "wasmsandbox";
class Counter { #n = 0; static zero = new Counter(); get next() { return ++this.#n; } }
function* upTo(n) { for (let i = 0; i < n; i++) yield i; }
const [first, ...rest] = [...upTo(4)];
const { a, ...others } = { a: 1, b: 2, c: { d: 3 } };
onExec("modern", async (call, { command }) => {
  const map = new Map([["x", new Set([1, 2, 2])]]);
  const counter = new Counter();
  counter.next;
  const parts = [first, rest.join("-"), a, Object.keys(others), map.get("x").size, counter.next, others?.c?.d ?? "none",
    others.e?.f ?? "none", 2n ** 64n, JSON.stringify({ t: [1] }), new Uint8Array([1, 256]).at(-1), command.at(-1),
    /(?<y>\d{4})/u.exec("in 2026").groups.y, "ünï".normalize("NFC").length, await Promise.all([1, Promise.resolve(2)])];
  label: for (const p of parts) { if (p === 0) continue label; }
  return { stdout: `+"`${parts.join('|')}`"+` };
});`)
	want := "0|1-2-3|1|b,c|2|2|3|none|18446744073709551616|{\"t\":[1]}|0|last|2026|3|1,2"
	if got := stdout(t, session(t, m, "modern"), "modern", "last"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestAProgramThatNeedsTooMuchMemoryIsToldSo(t *testing.T) {
	m := load(t, "large.js", `
import { onExec } from "wasmsandbox";
onExec("large", () => { const all = []; for (;;) all.push(new Uint8Array(32 << 20)); });
onExec("small", () => ({ stdout: "fine" }));`)
	large, err := m.Responder("large")
	if err != nil {
		t.Fatal(err)
	}
	small, err := m.Responder("small")
	if err != nil {
		t.Fatal(err)
	}
	s := scripted(t, []host.Step{
		{Method: host.MethodExec, Outcome: host.Respond(large)},
		{Method: host.MethodExec, Outcome: host.Respond(small)},
	})
	_, err = s.Exec(t.Context(), host.ExecRequest{})
	if guestErr, ok := errors.AsType[*host.GuestError](err); !ok || guestErr.Kind != host.GuestFailed || guestErr.Message != "out of memory" {
		t.Errorf("got %v, want a handler that failed for lack of memory", err)
	}
	if got := stdout(t, s); got != "fine" {
		t.Errorf("afterwards the guest answers %q", got)
	}
}

func TestAnEndlessProgramEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	r, err := runtimeOfTests()
	if err != nil {
		t.Fatal(err)
	}
	load(t, "fine.js", "") // compiled before the time runs
	if _, err := Load(ctx, r, "test", "loop.js", []byte("for (;;);")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestNothingOutsideIsReached(t *testing.T) {
	m := load(t, "curious.js", `
import { onExec } from "wasmsandbox";
import * as std from "qjs:std";
import * as os from "qjs:os";
onExec("look", () => ({ stdout: [
  std.loadFile("/etc/passwd"), os.open("/etc/passwd", os.O_RDONLY) < 0, os.readdir("/")[1] !== 0, os.mkdir("x") < 0,
  std.getenv("PATH") ?? "unset", typeof os.exec, typeof fetch, typeof process, typeof require, typeof globalThis.std,
].join(" ") }));`)
	want := "null|true|true|true|unset|undefined|undefined|undefined|undefined|undefined"
	if got := strings.ReplaceAll(stdout(t, session(t, m, "look")), " ", "|"); got != strings.Replace(want, "null", "", 1) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// By the interpreter's own modules a program sees what every guest does.
func TestFilesAreThoseOfTheWorkspace(t *testing.T) {
	m := load(t, "reader.js", `
import { onExec } from "wasmsandbox";
import * as std from "qjs:std";
onExec("look", () => {
  const file = std.open("report.txt", "w");
  file.puts("done");
  file.close();
  return { stdout: std.loadFile("notes.txt") };
});`)
	s := session(t, m, "look", host.WithWorkspace(host.Workspace{
		Seed: func(files *workspace.Tree) error { return files.WriteFile("notes.txt", []byte("call Ada"), 0) },
	}))
	if got := stdout(t, s, "x"); got != "call Ada" {
		t.Errorf("got %q", got)
	}
	if got, err := s.Workspace().ReadFile("report.txt"); err != nil || string(got) != "done" {
		t.Errorf("it wrote %q, %v", got, err)
	}
}

func TestAProgramThatIsTooLongIsRefused(t *testing.T) {
	if _, err := Program("a.js", make([]byte, MaxSource+1)); err == nil || !strings.Contains(err.Error(), "the most is") {
		t.Errorf("got %v", err)
	}
}

func TestProgramsAreToldByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{"a.js": true, "a.MJS": true, "js": false, "a.json": false, "a.wasm": false} {
		if IsProgram(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}
