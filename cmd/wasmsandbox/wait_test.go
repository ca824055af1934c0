package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestCommandsThatTakeModulesHaveALimitOfTime(t *testing.T) {
	a := new(app)
	for _, test := range []struct {
		cmd     *cobra.Command
		limited string
	}{
		{a.newInspect(), "(default 2m)"}, {a.newValidate(), "(default 15m)"}, {a.newConformance(), "(default 15m)"},
	} {
		if usage := test.cmd.Flags().Lookup("timeout").Usage; !strings.HasSuffix(usage, test.limited) {
			t.Errorf("%s: --timeout says %q, want %s", test.cmd.Name(), usage, test.limited)
		}
	}
}

func TestALimitOfTimeGivesWayToTheOneThatIsAskedFor(t *testing.T) {
	for flag, want := range map[string]time.Duration{"": 2 * time.Minute, "5s": 5 * time.Second, "1h": time.Hour} {
		cmd := &cobra.Command{}
		limit := addTimeoutOf(cmd, "work", 2*time.Minute)
		if flag != "" {
			if err := cmd.Flags().Set("timeout", flag); err != nil {
				t.Fatal(err)
			}
		}
		if err := limit.parse(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := limit.start(t.Context())
		deadline, ok := ctx.Deadline()
		cancel()
		if left := time.Until(deadline); !ok || left > want || left < want-time.Minute {
			t.Errorf("--timeout %q leaves %s, want %s", flag, left, want)
		}
	}
}
