package shell_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func TestRandomNumbersOfToolsAreTheSameInEachRun(t *testing.T) {
	s := newShell(t)
	s.Lookup = shell.Tools(map[string]shell.Tool{
		"draw": func(_ context.Context, p shell.Process) (int, error) {
			_, err := fmt.Fprintln(p.Stdout, p.Random.Uint64())
			return 0, err
		},
	})
	const script = `a=$(draw); b=$(draw); [ $a = $b ] && echo equal; echo $a $RANDOM $b`
	first := run(t.Context(), s, "", "bash", "-c", script)
	if again := run(t.Context(), s, "", "bash", "-c", script); again != first || first.code != 0 || len(first.stdout) < 30 {
		t.Errorf("got %v, and then %v", first, again)
	}
}
