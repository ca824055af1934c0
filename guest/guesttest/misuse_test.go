package guesttest_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest"
	"github.com/wasmsandbox/wasmsandbox/guest/guesttest"
)

// failing is a test that keeps what it fails with.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestANilRequestFailsTheTest(t *testing.T) {
	test := &failing{TB: t}
	s := guesttest.Open(test, nil)
	for name, run := range map[string]struct {
		call func()
		want string
	}{
		"of a method":  {func() { _, _ = s.Exec("all", nil) }, "*abi.ExecRequest"},
		"of write":     {func() { _ = s.Write("all", nil) }, "*guest.WriteRequest"},
		"of any":       {func() { _, _ = s.Respond("all", nil) }, "<nil>"},
		"of a matcher": {func() { _, _ = s.Match("no", (*guest.LsRequest)(nil)) }, "*abi.LsRequest"},
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan struct{})
			test.message = ""
			go func() {
				defer close(done)
				run.call()
			}()
			<-done
			if want := "guesttest: the request is nil (" + run.want + "); for defaults alone give an empty one"; test.message != want {
				t.Errorf("got %q, want %q", test.message, want)
			}
		})
	}
}

func TestAGuestErrorSaysItsKindInWords(t *testing.T) {
	for kind, want := range map[abi.GuestErrorKind]string{
		abi.GuestHandlerFailed:     "the guest could not answer: the handler failed: no",
		abi.GuestUnknownHandler:    "the guest could not answer: there is no such handler: no",
		abi.GuestBadMessage:        "the guest could not answer: the message can't be decoded: no",
		abi.GuestBadConfig:         "the guest could not answer: the configuration isn't usable: no",
		abi.GuestUnsupportedMethod: "the guest could not answer: the handler doesn't serve the method: no",
		99:                         "the guest could not answer: kind 99: no",
	} {
		if got := (&guesttest.GuestError{Kind: kind, Message: "no"}).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
