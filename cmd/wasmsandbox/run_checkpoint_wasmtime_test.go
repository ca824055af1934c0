//go:build wasmtime && cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A session that one engine wrote goes on with another one, as it would have with its
// own.
func TestASessionGoesOnWithAnotherEngine(t *testing.T) {
	if raceEnabled {
		t.Skip("the command without the race detector has one engine")
	}
	guests, err := filepath.Glob("../../testdata/guests/kitchen/*.wasm")
	if err != nil || len(guests) == 0 {
		t.Fatal(guests, err)
	}
	const script = `{"version": 1, "modules": {"kitchen": {"wasm": "kitchen.wasm"}}, "workspace": {}, "steps": [
		{"method": "exec", "responder": {"module": "kitchen", "handler": "count"}},
		{"method": "exec", "responder": {"module": "kitchen", "handler": "count"}},
		{"method": "exec", "responder": {"module": "kitchen", "handler": "count"}}]}`
	const one, two = `{"method": "exec", "args": ["a"]}` + "\n", `{"method": "exec", "args": ["b"]}` + "\n"
	for _, guest := range append(guests, buildGuest(t, "../../guest/kitchen")) {
		t.Run(filepath.Base(guest), func(t *testing.T) {
			wasm, err := os.ReadFile(guest)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for name, data := range map[string]string{
				"kitchen.wasm": string(wasm), "script.json": script, "one.jsonl": one, "two.jsonl": two + two,
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run := func(args ...string) string {
				cmd := exec.Command("wasmsandbox", append([]string{"run", "script.json", "--show-fuel"}, args...)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "WASMSANDBOX_CACHE="+sharedCache())
				out, err := cmd.Output()
				if err != nil {
					t.Errorf("%q: %v\n%s", args, err, out)
				}
				return string(out)
			}
			files := map[string]string{}
			for _, from := range engines {
				_ = run("--engine", from.name, "--calls", "one.jsonl", "--checkpoint", from.name+".checkpoint")
				files[from.name] = run("--engine", from.name, "--calls", "two.jsonl", "--from", from.name+".checkpoint")
			}
			for _, from := range engines {
				for _, to := range engines {
					got := run("--engine", to.name, "--calls", "two.jsonl", "--from", from.name+".checkpoint")
					if diff := cmp.Diff(files[to.name], got); diff != "" {
						t.Errorf("from %s to %s (-own +other):\n%s", from.name, to.name, diff)
					}
				}
			}
			if diff := cmp.Diff(files["wazero"], files["wasmtime"]); diff != "" {
				t.Errorf("(-wazero +wasmtime):\n%s", diff)
			}
		})
	}
}
