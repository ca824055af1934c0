package main

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestStacksBeginWithTheAuthorsFrames(t *testing.T) {
	const own = modulePath + "/guest.(*module).rescue(0x1)\n\t" + modulePath + "/guest/panic.go:22 +0x15\n"
	for _, test := range []struct{ name, stack, want string }{
		{
			"a Go guest's",
			"goroutine 1 [running]:\n" + own + "panic({0x1, 0x2})\n\truntime/panic.go:860 +0x1c\n" +
				"main.deeper(...)\n\tx/main.go:9\nmain.init.0.func1(0x3)\n\tx/main.go:5 +0x53\n" + own +
				modulePath + "/guest/guesttest.Run()\n\ty.go:1 +0x1\ncreated by runtime.main in goroutine 1\n\truntime/proc.go:1 +0x2\n",
			"main.deeper(...)\n\tx/main.go:9\nmain.init.0.func1(0x3)\n\tx/main.go:5\n" + modulePath + "/guest/guesttest.Run()\n\ty.go:1\n",
		},
		{"one without any", "goroutine 1 [running]:\n" + own, "goroutine 1 [running]:\n" + own},
		{"another language's", "panic(1)\nmain", "panic(1)\nmain"},
		{"none", "", ""},
	} {
		if got := authorStack(test.stack); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestDeadGuestsPointAtTheCallTheyDiedIn(t *testing.T) {
	recorded := func(index int) *callReport {
		call, err := host.NewCall(index, &host.RmRequest{Path: "a"})
		if err != nil {
			t.Fatal(err)
		}
		return &callReport{call: call, recorded: true}
	}
	r := newScriptReport("script.yaml")
	r.Calls = []*callReport{recorded(0), {}, recorded(1), recorded(2)}
	for i, call := range r.Calls {
		call.Index = i
	}
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
