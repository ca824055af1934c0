package shell_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// FuzzScript runs anything as a script: it ends, without a panic, and the folder of
// the host that the test runs in stays as it is.
func FuzzScript(f *testing.F) {
	for _, script := range slices.Concat(language, corners) {
		f.Add(script)
	}
	for _, test := range endless {
		if len(test.script) < 1<<10 {
			f.Add(test.script)
		}
	}
	f.Add("a & b\xee")     // the parser tells of the error twice
	f.Add("[[ ] -eq 0 ]]") // an expression that is none
	before := others(f)
	f.Fuzz(func(t *testing.T, script string) {
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools()), Limits: shell.Limits{
			Commands: 2000, Output: 1 << 18, Pipe: 1 << 18, Variable: 1 << 16, Arguments: 1 << 16, Matches: 1 << 12, Depth: 50, Script: 1 << 14,
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		watch := time.AfterFunc(15*time.Second, func() { panic(fmt.Sprintf("doesn't end: %q", script)) })
		defer watch.Stop()
		for how, p := range map[string]shell.Process{
			"called": {Args: []string{"sh", "-c", script, "name", "argument"}, Stdin: strings.NewReader("some\ninput\n")},
			"typed":  {Args: []string{"bash"}, Stdin: strings.NewReader(script), Terminal: true},
		} {
			r := runProcess(ctx, s, p)
			var internal *shell.InternalError
			if errors.As(r.err, &internal) {
				t.Errorf("%s %q: %v", how, script, r.err)
			}
			if len(r.stdout)+len(r.stderr) > 1<<18+1<<12 {
				t.Errorf("%s %q: %d bytes of output", how, script, len(r.stdout)+len(r.stderr))
			}
		}
		if after := others(t); !slices.Equal(before, after) {
			t.Errorf("%q: the folder was changed: %q", script, after)
		}
	})
}

// others are the files of the folder that aren't of the package.
func others(t testing.TB) (names []string) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			names = append(names, e.Name())
		}
	}
	return names
}
