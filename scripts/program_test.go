package scripts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestAScriptRunsProgramsAndCommands(t *testing.T) {
	newProgramFolder(t, map[string]string{"script.yaml": `
version: 1
modules:
  tool: {program: tool.wasm, env: {LANG: C, EMPTY: ""}, stdin: {base64: "/wAK"}}
  plain: {program: tool.wasm, stdin: {text: "typed\n"}}
  answer: {command: answer.wasm, config: {depth: 2.0, raw: {base64: /w==}}}
steps:
  - {method: exec, responder: {module: tool}}
  - {method: exec, responder: {module: tool}}
  - {method: exec, responder: {module: plain}}
  - {method: exec, match: {module: answer, handler: check}, result: {stdout: matched}}
  - {method: read, responder: {module: answer}}
  - {method: exec, responder: {module: answer, handler: document}}
calls:
  - {method: exec, args: [tool, env], expect: {stdout: "EMPTY=\nLANG=C\n"}}
  - {method: exec, args: [tool, cat], expect: {stdout: {base64: /wAK}}}
  - {method: exec, args: [tool, cat], expect: {stdout: "typed\n"}}
  - {method: exec, args: ['{"verdict": {"answer": "accept"}}'], expect: {stdout: matched}}
  - {method: read, args: ['{"error": {"code": "workspace_read_not_found"}}'], expect_error: workspace_read_not_found}
  - {method: exec, expect: {stdout: {regex: '"config":\{"depth":2,"raw":\{"base64":"/w=="\}\}'}}}
`})
	report := run(t, ".")
	if report.Verdict() != scripts.Held {
		for i, r := range report.Results {
			t.Errorf("call #%d: %v %+v", i+1, r.Err, r.Differences)
		}
		t.Errorf("the script is %s; %d steps remain", report.Verdict(), report.Remaining)
	}
}

func TestAScriptListsItsCommandsAndPrograms(t *testing.T) {
	newProgramFolder(t, map[string]string{"script.yaml": `
version: 1
modules: {d: {program: tool.wasm}, c: {command: tool.wasm}, b: guest.wasm, a: {program: answer.wasm}}
`})
	script, err := scripts.Load(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range script.Modules {
		names = append(names, "module "+m.Name())
	}
	for _, c := range script.Commands {
		names = append(names, "command "+c.Name())
	}
	for _, p := range script.Programs {
		names = append(names, "program "+p.Name())
	}
	if diff := cmp.Diff([]string{"module b", "command c", "program a", "program d"}, names); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
}

func TestTheSchemaAndTheLoaderAgreeOnProgramsAndCommands(t *testing.T) {
	newProgramFolder(t, nil)
	schema := editorSchema(t)
	for _, test := range []struct {
		text string
		fine bool
	}{
		{`modules: {m: {program: tool.wasm}}`, true},
		{`modules: {m: {program: tool.wasm, env: {}, stdin: null}}`, true},
		{`modules: {m: {program: tool.wasm, env: {A: "1"}, stdin: {text: x}}}`, true},
		{`modules: {m: {program: tool.wasm, stdin: {base64: /w==}}}`, true},
		{`modules: {m: {command: answer.wasm}}`, true},
		{`modules: {m: {command: answer.wasm, config: {}}}`, true},
		{`modules: {m: {program: ""}}`, false},
		{`modules: {m: {program: [tool.wasm]}}`, false},
		{`modules: {m: {program: tool.wasm, command: answer.wasm}}`, false},
		{`modules: {m: {program: tool.wasm, wasm: guest.wasm}}`, false},
		{`modules: {m: {program: tool.wasm, config: {}}}`, false},
		{`modules: {m: {program: tool.wasm, lang: c}}`, false},
		{`modules: {m: {program: tool.wasm, env: {A: 1}}}`, false},
		{`modules: {m: {program: tool.wasm, env: {"": x}}}`, false},
		{`modules: {m: {program: tool.wasm, env: {"A=B": x}}}`, false},
		{`modules: {m: {program: tool.wasm, env: null}}`, false},
		{`modules: {m: {program: tool.wasm, stdin: 5}}`, false},
		{`modules: {m: {program: tool.wasm, stdin: {}}}`, false},
		{`modules: {m: {program: tool.wasm, stdin: {text: a, base64: ""}}}`, false},
		{`modules: {m: {command: answer.wasm, env: {A: b}}}`, false},
		{`modules: {m: {command: answer.wasm, stdin: x}}`, false},
		{`modules: {m: {command: answer.wasm, lang: c}}`, false},
		{`modules: {m: {wasm: guest.wasm, env: {A: b}}}`, false},
		{`modules: {m: {wasm: guest.wasm, stdin: x}}`, false},
		{`{modules: {m: {program: tool.wasm}}, steps: [{method: exec, responder: {module: m}}]}`, true},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, responder: {module: m}}, {method: rm, responder: {module: m, handler: x}}]}`, true},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, match: {module: m}, result: null}, {method: rm, match: {module: m, handler: x}, result: null}]}`, true},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, match: {handler: m}, result: null}]}`, false},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, match: {module: m, cel: "true"}, result: null}]}`, false},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, match: {module: m, args: [a]}, result: null}]}`, false},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, match: {module: m, x: y}, result: null}]}`, false},
		{`{modules: {m: {command: answer.wasm}}, steps: [{method: rm, responder: {handler: m}}]}`, false},
	} {
		text := "version: 1\n" + test.text
		if strings.HasPrefix(test.text, "{") {
			text = "{version: 1, " + test.text[1:]
		}
		_, err := scripts.Parse(t.Context(), "script.yaml", []byte(text))
		if (err == nil) != test.fine {
			t.Errorf("the loader says of %s: %v", test.text, err)
		}
		if err := checkInEditor(t, schema, text); (err == nil) != test.fine {
			t.Errorf("the schema says of %s: %v", test.text, err)
		}
	}
}

func TestAProgramIsBuiltFromSource(t *testing.T) {
	newFolder(t, map[string]string{
		"script.yaml": `{version: 1, modules: {echo: {program: echo}}, steps: [{method: exec, responder: {module: echo}}],
  calls: [{method: exec, args: [echo, a, b], expect: {stdout: "a b", exit_code: 3}}]}`,
		"echo/go.mod":  "module echo\n\ngo 1.26\n",
		"echo/main.go": "package main\n\nimport \"os\"\n\nfunc main() {\n\tos.Stdout.WriteString(os.Args[1] + \" \" + os.Args[2])\n\tos.Exit(3)\n}\n",
	})
	if report := run(t, "script.yaml"); report.Verdict() != scripts.Held {
		t.Errorf("it is %s: %+v", report.Verdict(), report.Results)
	}
	if _, err := scripts.Load(t.Context(), "script.yaml", scripts.ForbidBuild()); err == nil {
		t.Error("it was built where that is forbidden")
	}
}
