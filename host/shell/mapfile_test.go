package shell_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func TestMapfileTakesNoMoreThanItNeeds(t *testing.T) {
	for script, want := range map[string]string{
		`mapfile -t -n 2 a; read x; echo "${a[@]}" $x`:            "1 2 3\n",
		`mapfile -s 1 -n 1 a; read x; printf '<%s>' "${a[@]}" $x`: "<2\n><3>",
		`readarray -td 3 a; printf '<%s>' "${a[@]}"`:              "<1\n2\n><\n4>",
		`a=(x y z); mapfile -t -n 1 -O 1 a; echo "${a[@]}"`:       "x 1 z\n",
		`mapfile -t; echo ${#MAPFILE[@]} ${MAPFILE[3]}`:           "4 4\n",
		`mapfile; printf %s "${MAPFILE[@]}"`:                      "1\n2\n3\n4",
		`builtin mapfile -t a; echo ${#a[@]}`:                     "4\n",
		`mapfile -x a; echo $?`:                                   "2\n",
		`mapfile -t a < /dev/null; echo ${#a[@]}`:                 "0\n",
		`mapfile -t a <<< '$(echo x)'; echo "${a[0]}"`:            "$(echo x)\n",
	} {
		if r := run(t.Context(), newShell(t), "1\n2\n3\n4", "bash", "-c", script); r.err != nil || r.stdout != want {
			t.Errorf("%s: got %+v", script, r)
		}
	}
}

func TestMapfileAtATerminalReadsNothingAhead(t *testing.T) {
	in := &byLine{lines: []string{"1\n", "2\n", "3\n"}}
	var out strings.Builder
	_, err := newShell(t).Run(t.Context(), shell.Process{
		Args: []string{"bash", "-c", `mapfile -t -n 2 a; echo "${a[@]}"`}, Stdin: in, Stdout: &out, Terminal: true,
	})
	if err != nil || out.String() != "1 2\n" || len(in.lines) != 1 {
		t.Errorf("got %q, %v; %q is left", out.String(), err, in.lines)
	}
}

// A byLine reader gives a byte at a time of lines.
type byLine struct{ lines []string }

func (b *byLine) Read(p []byte) (int, error) {
	if len(b.lines) == 0 {
		return 0, context.Canceled
	}
	p[0] = b.lines[0][0]
	if b.lines[0] = b.lines[0][1:]; b.lines[0] == "" {
		b.lines = b.lines[1:]
	}
	return 1, nil
}

func TestAToolMayRunCommandsAtTheSameTime(t *testing.T) {
	s := newShell(t)
	var mu sync.Mutex
	got := map[string]int{}
	s.Lookup = shell.Tools(basics, map[string]shell.Tool{"parallel": func(ctx context.Context, p shell.Process) (int, error) {
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				var out strings.Builder
				_, err := p.Run(ctx, shell.Process{Args: []string{"sh", "-c", fmt.Sprintf("x=%d; echo $x | cat", i)}, Stdout: &out})
				mu.Lock()
				defer mu.Unlock()
				if got[out.String()]++; err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		return 0, nil
	}})
	if r := run(t.Context(), s, "", "parallel"); r.err != nil || len(got) != 20 {
		t.Errorf("got %+v, %v", r, got)
	}
}
