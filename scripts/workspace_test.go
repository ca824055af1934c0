package scripts_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// load loads a script from the current folder.
func load(t *testing.T, opts ...scripts.Option) *scripts.Script {
	t.Helper()
	script, err := scripts.Load(t.Context(), ".", opts...)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// newSession makes a session of a script, which the test closes.
func newSession(t *testing.T, script *scripts.Script, opts ...host.Option) *host.Scripted {
	t.Helper()
	session, err := script.NewSession(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(t.Context()) })
	return session
}

// treeOf shows what is in a workspace: of each path its mode, and what is in it.
func treeOf(tree *workspace.Tree) map[string]string {
	shown := map[string]string{}
	for _, e := range tree.Snapshot() {
		text := e.Mode.String()
		switch {
		case e.Path == ".":
			continue
		case e.Target != "":
			text = "-> " + e.Target
		case e.Mode.IsRegular():
			text += " " + string(e.Content)
		}
		shown[e.Path] = text
	}
	return shown
}

func TestAKeyIsEnoughForAWorkspace(t *testing.T) {
	newProgramFolder(t, nil)
	for text, want := range map[string]bool{
		"": false, "steps: []": false, "manifest: {entries: {a: b}}": false,
		"workspace:": true, "workspace: {}": true, "workspace: null": true, "tools: {}": true, "tools: {t: tool.wasm}": true,
	} {
		script, err := scripts.Parse(t.Context(), "script.yaml", []byte("version: 1\n"+text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		session := newSession(t, script)
		if got := session.Workspace() != nil; got != want || (script.Workspace != nil) != want {
			t.Errorf("%q: there is a workspace: %v", text, got)
		}
		if session.Supports(host.MethodRead) != want {
			t.Errorf("%q: read is supported: %v", text, !want)
		}
	}
}

func TestTheFilesOfAScriptAreInTheWorkspace(t *testing.T) {
	newFolder(t, map[string]string{
		"script.yaml": `
version: 1
manifest: {root: /home/agent}
workspace:
  files:
    notes.txt: "hello\n"
    run.sh: {text: "#!/bin/sh\n", mode: "755", owner: alice, group: staff}
    raw: {base64: /w==, mode: "0600"}
    docs/copy.txt: {file: copy.txt}
    empty/folder: {folder: true, mode: "700"}
    /home/agent/link: {symlink: notes.txt}
    blank: ""
`,
		"copy.txt": "copied\n",
	})
	session := newSession(t, load(t))
	want := map[string]string{
		"notes.txt": "-rw-r--r-- hello\n", "run.sh": "-rwxr-xr-x #!/bin/sh\n", "raw": "-rw------- \xff", "blank": "-rw-r--r-- ",
		"docs": "drwxr-xr-x", "docs/copy.txt": "-rw-r--r-- copied\n", "empty": "drwxr-xr-x", "empty/folder": "drwx------", "link": "-> notes.txt",
	}
	if diff := cmp.Diff(want, treeOf(session.Workspace())); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
	info, err := session.Workspace().Stat("run.sh")
	if err != nil || info.Owner != "alice" || info.Group != "staff" {
		t.Errorf("run.sh: %+v, %v", info, err)
	}
}

func TestSessionsDontShareTheirWorkspaces(t *testing.T) {
	newFolder(t, map[string]string{
		"script.yaml": "{version: 1, workspace: {folder: project, files: {b: {file: b.txt}}}}", "project/a": "from the folder", "b.txt": "from a file",
	})
	script := load(t)
	write(t, "project/a", "changed after the script was loaded")
	write(t, "b.txt", "changed as well")
	first := newSession(t, script)
	if err := first.Workspace().WriteFile("a", []byte("changed by the first session"), 0); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "-rw-r--r-- from the folder", "b": "-rw-r--r-- from a file"}
	if diff := cmp.Diff(want, treeOf(newSession(t, script).Workspace())); diff != "" {
		t.Errorf("the second session has (-want +got):\n%s", diff)
	}
}

func TestWhatIsSeededHasTheTimeOfTheSession(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": `{version: 1, start_time: "2020-02-02T02:02:02Z", workspace: {folder: p, files: {a: x}}}`, "p/b": ""})
	for _, e := range newSession(t, load(t)).Workspace().Snapshot() {
		if got := e.ModTime().Format("2006-01-02 15:04:05"); got != "2020-02-02 02:02:02" {
			t.Errorf("%s is of %s", e.Path, got)
		}
	}
}

func TestTheWorkspaceAnswersWhatTheStepsDont(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": `
version: 1
workspace: {files: {a.txt: of the workspace}, answers: {ls: workspace, rm: steps}}
steps:
  - {method: read, result: of the step}
  - {method: exec, result: {stdout: of the step}}
calls:
  - {method: read, args: [a.txt], expect: of the step}
  - {method: read, args: [a.txt], expect: of the workspace}
  - {method: ls, args: [.], expect: [{path: /workspace/a.txt}]}
  - {method: exec, args: [echo, hello], expect: {stdout: of the step}}
  - {method: exec, args: [echo, hello], expect: {stdout: "hello\n"}}
`})
	script := load(t)
	report := runScript(t, script)
	var by []string
	for _, r := range report.Results {
		if r.Failed {
			t.Errorf("%s: %v %+v", r.Call.Source, r.Err, r.Differences)
		}
		by = append(by, r.Record.Outcome.String())
	}
	if want := []string{"result", "workspace", "workspace", "result", "workspace"}; !slices.Equal(by, want) || report.Verdict() != scripts.Held {
		t.Errorf("it is %s, answered by %v", report.Verdict(), by)
	}
	if newSession(t, script).Supports(host.MethodRm) {
		t.Error("rm is supported, which is for the steps, of which there is none")
	}
}

func TestOneWordSaysWhoAnswersAllMethods(t *testing.T) {
	for word, want := range map[string]int{"steps-first": 9, "workspace": 9, "steps": 0} {
		script, err := scripts.Parse(t.Context(), "script.yaml", []byte("{version: 1, workspace: {answers: "+word+"}}"))
		if err != nil {
			t.Fatal(err)
		}
		if got := newSession(t, script).Methods(); len(got) != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestErrorsOfTheWorkspaceAreAnswers(t *testing.T) {
	newProgramFolder(t, map[string]string{"script.yaml": `
version: 1
workspace: {files: {a.txt: hello}}
tools: {tool: tool.wasm}
calls:
  - {method: read, args: [missing], expect_error: workspace_read_not_found}
  - {method: read, args: [missing]}
  - {method: exec, args: ["exit 3"], expect: {exit_code: 3}}
  - {method: exec, args: [nothing], expect: {exit_code: 127}}
  - {method: read, args: [missing], expect: text}
  - {method: exec, args: [tool, trap]}
`})
	report := runScript(t, load(t))
	var failed []int
	for i, r := range report.Results {
		if r.Failed {
			failed = append(failed, i)
		}
	}
	if want := []int{4, 5}; !slices.Equal(failed, want) || report.Verdict() != scripts.GuestFailed {
		t.Errorf("it is %s, failed have %v", report.Verdict(), failed)
	}
}

func TestTheLimitsOfAWorkspaceAreThoseOfItsSessions(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": `{version: 1, workspace: {limits: {bytes: 1KiB, files: 3}}}`})
	if got, want := newSession(t, load(t)).Workspace().Limits(), (workspace.Limits{Bytes: 1024, Files: 3}); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestAToolSeesTheFilesAndTheEnvironment(t *testing.T) {
	newProgramFolder(t, map[string]string{"script.yaml": `
version: 1
manifest: {environment: {COLOR: none, LANG: C}}
workspace: {files: {sub/in.txt: "hello\n"}}
tools:
  plain: tool.wasm
  dressed: {program: tool.wasm, env: {COLOR: red}}
calls:
  - {method: exec, args: ["plain env | grep COLOR || plain env"], expect: {stdout: {regex: "COLOR=none\n"}}}
  - {method: exec, args: [dressed, env], expect: {stdout: {regex: "COLOR=red\n"}}}
  - {method: exec, args: [dressed, env], kwargs: {shell: false}, expect: {stdout: {regex: "LANG=C\n"}}}
  - {method: exec, args: ["cd sub && plain cat < in.txt > out.txt"], expect: {exit_code: 0, stderr: ""}}
  - {method: read, args: [sub/out.txt], expect: "hello\n"}
  - {method: exec, args: [plain, args, "a b", "*"], kwargs: {shell: false}, expect: {stdout: "0=[plain]\n1=[args]\n2=[a b]\n3=[*]\n"}}
  - {method: exec, args: ["plain exit 7; echo $?"], expect: {stdout: "7\n", stderr: "leaving\n"}}
`})
	script := load(t)
	if got := slices.Sorted(maps.Keys(script.Workspace.Tools)); !slices.Equal(got, []string{"dressed", "plain"}) {
		t.Errorf("the tools are %v", got)
	}
	if len(script.Programs) != 0 {
		t.Errorf("the programs are %v", script.Programs)
	}
	for _, r := range runScript(t, script).Results {
		if r.Failed {
			t.Errorf("%s: %v %+v", r.Call.Source, r.Err, r.Differences)
		}
	}
}

const countInGo = `package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(bytes.Count(data, []byte("\n")))
}
`

func TestAToolIsBuiltFromSource(t *testing.T) {
	newFolder(t, map[string]string{
		"script.yaml": `
version: 1
workspace: {files: {sub/in.txt: "a\nb\n"}}
tools: {count: count}
calls:
  - {method: exec, args: ["cd sub && count in.txt"], expect: {stdout: "2\n"}}
  - {method: exec, args: [count /workspace/sub/in.txt], expect: {stdout: "2\n"}}
  - {method: exec, args: [count /etc/passwd], expect: {exit_code: 1, stdout: ""}}
`,
		"count/go.mod": "module count\n\ngo 1.26\n", "count/main.go": countInGo,
	})
	for _, r := range runScript(t, load(t)).Results {
		if r.Failed {
			t.Errorf("%s: %v %+v", r.Call.Source, r.Err, r.Differences)
		}
	}
	if _, err := scripts.Load(t.Context(), ".", scripts.ForbidBuild()); err == nil {
		t.Error("it was built where that is forbidden")
	}
}

func TestTheManifestIsMadeAtTheStart(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": `
version: 1
manifest:
  users: [alice]
  groups: {staff: [alice]}
  grants: [/data, {path: /usr/share/dict, read_only: true}]
  entries:
    src: {folder: true, mode: "750", owner: alice}
    src/main.c: "int main(void) { return 0; }\n"
    notes.txt: {file: notes.txt}
    cache: {folder: true, ephemeral: true}
workspace: {files: {notes.txt: of the workspace}}
`, "notes.txt": "of the manifest"})
	session := newSession(t, load(t))
	if diff := cmp.Diff(map[string]string{"notes.txt": "-rw-r--r-- of the workspace"}, treeOf(session.Workspace())); diff != "" {
		t.Errorf("before the start it has (-want +got):\n%s", diff)
	}
	if err := session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"src": "drwxr-x---", "src/main.c": "-rw-r--r-- int main(void) { return 0; }\n", "notes.txt": "-rw-r--r-- of the manifest", "cache": "drwxr-xr-x",
	}
	if diff := cmp.Diff(want, treeOf(session.Workspace())); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
	m := session.Manifest()
	if m.Users[0] != "alice" || m.Groups[0].Members[0] != "alice" || !m.Grants[1].ReadOnly || m.Ephemeral[0] != "cache" {
		t.Errorf("the manifest is %+v", m)
	}
	err := session.Write(t.Context(), host.WriteRequest{Path: "/data/a", Data: strings.NewReader("x")})
	if err != nil {
		t.Errorf("a grant: %v", err)
	}
	if session.Write(t.Context(), host.WriteRequest{Path: "/usr/share/dict/words", Data: strings.NewReader("x")}) == nil {
		t.Error("what is for reading only was written to")
	}
}

func TestAnOptionReplacesTheWorkspace(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": "{version: 1, workspace: {files: {a: b}}}"})
	session := newSession(t, load(t), host.WithWorkspace(host.Workspace{}))
	if got := treeOf(session.Workspace()); len(got) != 0 {
		t.Errorf("it has %v", got)
	}
}

func TestGrantsCanHaveFiles(t *testing.T) {
	newFolder(t, map[string]string{"script.yaml": `
version: 1
manifest: {grants: [/data, {path: /usr/share/dict, read_only: true}]}
workspace:
  files:
    here.txt: "below the root\n"
    /data/sub/in.txt: {text: "in a grant\n", mode: "600"}
    /usr/share/dict/words: {file: words.txt}
calls:
  - {method: exec, args: [cat here.txt /data/sub/in.txt /usr/share/dict/words], expect: {stdout: "below the root\nin a grant\na\nb\n"}}
  - {method: write, args: [/data/sub/in.txt, x], expect: null}
  - {method: write, args: [/usr/share/dict/words, x], expect_error: {code: {any: true}}}
`, "words.txt": "a\nb\n"})
	for _, r := range runScript(t, load(t)).Results {
		if r.Failed {
			t.Errorf("%s: %v %+v", r.Call.Source, r.Err, r.Differences)
		}
	}
}
