package scripts_test

import (
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestTheSchemaAndTheLoaderAgreeOnWorkspaces(t *testing.T) {
	newProgramFolder(t, map[string]string{"project/a": "hello", "a.tar": makeTar(t, member{name: "a"})})
	schema := editorSchema(t)
	for _, test := range []struct {
		text string
		fine bool
	}{
		{`workspace:`, true},
		{`workspace: {}`, true},
		{`workspace: {folder: project, tar: a.tar, files: {}, answers: {}, limits: {}, utilities: false}`, true},
		{`workspace: {files: {a: "", b: {text: x}, c: {base64: /w==}, d: {file: a.tar}, e: {folder: true}, f: {symlink: a}}}`, true},
		{`workspace: {files: {a: {text: x, mode: "644", owner: alice, group: staff}, b: {folder: true, mode: "0755"}}}`, true},
		{`workspace: {answers: workspace}`, true},
		{`workspace: {answers: {read: workspace, exec: steps, ls: steps-first}}`, true},
		{`workspace: {limits: {bytes: 1MiB, files: 5.0}}`, true},
		{`workspace: []`, false},
		{`workspace: project`, false},
		{`workspace: true`, false},
		{`workspace: {dir: project}`, false},
		{`workspace: {folder: ""}`, false},
		{`workspace: {folder: null}`, false},
		{`workspace: {tar: 5}`, false},
		{`workspace: {files: [a]}`, false},
		{`workspace: {files: {"": x}}`, false},
		{`workspace: {files: {a: null}}`, false},
		{`workspace: {files: {a: 5}}`, false},
		{`workspace: {files: {a: {}}}`, false},
		{`workspace: {files: {a: {text: x, base64: eA==}}}`, false},
		{`workspace: {files: {a: {text: x, mode: 644}}}`, false},
		{`workspace: {files: {a: {text: x, mode: "64"}}}`, false},
		{`workspace: {files: {a: {text: x, mode: "4755"}}}`, false},
		{`workspace: {files: {a: {folder: false}}}`, false},
		{`workspace: {files: {a: {symlink: ""}}}`, false},
		{`workspace: {files: {a: {text: x, ephemeral: true}}}`, false},
		{`workspace: {answers: nobody}`, false},
		{`workspace: {answers: null}`, false},
		{`workspace: {answers: {reed: steps}}`, false},
		{`workspace: {answers: {read: nobody}}`, false},
		{`workspace: {limits: {bytes: 0}}`, false},
		{`workspace: {limits: {bytes: 2GiB}}`, false},
		{`workspace: {limits: {files: 0}}`, false},
		{`workspace: {limits: {files: 2147483648}}`, false},
		{`workspace: {limits: {files: 1.5}}`, false},
		{`workspace: {limits: {files: "5"}}`, false},
		{`workspace: {utilities: null}`, false},
		{`tools: {}`, true},
		{`tools: {tool: tool.wasm, other: {program: tool.wasm, env: {A: ""}}}`, true},
		{`tools:`, false},
		{`tools: [tool.wasm]`, false},
		{`tools: {a/b: tool.wasm}`, false},
		{`tools: {"": tool.wasm}`, false},
		{`tools: {tool: ""}`, false},
		{`tools: {tool: null}`, false},
		{`tools: {tool: {}}`, false},
		{`tools: {tool: {program: tool.wasm, stdin: x}}`, false},
		{`tools: {tool: {program: tool.wasm, env: {A: 5}}}`, false},
		{`tools: {tool: {program: tool.wasm, env: {A=B: x}}}`, false},
		{`tools: {tool: {program: tool.wasm, sha256: "12"}}`, false},
		{`manifest: {grants: [], environment: {}, users: [], groups: {}, entries: {}}`, true},
		{`manifest: {grants: [/a, {path: /b}, {path: /c, read_only: true}], environment: {A: b}, users: [a], groups: {g: [a], h: []}}`, true},
		{`manifest: {entries: {a: x, b: {text: x, ephemeral: true, mode: "600", owner: a, group: b}, c: {folder: true}, d: {base64: ""}}}`, true},
		{`manifest: {grants: /a}`, false},
		{`manifest: {grants: [""]}`, false},
		{`manifest: {grants: [{path: /a, readonly: true}]}`, false},
		{`manifest: {grants: [{read_only: true}]}`, false},
		{`manifest: {grants: [null]}`, false},
		{`manifest: {environment: {A: 5}}`, false},
		{`manifest: {environment: {A=: x}}`, false},
		{`manifest: {environment: {"": x}}`, false},
		{`manifest: {users: [""]}`, false},
		{`manifest: {users: alice}`, false},
		{`manifest: {groups: {"": []}}`, false},
		{`manifest: {groups: {g: null}}`, false},
		{`manifest: {entries: {"": x}}`, false},
		{`manifest: {entries: {a: {symlink: b}}}`, false},
		{`manifest: {entries: {a: {text: x, folder: true}}}`, false},
		{`manifest: {entries: {a: {text: x, mode: "888"}}}`, false},
		{`manifest: {entries: {a: {text: x, ephemeral: 1}}}`, false},
	} {
		text := "version: 1\n" + test.text
		_, err := scripts.Parse(t.Context(), "script.yaml", []byte(text))
		if (err == nil) != test.fine {
			t.Errorf("the loader says of %s: %v", test.text, err)
		}
		if err != nil && strings.Contains(err.Error(), "isn't valid: ") {
			t.Errorf("what is wrong with %s isn't worded well: %v", test.text, err)
		}
		if err := checkInEditor(t, schema, text); (err == nil) != test.fine {
			t.Errorf("the schema says of %s: %v", test.text, err)
		}
	}
}
