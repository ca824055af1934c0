// Command flaky is a guest that fails in the ways that sandboxes do.
package main

import "github.com/wasmsandbox/wasmsandbox/guest"

// attempts counts the commands that the session has run.
var attempts int

func init() {
	guest.Describe("flaky", "1.0.0")

	// recovers times out until the command was tried often enough.
	guest.OnExec("recovers", func(c *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		attempts++
		if attempts < int(c.Config().Int("attempts", 2)) {
			guest.Warn("the command hangs")
			return nil, guest.NewError(guest.CodeExecTimeout).
				With("timeout_s", int64(req.Timeout.Seconds())).
				WithRetryable(true)
		}
		return guest.Stdout("done\n"), nil
	})
}

func main() {}
