package verify_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/scripts"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// engines are those that scripts are run on. A build tag adds wasmtime.
var engines = map[string]func(context.Context, []engine.HostFunc) (engine.Engine, error){"wazero": host.DefaultEngine}

// sameEverywhere runs a script twice on each engine, and makes sure that all runs are
// the same.
func sameEverywhere(t *testing.T, load func(*host.Runtime) (*scripts.Script, error)) *verify.Transcript {
	t.Helper()
	var first *verify.Transcript
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(engines))) {
		runtime, err := host.NewRuntime(t.Context(), host.WithEngine(engines[name]))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = runtime.Close(context.Background()) }()
		script, err := load(runtime)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			transcript, err := verify.Run(t.Context(), script)
			if err != nil {
				t.Fatal(err)
			}
			transcript.Engine = name
			if first == nil {
				first = transcript
			}
			for _, d := range verify.Compare(first, transcript) {
				t.Errorf("on %s, call %d: %s: want %s, got %s", name, d.Call, d.Field, d.Want, d.Got)
			}
		}
	}
	return first
}

func TestExamplesAreTheSameInAllRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and compiles the guests of all examples")
	}
	examples, err := filepath.Glob("../examples/*/script.*")
	if err != nil || len(examples) == 0 {
		t.Fatal("there are no examples", err)
	}
	for _, path := range examples {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			first := sameEverywhere(t, func(r *host.Runtime) (*scripts.Script, error) {
				return scripts.Load(t.Context(), path, scripts.WithRuntime(r))
			})
			if first.Verdict != scripts.Held.String() || first.Calls() == 0 {
				t.Errorf("it is %s after %d calls", first.Verdict, first.Calls())
			}
		})
	}
}

// kitchen makes the kitchen-sink guest do all that it can: also what fails, and at last
// panic.
const kitchen = `
version: 1
seed: 42
modules: {kitchen: {wasm: %q, config: {main: text, list: [1, true, null]}}}
workspace: {files: {in.txt: "text\n"}}
steps:
  - {method: exec, match: {module: kitchen, handler: only_git}, responder: {module: kitchen, handler: render}}
  - {method: exec, responder: {module: kitchen, handler: results}}
  - {method: ls, responder: {module: kitchen, handler: results}}
  - {method: read, responder: {module: kitchen, handler: results}}
  - {method: exec, responder: {module: kitchen, handler: raise}}
  - {method: write, responder: {module: kitchen, handler: store}}
  - {method: ls, responder: {module: kitchen, handler: store}}
  - {method: read, responder: {module: kitchen, handler: store}}
  - {method: exec, responder: {module: kitchen, handler: count}}
  - {method: exec, responder: {module: kitchen, handler: count}}
  - {method: write, responder: {module: kitchen, handler: checksum}}
  - {method: read, responder: {module: kitchen, handler: generate}}
  - {method: exec, responder: {module: kitchen, handler: big}}
  - {method: exec, responder: {module: kitchen, handler: log}}
  - {method: exec, responder: {module: kitchen, handler: config}}
  - {method: exec, responder: {module: kitchen, handler: session}}
  - {method: exec, responder: {module: kitchen, handler: broken}}
` + deadlySteps + `calls:
  - {method: exec, args: [svn]}
  - {method: exec, args: [git, status], kwargs: {timeout: 5, user: root}}
  - {method: exec, args: [go]}
  - {method: ls, args: [.]}
  - {method: read, args: [a]}
  - {method: exec, args: [exec_non_zero, exec, no luck, "no", full]}
  - {method: write, args: [a.txt, "some text"]}
  - {method: ls, args: [.]}
  - {method: read, args: [a.txt]}
  - {method: exec, args: [go]}
  - {method: exec, args: [go]}
  - {method: write, args: [big.txt, "%s"]}
  - {method: read, args: ["5000"]}
  - {method: exec, args: ["200000", "10", "3"]}
  - {method: exec, args: [one, two, three]}
  - {method: exec, args: [go]}
  - {method: exec, args: [go]}
  - {method: exec, args: [go]}
` + deadlyCalls + `  - {method: mkdir, args: [made]}
`

// These leave the guest dead.
const (
	deadlySteps = `  - {method: exec, responder: {module: kitchen, handler: panic}}
  - {method: exec, responder: {module: kitchen, handler: count}}
`
	deadlyCalls = `  - {method: exec, args: [panic]}
  - {method: exec, args: [dead]}
`
)

// kitchens are the compiled kitchen-sink guests that are kept, and the one in JavaScript.
func kitchens(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/guests/kitchen/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no guests", err)
	}
	return append(files, "../../guest/js/kitchen/kitchen.js")
}

func TestGuestsOfAllLanguagesAreTheSameInAllRuns(t *testing.T) {
	for i, file := range kitchens(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if testing.Short() && i > 0 {
				t.Skip("one language has to do")
			}
			text := fmt.Sprintf(kitchen, file, strings.Repeat("0123456789", 10_000))
			if strings.HasSuffix(file, ".js") {
				text = strings.Replace(text, "{wasm:", "{source:", 1)
			}
			load := func(text string) func(*host.Runtime) (*scripts.Script, error) {
				return func(r *host.Runtime) (*scripts.Script, error) {
					return scripts.Parse(t.Context(), "script.yaml", []byte(text), scripts.WithRuntime(r), scripts.AllowOutside())
				}
			}
			dead := sameEverywhere(t, load(text))
			if dead.Verdict != scripts.GuestFailed.String() || dead.Calls() != 21 {
				t.Errorf("it is %s after %d calls", dead.Verdict, dead.Calls())
			}
			for call, want := range map[int]string{0: "error.reason", 1: "result.stdout", 8: "result", 10: "logs[0].text", 18: "error.kind"} {
				if _, ok := dead.Value(call, want); !ok {
					t.Errorf("call %d lacks %s", call, want)
				}
			}
			if fuel, _ := dead.Value(13, "fuel"); len(fuel) < 4 {
				t.Errorf("200,000 bytes were made with %s fuel", fuel)
			}
			alive := sameEverywhere(t, load(strings.NewReplacer(deadlySteps, "", deadlyCalls, "").Replace(text)))
			if state, _ := alive.Value(verify.AtEnd, "guests.kitchen.state"); len(state) != 64 || alive.Calls() != 19 {
				t.Errorf("after %d calls the state is %q", alive.Calls(), state)
			}
		})
	}
}
