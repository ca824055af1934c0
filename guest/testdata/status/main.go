// Command status is the ten-line responder: the smallest useful guest.
package main

import "github.com/wasmsandbox/wasmsandbox/guest"

func init() {
	guest.OnExec("status", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Stdout("on branch " + c.Config().String("branch", "main") + "\n"), nil
	})
}

func main() {}
