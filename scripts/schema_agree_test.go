package scripts_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// editorSchema is the schema as editors see it.
func editorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(scripts.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("urn:editor", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("urn:editor")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func checkInEditor(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var document any
	if err := yaml.Load([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(withTextKeys(document))
}

// withTextKeys makes all keys of maps text, as in JSON.
func withTextKeys(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = withTextKeys(item)
		}
	case []any:
		for i, item := range v {
			v[i] = withTextKeys(item)
		}
	case map[any]any:
		m := make(map[string]any, len(v))
		for key, item := range v {
			m[fmt.Sprint(key)] = withTextKeys(item)
		}
		return m
	}
	return value
}

// onlyLoaded is what in a line only the loader finds: what is within expressions
// and base64, and in other files.
var onlyLoaded = []string{`regex: "`, `glob: "[`, "cel:", "module:", `{base64: "%"}`, `{base64: "?"}`, "exact: {stdout: hi", "{exact: 5}"}

func TestTheSchemaRefusesWhatTheLoaderRefuses(t *testing.T) {
	schema := editorSchema(t)
	for _, name := range []string{"steps", "matchers", "calls", "never", "hints"} {
		data, err := os.ReadFile(filepath.Join("testdata/errors", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		section := "steps"
		for line := range strings.Lines(string(txtar.Parse(data).Files[0].Data)) {
			if strings.HasPrefix(line, "calls:") {
				section = "calls"
			}
			if !strings.HasPrefix(line, "  - {") || slices.ContainsFunc(onlyLoaded, func(s string) bool { return strings.Contains(line, s) }) {
				continue
			}
			text := "version: 1\n" + section + ":\n" + line
			_, loadErr := scripts.Parse(t.Context(), "script.yaml", []byte(text))
			if loadErr != nil && checkInEditor(t, schema, text) == nil {
				t.Errorf("%s: only the loader refuses %s: %v", name, line, loadErr)
			}
			if loadErr == nil && checkInEditor(t, schema, text) != nil {
				t.Errorf("%s: only the schema refuses %s", name, line)
			}
		}
	}
}

func TestTheSchemaAcceptsWhatTheLoaderAccepts(t *testing.T) {
	schema := editorSchema(t)
	for _, text := range []string{
		`limits: {inline: 2147483647, reply: 1GiB, log: 2047MiB, blob: 2097151KiB}`,
		`limits: {inline: 2147483647B}`,
		`manifest: {root: /home, ephemeral: [tmp], mounts: [data/x]}`,
		`steps: [{method: exec, match: null, result: {}}, {method: exec, result: {stdout: null, stderr: {base64: /w==}, exit_code: -1}}]`,
		`steps: [{method: exec, result: {stdout: {text: hi}}}]`,
		`steps: [{method: exec, match: {args: [a, {glob: "*"}, {any: true}, {exact: b}, {base64: /w==}]}, result: {}}]`,
		`steps: [{method: exec, match: {args: {"7": a}, kwargs: {timeout: 5, shell: [bash, {glob: "-*"}], user: null}}, result: {}}]`,
		`steps: [{method: exec, match: {kwargs: {timeout: {any: true}, shell: {exact: [bash]}, user: {regex: a}}}, result: {}}]`,
		`steps: [{method: read, result: {base64: /w==, position: 1}}, {method: read, result: ""}, {method: read, result: {text: a, position: null}}]`,
		`steps: [{method: ls, result: []}, {method: ls, result: {path: a}}, {method: ls, result: [{path: a, owner: null, kind: null, size: 5.0}]}]`,
		`steps: [{method: apply_patch, match: {args: [[{path: a}, {any: true}]], kwargs: {patch_format: v4a}}, result: ok}]`,
		`steps: [{method: apply_patch, match: {args: {"0": [{diff: {regex: x}}]}}, result: ok}]`,
		`steps: [{method: apply_patch, match: {args: [{exact: []}]}, result: ok}]`,
		`steps: [{method: pty_exec_start, match: {kwargs: {tty: true, yield_time_s: 0.5, max_output_tokens: null}}, result: {process_id: null}}]`,
		`steps: [{method: pty_write_stdin, match: {args: [], kwargs: {session_id: 7, chars: {glob: q*}}}, result: {output: x, exit_code: 0}}]`,
		`steps: [{method: write, match: {args: [a, {text: {glob: b}, position: 0}]}, result: null}, {method: mkdir, match: {kwargs: {parents: true}}, result: null}]`,
		`steps: [{method: write, match: {args: {"1": {base64: /w==, position: {any: true}}}}, result: null}]`,
		`steps: [{method: read, match: {cel: "true"}, error: {code: exec_timeout}}, {method: exec, match: {args: []}, result: {}}]`,
		`calls: [{method: exec}, {method: exec, args: [a], kwargs: {timeout: null, shell: null, user: null}, expect: {exact: {stdout: "", stderr: "", exit_code: 0}}}]`,
		`calls: [{method: exec, args: [a], expect: {stdout: {text: hi}, stderr: {any: true}}}, {method: exec, args: [a], expect: {any: true}}]`,
		`calls: [{method: write, args: [a, {base64: /w==, position: 1}], expect: null}, {method: rm, args: [a], kwargs: {recursive: null}, expect: {any: true}}]`,
		`calls: [{method: apply_patch, args: [{type: x, path: a, diff: null}], expect: {glob: "*"}}, {method: apply_patch, args: [[]]}]`,
		`calls: [{method: pty_write_stdin, kwargs: {session_id: 1, chars: ""}, expect: {process_id: null, exit_code: {any: true}}}]`,
		`calls: [{method: ls, args: [a], expect: [{path: {glob: "*"}}, {any: true}, {exact: {path: a, permissions: -rwx------, owner: root, group: root, size: 0, kind: file}}]}]`,
		`calls: [{method: read, args: [a], expect: {text: hello}}, {method: read, args: [a], expect: {text: hello, position: 3}}]`,
		`calls: [{method: read, args: [a], expect_error: {code: {glob: "*"}, op: read, context: {a: {glob: x}}, retryable: null}}]`,
	} {
		text := "version: 1\n" + text
		if _, err := scripts.Parse(t.Context(), "script.yaml", []byte(text)); err != nil {
			t.Errorf("the loader refuses %s: %v", text, err)
		}
		if err := checkInEditor(t, schema, text); err != nil {
			t.Errorf("the schema refuses %s: %v", text, err)
		}
	}
	examples, _ := filepath.Glob("examples/*/script.yaml")
	for _, path := range examples {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkInEditor(t, schema, string(text)); err != nil {
			t.Errorf("the schema refuses %s: %v", path, err)
		}
	}
}
