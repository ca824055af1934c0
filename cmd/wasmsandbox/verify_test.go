package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

func TestValuesAreShownWhereTheyBeginToDiffer(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for _, test := range []struct{ want, got, shownWant, shownGot string }{
		{"a", "b", "a", "b"},
		{long + "a", long + "b", "…" + long[280:] + "a", "…" + long[280:] + "b"},
		{"x" + long, "y" + long, "x" + long[:98] + "…", "y" + long[:98] + "…"},
		{long, long + "b", "…" + long[280:], "…" + long[280:] + "b"},
		{"", long, "", long[:99] + "…"},
	} {
		want, got := contrast(&test.want, &test.got)
		if want != test.shownWant || got != test.shownGot {
			t.Errorf("got %q and %q, want %q and %q", want, got, test.shownWant, test.shownGot)
		}
	}
	if want, got := contrast(nil, new("a")); want != "absent" || got != "a" {
		t.Errorf("got %q and %q", want, got)
	}
}

func TestConditionsFollowFromTheSeed(t *testing.T) {
	choose := func(seed uint64) verifyConditions { return chooseConditions(rand.New(rand.NewPCG(seed, 1))) }
	if a, b := choose(1), choose(1); !slices.Equal(a.settings(), b.settings()) {
		t.Errorf("got %v and %v", a, b)
	}
	if a, b := choose(1), choose(2); slices.Equal(a.settings(), b.settings()) {
		t.Errorf("got %v twice", a)
	}
}

func TestRunsThatDifferCannotSteerTheTerminal(t *testing.T) {
	for name, report := range map[string]*verifyReport{
		"file":   {File: hostile},
		"engine": {File: "a.yaml", Divergence: &verifyDivergence{When: atEnd, Run: verifyRun{Engine: hostile}}},
		"method": {File: "a.yaml", Divergence: &verifyDivergence{When: atCall, Call: new(1), Method: hostile}},
		"field":  {File: "a.yaml", Divergence: &verifyDivergence{When: atStart, Differences: []verifyDifference{{Field: hostile}}}},
		"want":   {File: "a.yaml", Divergence: &verifyDivergence{When: atStart, Differences: []verifyDifference{{Want: new(hostile)}}}},
		"got":    {File: "a.yaml", Divergence: &verifyDivergence{When: atStart, Differences: []verifyDifference{{Got: new(hostile)}}}},
		"error":  {File: "a.yaml", Error: &runError{Message: hostile}},
	} {
		t.Run(name, func(t *testing.T) {
			report.Status = runsDiffer
			checkTamed(t, output(func(a *app) { a.printVerification(&verifyDocument{Scripts: []*verifyReport{report}}, nil) }))
		})
	}
	t.Run("manifest", func(t *testing.T) {
		checkTamed(t, output(func(a *app) { a.printVerification(&verifyDocument{}, &verify.Manifest{Tool: hostile}) }))
	})
	t.Run("verdict", func(t *testing.T) {
		report := &verifyReport{Status: runsSame, first: &verify.Transcript{}, Verdict: hostile, Digest: strings.Repeat("0", 64)}
		checkTamed(t, output(func(a *app) {
			a.printVerification(&verifyDocument{Error: hostile, Scripts: []*verifyReport{report}}, nil)
		}))
	})
}

// The digest decides, whatever the comparison of facts has found.
func TestFactsInAnotherOrderAreADifference(t *testing.T) {
	a, b := verify.Fact{Field: "a", Value: "1"}, verify.Fact{Field: "b", Value: "2"}
	report := newVerifyReport("a.yaml")
	for i, facts := range [][]verify.Fact{{a, b}, {a, b}, {b, a}} {
		report.note(t.Context(), verifyRun{Engine: "wazero", Run: i + 1}, &verify.Transcript{Facts: facts}, nil)
		if differ := report.Status == runsDiffer; differ != (i == 2) {
			t.Fatalf("after run %d it is %q", i+1, report.Status)
		}
	}
	if d := report.Divergence; d.When != atEnd || d.Run.Run != 3 || len(d.Differences) != 1 || d.Differences[0].Field != "digest" {
		t.Errorf("got %+v", d)
	}
}

// Of two scripts, the one that decides gives the document its word and its code.
func TestTheWorstScriptDecides(t *testing.T) {
	for _, test := range []struct {
		statuses []string
		want     string
		code     int
	}{
		{[]string{runsSame, runsSame}, runsSame, exitOK},
		{[]string{runsSame, runsInconclusive}, runsInconclusive, exitTime},
		{[]string{runsInconclusive, runsDiffer}, runsDiffer, exitFailed},
		{[]string{runsDiffer, runsInconclusive}, runsDiffer, exitFailed},
		{[]string{runsInvalid, runsDiffer}, runsInvalid, exitUsage},
	} {
		plan := &verifyPlan{}
		for _, status := range test.statuses {
			plan.reports = append(plan.reports, &verifyReport{Status: status})
		}
		if d := plan.document(&verifyFlags{}); d.Status != test.want || d.code != test.code {
			t.Errorf("of %v came %s with code %d", test.statuses, d.Status, d.code)
		}
	}
}
