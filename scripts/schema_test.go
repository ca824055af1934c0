package scripts_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func definitions(t *testing.T) map[string]any {
	t.Helper()
	var schema map[string]any
	if err := json.Unmarshal(scripts.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	return schema["$defs"].(map[string]any)
}

func enum(t *testing.T, name string) []string {
	t.Helper()
	var values []string
	for _, v := range definitions(t)[name].(map[string]any)["enum"].([]any) {
		values = append(values, v.(string))
	}
	slices.Sort(values)
	return values
}

func TestTheSchemaHasTheMethodsCodesAndOperations(t *testing.T) { // S1.3, S7.3, S10.12
	var methods, codes []string
	for _, m := range abi.Methods() {
		methods = append(methods, m.String())
	}
	for _, c := range host.Codes() {
		codes = append(codes, string(c))
	}
	ops := []string{
		string(host.OpStart), string(host.OpStop), string(host.OpExec), string(host.OpRead), string(host.OpWrite),
		string(host.OpShutdown), string(host.OpRunning), string(host.OpPersistWorkspace), string(host.OpHydrateWorkspace),
		string(host.OpResolveExposedPort), string(host.OpMaterialize), string(host.OpSnapshotPersist),
		string(host.OpSnapshotRestore), string(host.OpApplyPatch),
	}
	slices.Sort(ops)
	for name, want := range map[string][]string{"method": methods, "code": codes, "op": ops} {
		if diff := cmp.Diff(want, enum(t, name)); diff != "" {
			t.Errorf("the schema's %ss differ (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheSchemaIsValidAndDescribesEverything(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(scripts.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	id := document.(map[string]any)["$id"].(string)
	readme, err := os.ReadFile("README.md")
	if err != nil || !strings.Contains(string(readme), "$schema="+id+"\n") {
		t.Errorf("its id is %s, which README.md doesn't name", id)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(id, document); err != nil {
		t.Fatal(err)
	}
	compileExamples(t, compiler, id, "", document)
}

// compileExamples checks the examples in a schema against the schema they are
// in, and that properties have descriptions.
func compileExamples(t *testing.T, compiler *jsonschema.Compiler, id, at string, part any) {
	m, ok := part.(map[string]any)
	if !ok {
		return
	}
	if examples, ok := m["examples"].([]any); ok {
		schema, err := compiler.Compile(id + "#" + at)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range examples {
			if err := schema.Validate(example); err != nil {
				t.Errorf("an example of %s: %v", at, err)
			}
		}
	}
	condition := strings.HasSuffix(filepath.ToSlash(filepath.Dir(at)), "/if/properties")
	if strings.HasSuffix(filepath.ToSlash(filepath.Dir(at)), "/properties") && !condition && m["description"] == nil && m["$ref"] == nil {
		t.Errorf("%s has no description", at)
	}
	for key, value := range m {
		if key != "examples" && key != "default" {
			compileExamples(t, compiler, id, at+"/"+key, value)
		}
	}
}
