package js

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// TestTheExampleOfTheReadmeRuns tests the first block of code in it.
func TestTheExampleOfTheReadmeRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```js\n")
	source, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("README.md has no block of JavaScript")
	}
	m := load(t, "greeter.js", source, host.WithConfig(map[string]any{"greeting": "Good morning"}))
	if got, want := stdout(t, session(t, m, "greet"), "greet", "world"), "Good morning, world!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	polite, err := m.Matcher("polite")
	if err != nil {
		t.Fatal(err)
	}
	s := scripted(t, []host.Step{{Method: host.MethodExec, Match: polite, Outcome: host.Return(host.ExecResult{})}})
	_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"deploy"}})
	if rejected, ok := errors.AsType[*host.MatcherRejectedError](err); !ok || rejected.Reason != "say please" {
		t.Errorf("got %v", err)
	}
	exec(t, s, "deploy", "please")
}

// TestTheTypesAreThoseOfTheModule compares the names that can be imported with
// those that wasmsandbox.d.ts declares.
func TestTheTypesAreThoseOfTheModule(t *testing.T) {
	types, err := Files.ReadFile("wasmsandbox.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, found := range regexp.MustCompile(`(?m)^  export (?:function|class|const) (\w+)`).FindAllSubmatch(types, -1) {
		declared = append(declared, string(found[1]))
	}
	slices.Sort(declared)
	m := load(t, "names.js", `
import * as all from "wasmsandbox";
all.onExec("names", () => ({ stdout: Object.keys(all).sort().join(" ") }));`)
	if diff := cmp.Diff(strings.Fields(stdout(t, session(t, m, "names"), "x")), declared); diff != "" {
		t.Errorf("names (-exported +declared):\n%s", diff)
	}
}
