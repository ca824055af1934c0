package main

import (
	"encoding/hex"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

func registerMatchers() {
	guest.Match("accept", func(*guest.Call) guest.Verdict { return guest.Accept() })
	guest.Match("undecided", func(*guest.Call) guest.Verdict { return guest.Verdict{} })
	guest.Match("only_git", onlyGit, guest.Exec)
	guest.Match("differ", func(*guest.Call) guest.Verdict {
		return guest.Reject("two differences").Differ("a", "1", "2").Differ("b", "", "")
	})
	guest.Match("digest", digest, guest.Write)
	guest.Match("broken", func(*guest.Call) guest.Verdict { return guest.Failed(errBroken) }, guest.Exec)
	guest.Match("panic", func(*guest.Call) guest.Verdict { panic("deliberate panic") }, guest.Exec)
}

func onlyGit(c *guest.Call) guest.Verdict {
	command, first := c.Request().(*guest.ExecRequest).Command, ""
	if len(command) > 0 {
		first = command[0]
	}
	if first == "git" {
		return guest.Accept()
	}
	return guest.Reject("not git").Differ("args[0]", "git", first)
}

func digest(c *guest.Call) guest.Verdict {
	content := c.Request().(*guest.WriteRequest).Data.Content
	reason := "inline"
	if sum := content.SHA256(); sum != nil {
		reason = hex.EncodeToString(sum)
	}
	return guest.Reject(reason).Differ("data", "", strconv.FormatInt(content.Size(), 10))
}
