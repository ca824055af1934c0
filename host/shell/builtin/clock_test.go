package builtin_test

import (
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestTimeDoesntGoRoundInCircles(t *testing.T) {
	for script, want := range map[string]string{
		`sleep inf inf inf; date +%Y`:                     "2262\n",
		`sleep inf inf; sleep inf; sleep inf; date +%Y`:   "2262\n",
		`timeout 5 sleep inf inf inf; echo $?`:            "124\n",
		`sleep nan; echo $?; sleep -1; echo $?; date +%s`: "1\n1\n1700000000\n",
		`date -d 9999-12-31; date -d 0001-01-01; echo $?`: "1\n",
		`date -d "900000 weeks" +%Y; echo $?`:             "1\n",
		`date -d "100 weeks ago" +%F`:                     "2021-12-14\n",
		`date -d "600 weeks" +%F`:                         "2035-05-15\n",
		`sleep inf inf inf; date -d tomorrow; echo $?`:    "1\n", // which can't be told
		`sleep inf inf inf; date -d "10 weeks"; echo $?`:  "1\n",
	} {
		s := &shell.Shell{Files: workspace.New(workspace.Config{Now: 1_700_000_000_000_000_000}), Lookup: shell.Tools(builtin.Tools())}
		var out strings.Builder
		if _, err := s.Run(t.Context(), shell.Process{Args: []string{"sh", "-c", script}, Stdout: &out}); err != nil || out.String() != want {
			t.Errorf("%s: got %q, %v, want %q", script, out.String(), err, want)
		}
		if now := s.Files.Now(); now < 1_700_000_000_000_000_000 {
			t.Errorf("%s: it is %d", script, now)
		}
	}
}
