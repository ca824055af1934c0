package host_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// What docs/json-mapping.md shows is what commands read and may print.
func TestTheJSONMappingIsAsItsPageShows(t *testing.T) {
	page, err := os.ReadFile("../docs/json-mapping.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, part := range strings.Split(string(page), "```json\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	if len(blocks) != 3 {
		t.Fatalf("the page shows %d blocks of JSON", len(blocks))
	}
	command := loadCommand(t, host.WithConfig(map[string]any{"branch": "main"}))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(command.Responder("document"))}})
	want := strings.Replace(blocks[0], `"handler":"status"`, `"handler":"document"`, 1)
	if diff := cmp.Diff(want, string(execute(t, s, "git", "status").Stdout)); diff != "" {
		t.Errorf("the call differs (-page +document):\n%s", diff)
	}
	if got, err := responds(t, host.MethodExec, "").Exec(t.Context(), *say(blocks[1])); err != nil || string(got.Stdout) != "On branch main\n" {
		t.Errorf("the result is %q, error %v", got.Stdout, err)
	}
	for line := range strings.Lines(blocks[2]) {
		var err error
		if strings.HasPrefix(line, `{"verdict"`) {
			_, err = newSession(t, []host.Step{matching(command.Matcher(""))}).Exec(t.Context(), *say(line))
			if e, ok := errors.AsType[*host.MatcherRejectedError](err); ok && e.Reason == "no such branch" && len(e.Differences) == 1 {
				continue
			}
		} else {
			_, err = responds(t, host.MethodExec, "").Exec(t.Context(), *say(line))
		}
		if !errors.Is(err, host.CodeWorkspaceReadNotFound) && !errors.Is(err, host.GuestFailed) {
			t.Errorf("%s is %v", line, err)
		}
	}
}
