// Command pretender is a guest that says that it is the kitchen-sink guest, and has
// one of its handlers, which does something else.
package main

import "github.com/wasmsandbox/wasmsandbox/guest"

func init() {
	guest.Describe("kitchen-sink", "1.0.0")
	guest.OnExec("count", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
		return guest.Exit(7, "not what was asked"), nil
	})
}

func main() {}
