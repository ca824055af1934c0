package scripts_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// run loads a script and runs its calls.
func run(t *testing.T, path string, opts ...scripts.Option) *scripts.Report {
	t.Helper()
	script, err := scripts.Load(t.Context(), path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return runScript(t, script)
}

func runScript(t *testing.T, script *scripts.Script) *scripts.Report {
	t.Helper()
	session, err := script.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return scripts.Run(t.Context(), session, slices.Values(script.Calls))
}

func TestEveryExampleHolds(t *testing.T) {
	examples, err := filepath.Glob("examples/*/script.*")
	if err != nil || len(examples) == 0 {
		t.Fatal("there are no examples", err)
	}
	for _, path := range examples {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			report := run(t, filepath.Dir(path))
			if len(report.Results) == 0 {
				t.Error("it makes no calls")
			}
			for i, r := range report.Results {
				if r.Failed {
					t.Errorf("call #%d (%s): %v %+v", i+1, r.Call.Source, r.Err, r.Differences)
				}
				if r.Record == nil || r.Record.Outcome == host.OutcomeNone || r.Record.Outcome != host.OutcomeWorkspace && r.Record.Source == "" {
					t.Errorf("call #%d has the record %+v", i+1, r.Record)
				}
			}
			if report.Verdict() != scripts.Held {
				t.Errorf("it is %s; %d steps remain", report.Verdict(), report.Remaining)
			}
		})
	}
}
