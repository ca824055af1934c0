package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// shownChanges is what a person sees of a workspace that becomes another one.
func shownChanges(t *testing.T, before, after map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	a := &app{stdout: &out}
	r := &textReporter{app: a, w: &out, style: a.palette(&out)}
	r.workspaceLines(newWorkspaceReport("/workspace", entriesOf(t, before), entriesOf(t, after)))
	return out.String()
}

func entriesOf(t *testing.T, files map[string]string) []workspace.Entry {
	t.Helper()
	tree := workspace.New(workspace.Config{})
	for name, text := range files {
		if err := tree.WriteFile(name, []byte(text), 0); err != nil {
			t.Fatal(err)
		}
	}
	return tree.Snapshot()
}

func TestLinesOfChangesAreForShortTextOnly(t *testing.T) {
	long := strings.Repeat("line\n", longestDiffed/5+1)
	for _, text := range []string{"\xff\n", "a\x00b\n", long} {
		got := shownChanges(t, map[string]string{"f": "old\n"}, map[string]string{"f": text})
		if !strings.HasSuffix(got, "  changes\n    content  f\n") {
			t.Errorf("%.10q: got\n%s", text, got)
		}
	}
	got := shownChanges(t, map[string]string{"f": "no end"}, map[string]string{"f": "\x1b[31mred\n"})
	want := "    content  f\n        @@ -1,1 +1,1 @@\n        -no end\n        \\ No newline at end of file\n        +\\x1b[31mred\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

func TestWhatIsShownOfAWorkspaceIsBounded(t *testing.T) {
	before, after := map[string]string{}, map[string]string{}
	for i := range mostFiles + 5 {
		name := fmt.Sprintf("%04d", i)
		before[name], after[name] = "old\n", "old\n"
		if i < mostChanges+7 {
			after[name] = "new\n"
		}
	}
	after["0000"] = strings.Repeat("new\n", mostDiffLines) + strings.Repeat("x", 10_000)
	got := shownChanges(t, before, after)
	for _, want := range []string{"    … and 5 more\n  changes\n", "        … and 4 more lines\n", "    … and 7 more\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if lines := strings.Count(got, "\n"); lines > mostFiles+5*mostChanges {
		t.Errorf("there are %d lines", lines)
	}
	for line := range strings.Lines(got) {
		if len(line) > 200 {
			t.Errorf("a line has %d characters", len(line))
		}
	}
}
