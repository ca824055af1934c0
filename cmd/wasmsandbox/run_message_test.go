package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestAMessageThatTheLineCutsIsToldInFullBelow(t *testing.T) {
	long := strings.Repeat("x", longestOutcome) + " is what it says"
	reporter := &textReporter{style: palette{good: fmt.Sprint, bad: fmt.Sprint, note: fmt.Sprint, faint: fmt.Sprint, strong: fmt.Sprint}}
	guest := func(e host.GuestError) callReport {
		e.Module, e.Handler = "git", "status"
		return callReport{failed: &e, Outcome: outcomeInfo{Type: gotGuestError, Error: &errorInfo{Message: "guest git: " + e.Message}}}
	}
	outcome := func(kind string, e errorInfo) callReport {
		return callReport{Outcome: outcomeInfo{Type: kind, Error: &e}}
	}
	breach := &host.Breach{Limit: host.LimitMemory, Reached: 17301504, Allowed: 16777216}
	for _, test := range []struct {
		name string
		call callReport
		want []string
	}{
		{"a guest's short message", guest(host.GuestError{Kind: host.GuestFailed, Message: "no branch"}), nil},
		{"a guest's long message", guest(host.GuestError{Kind: host.GuestFailed, Message: long}), []string{long}},
		{"a guest's message of two lines", guest(host.GuestError{Kind: host.GuestFailed, Message: "no branch\nno tag\n"}), []string{"no branch", "no tag"}},
		{"a limit, whose line has all", guest(host.GuestError{Kind: host.GuestOutOfMemory, Message: "unreachable: " + breach.String(), Breach: breach}), nil},
		{"a panic that standard error has as well", guest(host.GuestError{Kind: host.GuestPanic, Message: long, Stderr: "panic: " + long + "\n"}), nil},
		{"a guest that is dead already", guest(host.GuestError{Kind: host.GuestDead, Message: long}), nil},
		{"a matcher's long reason", outcome(gotRejected, errorInfo{Message: "rejected", Reason: long}), []string{long}},
		{"a matcher that couldn't tell", outcome(gotError, errorInfo{Message: long}), []string{long}},
		{"a sandbox error's long message", outcome(gotSandbox, errorInfo{Message: long, Code: "exec_timeout"}), []string{long}},
		{"a sandbox error whose line has all that counts", outcome(gotSandbox, errorInfo{Message: "Invalid Context 0:\none\ntwo", Code: "apply_patch_invalid_diff"}), nil},
		{"a call that no step is for", outcome(gotUnsupported, errorInfo{Message: long}), nil},
		{"a result", callReport{Outcome: outcomeInfo{Type: gotResult, Result: map[string]any{"stdout": long}}}, nil},
	} {
		want := test.want
		if want != nil {
			want = []string{"message"}
			for _, line := range test.want {
				want = append(want, "  "+line)
			}
		}
		if got := reporter.messageLines(&test.call); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}
