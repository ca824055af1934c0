// Command kitchen is the kitchen-sink guest in Go: one guest that uses all of the
// ABI, for the conformance suite. README.md says what each handler does.
package main

import (
	"errors"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

var errBroken = errors.New("it's broken")

func init() {
	guest.Describe("kitchen-sink", "1.0.0")
	guest.ConfigSchema(`{"type":"object"}`)
	guest.OnOpen(open)

	guest.Respond("render", render)
	guest.Respond("results", results)
	guest.Respond("empty", empty)
	guest.OnExec("raise", raise)
	registerStore()
	registerContent()
	registerSession()
	guest.OnPTYExecStart("shell", startShell)
	guest.OnPTYWriteStdin("shell", writeShell)
	guest.OnExec("extension", extension)
	guest.OnWrite("blob_len", blobLen)
	guest.OnExec("broken", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) { return nil, errBroken })
	guest.OnExec("panic", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) { panic("deliberate panic") })
	registerMatchers()
}

func open(o *guest.Open) error {
	if depth, _ := o.Config.Value("depth"); depth != nil {
		if n, ok := depth.(int64); ok && n > 9 {
			return errors.New("depth is at most 9")
		}
	}
	return nil
}

func main() {}
