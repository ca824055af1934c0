package host_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestStacksBeginWithTheAuthorsFrames(t *testing.T) {
	const path = "github.com/wasmsandbox/wasmsandbox"
	const own = path + "/guest.(*module).rescue(0x1)\n\t" + path + "/guest/panic.go:22 +0x15\n"
	for _, test := range []struct{ name, stack, want string }{
		{
			"a Go guest's",
			"goroutine 1 [running]:\n" + own + "panic({0x1, 0x2})\n\truntime/panic.go:860 +0x1c\n" +
				"main.deeper(...)\n\tx/main.go:9\nmain.init.0.func1(0x3)\n\tx/main.go:5 +0x53\n" + own +
				path + "/guest/guesttest.Run()\n\ty.go:1 +0x1\ncreated by runtime.main in goroutine 1\n\truntime/proc.go:1 +0x2\n",
			"main.deeper(...)\n\tx/main.go:9\nmain.init.0.func1(0x3)\n\tx/main.go:5\n" + path + "/guest/guesttest.Run()\n\ty.go:1\n",
		},
		{"one without any", "goroutine 1 [running]:\n" + own, "goroutine 1 [running]:\n" + own},
		{"another language's", "panic(1)\nmain", "panic(1)\nmain"},
		{"none", "", ""},
	} {
		if got := (&host.GuestError{Stack: test.stack}).AuthorStack(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
