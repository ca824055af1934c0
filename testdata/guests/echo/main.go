// Command echo is the guest of the host's own tests and benchmarks: it answers
// every method in the plainest way.
package main

import (
	"errors"
	"os"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

var calls int

func init() {
	guest.Describe("echo", "1.0.0")
	guest.OnExec("echo", func(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout(strings.Join(req.Command, " ")), nil
	})
	guest.OnWrite("discard", func(_ *guest.Call, req *guest.WriteRequest) error {
		buf := make([]byte, 64<<10)
		for r := req.Data.Reader(); ; {
			if _, err := r.Read(buf); err != nil {
				return nil
			}
		}
	})
	guest.OnExec("misbehave", misbehave)
	guest.Match("echo", func(c *guest.Call) guest.Verdict {
		calls++
		if req, ok := c.Request().(*guest.ExecRequest); ok && len(req.Command) > 1 {
			return guest.Reject("too many words").Differ("args", "one", strings.Join(req.Command, " "))
		}
		return guest.Accept()
	})
}

// misbehave does what its command says.
func misbehave(_ *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
	switch req.Command[0] {
	case "panic":
		panic("kaboom " + req.Command[1])
	case "nil":
		var m map[string]int
		m[req.Command[0]]++
	case "exit":
		os.Exit(3)
	case "loop":
		for {
			calls++
		}
	case "deep":
		return guest.Stdout(string(rune(recurse(len(req.Command))))), nil
	case "fail":
		return nil, errors.New("the handler gives up")
	case "print":
		os.Stdout.WriteString("to stdout\n")
		os.Stderr.WriteString("to stderr\n")
		guest.Info("to the log")
	}
	return guest.Stdout("fine"), nil
}

func recurse(n int) int {
	if n == 0 {
		return 0
	}
	return recurse(n+1) + 1
}

func main() {}
