package scripts_test

import (
	"errors"
	"os"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestAGuestWhoseStateCantBeCopiedIsAWarningIfAStepUsesIt(t *testing.T) {
	bomb, err := os.ReadFile("../testdata/hostile/table_bomb.wasm")
	if err != nil {
		t.Fatal(err)
	}
	honest, err := os.ReadFile("../testdata/hostile/honest.wasm")
	if err != nil {
		t.Fatal(err)
	}
	const modules = "version: 1\nmodules:\n  honest: honest.wasm\n  bomb: bomb.wasm\ntools: {cd: tool.wasm}\nsteps:\n"
	for name, test := range map[string]struct {
		steps string
		want  string
	}{
		"no step":    {"  - {method: exec, result: {}}\n", ""},
		"another":    {"  - {method: exec, responder: {module: honest, handler: r}}\n", ""},
		"responder":  {"  - {method: exec, responder: {module: bomb, handler: r}}\n", "bomb"},
		"matcher":    {"  - {method: exec, match: {module: bomb, handler: m}, result: {}}\n", "bomb"},
		"both steps": {"  - {method: exec, match: {module: bomb, handler: m}, responder: {module: bomb, handler: r}}\n", "bomb"},
	} {
		t.Run(name, func(t *testing.T) {
			newProgramFolder(t, map[string]string{"script.yaml": modules + test.steps})
			write(t, "bomb.wasm", string(bomb))
			write(t, "honest.wasm", string(honest))
			script, err := scripts.Load(t.Context(), ".")
			if err != nil {
				t.Fatal(err)
			}
			found := script.Volatile()
			if test.want == "" {
				if len(found) > 0 {
					t.Errorf("warned of %v", found)
				}
				return
			}
			if len(found) != 1 || len(script.Warnings) != 2 || script.Warnings[0] != found[0] {
				t.Fatalf("found %v in %v, want one, before that of the tool", found, script.Warnings)
			}
			const text = "script.yaml:4:9: modules.bomb has state that can't be copied, so that there is no checkpoint: its code uses table.grow"
			volatile, ok := errors.AsType[*scripts.VolatileError](found[0])
			if found[0].Error() != text || !ok || volatile.Module != test.want || len(volatile.Reasons) != 1 {
				t.Errorf("warning %q of %+v, want %q", found[0], volatile, text)
			}
		})
	}
}
