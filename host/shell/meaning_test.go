package shell_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// What a name means is what happens when a tool has it.
func TestAToolIsRunUnlessItsNameMeansSomethingToTheShell(t *testing.T) {
	for name, test := range map[string]struct {
		meaning shell.NameMeaning
		script  string
		mine    bool
	}{
		"ls":     {shell.Command, "ls", true},
		"grep":   {shell.Command, "echo | grep x", true},
		"env":    {shell.Command, "env", true},
		"sudo":   {shell.Command, "sudo ls", true},
		"mine":   {shell.Command, "mine", true},
		"a b":    {shell.Command, "'a b'", true},
		":x":     {shell.Command, ":x", true},
		"cd":     {shell.Builtin, "cd /workspace", false},
		"export": {shell.Builtin, "export A=1", false},
		"exit":   {shell.Builtin, "exit 0", false},
		"echo":   {shell.Builtin, "echo", false},
		"[":      {shell.Builtin, "[ a ]", false},
		":":      {shell.Builtin, ":", false},
		":stage": {shell.Builtin, ":stage", false},
		"if":     {shell.Keyword, "if :; then :; fi", false},
		"sh":     {shell.Itself, "", true},
		"bash":   {shell.Itself, "bash -c :", true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := shell.Meaning(name); got != test.meaning {
				t.Errorf("the meaning is %d", got)
			}
			for path, mine := range map[string]bool{test.script: test.mine, "'/usr/bin/" + name + "'": true} {
				ran := false
				s := newShell(t)
				s.Lookup = shell.Tools(map[string]shell.Tool{name: func(context.Context, shell.Process) (int, error) {
					ran = true
					return 0, nil
				}}, builtin.Tools())
				if r := run(t.Context(), s, "", "sh", "-c", path); ran != mine || r.code != 0 {
					t.Errorf("%s: the tool ran: %v; got %+v", path, ran, r)
				}
			}
		})
	}
}
