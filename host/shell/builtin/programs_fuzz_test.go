package builtin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// fuzzed runs a command with any program: it ends, and nothing panics.
func fuzzed(t *testing.T, input string, args ...string) {
	t.Helper()
	s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools()), Limits: shell.Limits{Output: 1 << 18, Commands: 100}}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	watch := time.AfterFunc(20*time.Second, func() { panic("doesn't end: " + strings.Join(args, " ")) })
	defer watch.Stop()
	_, err := s.Run(ctx, shell.Process{Args: args, Stdin: strings.NewReader(input)})
	var internal *shell.InternalError
	if errors.As(err, &internal) {
		t.Errorf("%q: %v", args, err)
	}
}

// seeds are the programs in the quotes of scripts.
func seeds(f *testing.F, scripts []string) {
	f.Helper()
	for _, script := range scripts {
		for i, part := range strings.Split(script, "'") {
			if i%2 == 1 {
				f.Add(part, "banana\napple\n10 20\n[1,{\"a\":2}]")
			}
		}
	}
}

// FuzzSed runs any text as a script of sed.
func FuzzSed(f *testing.F) {
	seeds(f, sedScripts)
	f.Fuzz(func(t *testing.T, script, input string) {
		fuzzed(t, input, "sed", "-e", script)
		fuzzed(t, input, "sed", "-n", "-E", "-s", "-i", "-e", script, "-", "fruit", "noend")
	})
}

// FuzzAwk runs any text as a program of awk.
func FuzzAwk(f *testing.F) {
	seeds(f, awkScripts)
	f.Fuzz(func(t *testing.T, program, input string) {
		fuzzed(t, input, "awk", "--", program, "-", "x=1", "fruit")
	})
}

// FuzzJQ runs any text as a filter of jq.
func FuzzJQ(f *testing.F) {
	seeds(f, jqScripts)
	f.Fuzz(func(t *testing.T, filter, input string) {
		fuzzed(t, input, "jq", "--", filter)
	})
}
