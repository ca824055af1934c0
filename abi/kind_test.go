package abi_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func TestReplyKindIsTheFieldThatIsSet(t *testing.T) {
	for _, test := range []struct {
		reply abi.Reply
		kind  abi.ReplyKind
		name  string
	}{
		{abi.Reply{}, 0, "nothing"},
		{abi.Reply{Description: &abi.Description{}}, abi.ReplyDescription, "a description"},
		{abi.Reply{Verdict: &abi.Verdict{}}, abi.ReplyVerdict, "a verdict"},
		{abi.Reply{Outcome: &abi.Outcome{}}, abi.ReplyOutcome, "an outcome"},
		{abi.Reply{Error: &abi.GuestError{}}, abi.ReplyError, "an error"},
		{abi.Reply{Done: true}, abi.ReplyDone, "done"},
	} {
		if got := test.reply.Kind(); got != test.kind || got.String() != test.name {
			t.Errorf("%+v is of kind %d (%s), want %d (%s)", test.reply, got, got, test.kind, test.name)
		}
	}
	if got := abi.ReplyKind(9).String(); got != "unknown" {
		t.Errorf("kind 9 is called %q", got)
	}
}

func TestOutcomesFitTheMethodsThatHaveThem(t *testing.T) {
	for _, test := range []struct {
		outcome abi.Outcome
		kind    abi.OutcomeKind
		fits    []abi.Method
	}{
		{abi.Outcome{}, 0, nil},
		{abi.Outcome{Void: true}, abi.OutcomeVoid, []abi.Method{abi.Mkdir, abi.Rm, abi.Write}},
		{abi.Outcome{Exec: &abi.ExecResult{}}, abi.OutcomeExec, []abi.Method{abi.Exec}},
		{abi.Outcome{Stream: &abi.Stream{}}, abi.OutcomeStream, []abi.Method{abi.Read}},
		{abi.Outcome{Listing: &abi.Listing{}}, abi.OutcomeListing, []abi.Method{abi.Ls}},
		{abi.Outcome{Text: new("")}, abi.OutcomeText, []abi.Method{abi.ApplyPatch}},
		{abi.Outcome{PTY: &abi.PTYUpdate{}}, abi.OutcomePTY, []abi.Method{abi.PTYExecStart, abi.PTYWriteStdin}},
		{abi.Outcome{Error: &abi.SandboxError{}}, abi.OutcomeError, abi.Methods()},
	} {
		if got := test.outcome.Kind(); got != test.kind {
			t.Errorf("%+v is of kind %v, want %v", test.outcome, got, test.kind)
		}
		var fits []abi.Method
		for _, method := range abi.Methods() {
			if test.outcome.Fits(method) {
				fits = append(fits, method)
			}
			if method.Void() != (method.OutcomeKind() == abi.OutcomeVoid) {
				t.Errorf("%v: Void and OutcomeKind disagree", method)
			}
		}
		if len(fits) != len(test.fits) {
			t.Errorf("%v fits %v, want %v", test.kind, fits, test.fits)
			continue
		}
		for i := range fits {
			if fits[i] != test.fits[i] {
				t.Errorf("%v fits %v, want %v", test.kind, fits, test.fits)
			}
		}
		if test.outcome.Fits(0) {
			t.Errorf("%v fits no method", test.kind)
		}
	}
}
