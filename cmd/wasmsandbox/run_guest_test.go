package main

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

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
