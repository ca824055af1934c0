package scripts_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestAScriptMayBeAFileOrAFolder(t *testing.T) {
	for _, name := range []string{"script.yaml", "script.yml", "script.json"} {
		newFolder(t, map[string]string{"dir/" + name: `{"version": 1, "steps": [{"method": "write", "result": null}]}`})
		for _, path := range []string{"dir", filepath.Join("dir", name)} {
			script, err := scripts.Load(t.Context(), path)
			if err != nil {
				t.Error(err)
				continue
			}
			want := filepath.Join("dir", name)
			if script.File != want || script.Steps[0].Source != want+":1" {
				t.Errorf("%s is %s with the step %s", path, script.File, script.Steps[0].Source)
			}
		}
	}
}

func TestAScriptThatIsNotThereIsAnError(t *testing.T) {
	newFolder(t, map[string]string{"dir/readme": ""})
	for path, want := range map[string]string{
		"none.yaml": "none.yaml: open none.yaml: no such file or directory",
		"dir":       "dir: the folder has no script.yaml, script.yml or script.json",
	} {
		_, err := scripts.Load(t.Context(), path)
		if _, ok := errors.AsType[*scripts.Error](err); !ok || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("got %v, want %s", err, want)
		}
		if path == "none.yaml" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v doesn't match fs.ErrNotExist", err)
		}
	}
}

func TestTheFormatIsFoundByNameOrContent(t *testing.T) {
	for name, text := range map[string]string{
		"a.json":  "\xEF\xBB\xBF{\"version\":\t1}",
		"a.yaml":  "\xEF\xBB\xBFversion: 1\r\nsteps: []\r\n",
		"<stdin>": "\n{\"version\":\t1}",
		"stdin":   "{version: 1}",
		"b.yaml":  `{"version": 1}`,
	} {
		if _, err := scripts.Parse(t.Context(), name, []byte(text)); err != nil {
			t.Error(err)
		}
	}
}

func TestFilesOutsideOfTheFolderNeedPermission(t *testing.T) {
	newFolder(t, map[string]string{
		"dir/script.yaml":  "version: 1\nmodules: {git: ../guest.wasm}",
		"link/script.yaml": "version: 1\nmodules: {git: guest.wasm}",
		"in/script.yaml":   "version: 1\nmodules: {git: sub/../link.wasm}",
	})
	for link, target := range map[string]string{"link/guest.wasm": "../guest.wasm", "in/link.wasm": "sub/guest.wasm"} {
		if err := os.MkdirAll(filepath.Join(filepath.Dir(link), "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Rename("guest.wasm", "in/sub/guest.wasm"); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("in/sub/guest.wasm", "guest.wasm"); err != nil {
		t.Fatal(err)
	}
	for dir, allowed := range map[string]bool{"dir": false, "link": false, "in": true} {
		_, err := scripts.Load(t.Context(), dir)
		if (err == nil) != allowed {
			t.Errorf("%s: %v", dir, err)
		}
		if err != nil && !strings.Contains(err.Error(), "outside of the script's folder") {
			t.Error(err)
		}
		script, err := scripts.Load(t.Context(), dir, scripts.AllowOutside())
		if err != nil {
			t.Error(err)
			continue
		}
		if len(script.Modules) != 1 || script.Modules[0].Name() != "git" {
			t.Errorf("%s has the modules %v", dir, script.Modules)
		}
	}
}

func TestSessionsOfAScriptAreIndependent(t *testing.T) {
	script := parse(t, `
version: 1
manifest: {root: /home}
seed: 7
start_time: "2026-01-31T12:00:00Z"
limits: {reply: 1MiB, log: 100, blob: 1GiB, inline: 4096}
modules: {git: guest.wasm}
steps:
  - {method: exec, match: {module: git, handler: only_git}, responder: {module: git, handler: status}}
`)
	first, err := script.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close(t.Context())
	second, err := script.NewSession(host.WithManifest(host.Manifest{Root: "/other"}))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close(t.Context())
	if first.Manifest().Root != "/home" || second.Manifest().Root != "/other" {
		t.Errorf("the roots are %s and %s", first.Manifest().Root, second.Manifest().Root)
	}
	for _, s := range []*host.Scripted{first, second} {
		if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"git"}}); err != nil {
			t.Error(err)
		}
	}
}

func TestARuntimeOfTheCallersCompilesTheModules(t *testing.T) {
	r, err := host.NewRuntime(t.Context(), host.WithCacheDir(""))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	newFolder(t, nil)
	_, err = scripts.Parse(t.Context(), "script.yaml", []byte("version: 1\nmodules: {git: guest.wasm}"), scripts.WithRuntime(r))
	if err == nil || !strings.Contains(err.Error(), "script.yaml:2:16: modules.git can't be loaded") {
		t.Errorf("a runtime that is closed gives %v", err)
	}
}

func TestTheEndOfTheContextEndsLoading(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": "version: 1\nmodules: {git: guest.wasm}"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scripts.Load(ctx, "."); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestYAMLIsReadAsItsVersionTwo(t *testing.T) {
	script := parse(t, `
version: 1
seed: 1000
start_time: 2026-01-31T12:00:00Z
steps:
  - method: exec
    match: &match {args: [no, "1", {any: true}], kwargs: {timeout: 0x10}}
    result: {stdout: on, exit_code: 0o17}
  - {method: exec, match: *match, result: {stdout: !!str 5}}
  - {method: exec, match: {args: {0: a, "2": c}}, result: {}}
  - {method: exec, match: null, result: {stdout: 2026-01-31}}
calls:
  - {method: exec, args: &args [no, "1", 2026-01-31], kwargs: {timeout: 16.0}, expect: {stdout: "on", exit_code: 15}}
  - {method: exec, args: *args, kwargs: {timeout: 16}, expect: {stdout: "5"}}
  - {method: exec, args: [a, b, c]}
  - {method: exec, args: [], expect: {stdout: {regex: "^2026"}}}
`)
	report := runScript(t, script)
	for _, r := range report.Results {
		if r.Failed {
			t.Errorf("%s: %v, %s", r.Call.Source, r.Err, differences(r))
		}
	}
}

// What a file costs is in proportion to its length. If it is time alone that isn't, go
// test's own limit names the file.
func TestHostileFilesAreRefusedForLittle(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("version: 1\nsteps:\n - &a0 [x]\n")
	for i := range 30 {
		bomb.WriteString(" - &a" + strconv.Itoa(i+1) + " [*a" + strconv.Itoa(i) + ", *a" + strconv.Itoa(i) + "]\n")
	}
	for _, test := range []struct{ name, file, text, want string }{
		{"aliases of aliases", "a.yaml", bomb.String(), "repeat too much"},
		{"deep YAML", "a.yaml", strings.Repeat("[", 5000), "max depth"},
		{"less deep YAML", "a.yaml", "version: 1\nsteps: " + strings.Repeat("[", 500) + strings.Repeat("]", 500), "nested too deeply"},
		{"deep JSON", "a.json", strings.Repeat("[", 1_000_000), "nested too deeply"},
		{"zeros", "a.yaml", strings.Repeat("\x00", 1000), "a.yaml:1:1: the file isn't text in UTF-8"},
		{"bytes that aren't UTF-8", "a.json", "{\"version\": 1,\n \"ü\xff\": 1}", "a.json:2:4: the file isn't text in UTF-8"},
		{"another encoding", "a.yaml", "\xff\xfev\x00e\x00", "isn't text in UTF-8"},
		{"more than 64 MiB", "a.yaml", strings.Repeat("# comment\n", 7<<20), "longer than 64 MiB"},
		{"more than a million values", "a.yaml", "steps: [" + strings.Repeat("a,", 1_000_000) + "]", "the most is 1000000"},
		{"a long line", "a.json", `{"version": 1, "steps": [` + strings.Repeat(`{"method":"write","result":null},`, 100_000) + "5]}", "a.json:1:3300026: steps[100000] must be a map"},
		{"many unknown keys", "a.json", `{"version": 1` + manyKeys(100_000) + "}", "k99999 is an unknown key"},
		{"a colon missing far above", "a.yaml", "version" + strings.Repeat("\n", 900_000) + "steps: []", "a.yaml:1:8: the file isn't YAML: a colon is missing after version"},
		{"quotes without an end", "a.yaml", "version: '1" + strings.Repeat("\n", 900_000), "a.yaml:1:10: "},
		{"many bad modules", "a.json", `{"version": 1, "modules": {"a": 5` + manyKeys(100_000) + "}}", "modules.k99999 must be"},
		{"many bad steps", "a.yaml", "version: 1\nsteps:\n" + strings.Repeat("- {method: x, error: 5}\n", 20_000), "steps[19999]"},
		{"many bad errors", "a.yaml", "version: 1\nsteps:\n" + strings.Repeat("- {method: ls, error: {x: 5}}\n", 20_000), "steps[19999]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(test.text)
			var err error
			cost := allocations(func() { _, err = scripts.Parse(t.Context(), test.file, text) })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %.300v", err)
			}
			if limit := 500_000 + 15*uint64(len(text)); cost > limit {
				t.Errorf("%d bytes took %d allocations, more than %d", len(text), cost, limit)
			}
		})
	}
}

// allocations is how many a function makes.
func allocations(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// manyKeys are more members for a JSON object.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"k` + strconv.Itoa(i) + `":5`)
	}
	return b.String()
}
