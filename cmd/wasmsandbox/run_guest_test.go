package main

import (
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestAGuestThatDiedBeforeTheRunSaysWhat(t *testing.T) {
	trapped := &host.GuestError{Kind: host.GuestTrap, Call: 4}
	for _, test := range []struct {
		name     string
		failed   *host.GuestError
		deadFrom int
		want     *host.GuestError
	}{
		{"no failure", nil, 0, nil},
		{"a failure of its own", trapped, 0, nil},
		{"dead in the run", &host.GuestError{Kind: host.GuestDead, Err: trapped}, 2, nil},
		{"dead before the run", &host.GuestError{Kind: host.GuestDead, Err: trapped}, 0, trapped},
		{"a session that is closed", &host.GuestError{Kind: host.GuestDead, Err: host.ErrClosed}, 0, nil},
	} {
		if got := diedBefore(&callReport{failed: test.failed, deadFrom: test.deadFrom}); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	if got := deathHint(&host.GuestError{Call: -1}); !strings.HasSuffix(got, "; run without --from") {
		t.Errorf("of a guest that died outside of a call: %q", got)
	}
}

func TestAMessageWhoseFirstLineLeadsOnIsShownInFull(t *testing.T) {
	for message, want := range map[string]string{
		"Invalid Context 0:\nthree\n\tfour\n": `Invalid Context 0: "three\n\tfour"`,
		"Invalid Line: x":                     "Invalid Line: x",
		"boom\nat line 3":                     "boom",
		"nothing follows:\n":                  "nothing follows:",
		"":                                    "",
	} {
		if got := whole(message); got != want {
			t.Errorf("%q is shown as %q, want %q", message, got, want)
		}
	}
}

func TestDeadGuestsPointAtTheCallTheyDiedIn(t *testing.T) {
	r := newScriptReport("script.yaml")
	r.indexes = []int32{0, -1, 1, 2}
	for _, test := range []struct {
		first error
		want  int
	}{
		{&host.GuestError{Kind: host.GuestPanic, Call: 1}, 3},
		{&host.GuestError{Kind: host.GuestPanic, Call: -1}, 0},
		{host.ErrClosed, 0},
	} {
		if got := r.deathOf(&host.GuestError{Kind: host.GuestDead, Err: test.first}); got != test.want {
			t.Errorf("%v: got %d, want %d", test.first, got, test.want)
		}
	}
}
