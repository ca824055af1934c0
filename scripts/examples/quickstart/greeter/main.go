// Command greeter is a guest with a responder and a matcher.
package main

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

func init() {
	guest.Describe("greeter", "1.0.0")

	// hello answers exec: it greets whom the command names.
	guest.OnExec("hello", func(c *guest.Call, req *guest.ExecRequest) (*guest.ExecResult, error) {
		greeting := c.Config().String("greeting", "Hello")
		return guest.Stdout(greeting + ", " + strings.Join(req.Command[1:], " ") + "!\n"), nil
	})

	// markdown accepts reads of Markdown files.
	guest.Match("markdown", func(c *guest.Call) guest.Verdict {
		path := c.Request().(*guest.ReadRequest).Path
		if !strings.HasSuffix(path, ".md") {
			return guest.Reject("not a Markdown file").Differ("args[0]", "*.md", path)
		}
		return guest.Accept()
	}, guest.Read)
}

func main() {}
