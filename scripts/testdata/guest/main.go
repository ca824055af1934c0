// Command guest is the guest of the tests of package scripts.
package main

import "github.com/wasmsandbox/wasmsandbox/guest"

func init() {
	guest.Describe("guest", "1.0.0")
	guest.ConfigSchema(`{
		"type": "object",
		"properties": {"branch": {"type": "string"}, "depth": {"type": "integer", "minimum": 1}},
		"additionalProperties": false
	}`)
	guest.OnExec("status", func(c *guest.Call, _ *guest.ExecRequest) (*guest.ExecResult, error) {
		guest.Info("asked for the status")
		return guest.Stdout("On branch " + c.Config().String("branch", "main") + "\n"), nil
	})
	guest.OnRead("read", func(*guest.Call, *guest.ReadRequest) (*guest.Stream, error) {
		return nil, guest.NewError(guest.CodeWorkspaceReadNotFound)
	})
	guest.OnExec("panics", func(*guest.Call, *guest.ExecRequest) (*guest.ExecResult, error) {
		panic("out of ideas")
	})
	guest.Match("only_git", func(c *guest.Call) guest.Verdict {
		command := c.Request().(*guest.ExecRequest).Command
		if len(command) == 0 || command[0] != "git" {
			return guest.Reject("not git").Differ("args[0]", "git", "something else")
		}
		return guest.Accept()
	}, guest.Exec)
	guest.Match("anything", func(*guest.Call) guest.Verdict { return guest.Accept() })
}

func main() {}
