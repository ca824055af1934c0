package argv_test

import (
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/argv"
)

func shell(parts ...string) abi.Shell { return abi.Shell{Mode: abi.ShellArgv, Argv: parts} }

func TestACommandIsWrapped(t *testing.T) {
	login, none := abi.Shell{}, abi.Shell{Mode: abi.ShellOff}
	for _, test := range []struct {
		rule  string
		parts []string
		shell abi.Shell
		user  string
		want  []string
	}{
		{"S6.2 one part is the script", []string{"ls -la | wc"}, login, "", []string{"sh", "-lc", "ls -la | wc"}},
		{"S6.2 one part may be empty", []string{""}, login, "", []string{"sh", "-lc", ""}},
		{"S6.2 parts are quoted", []string{"echo", "a b", "$HOME"}, login, "", []string{"sh", "-lc", "echo 'a b' '$HOME'"}},
		{"S6.2 empty parts are quoted", []string{"", ""}, login, "", []string{"sh", "-lc", "'' ''"}},
		{"S6.2 no parts", nil, login, "", []string{"sh", "-lc", ""}},
		{"S6.2 a list", []string{"ls", "a b"}, shell("bash", "-e", "-c"), "", []string{"bash", "-e", "-c", "ls 'a b'"}},
		{"S6.2 a list and no parts", nil, shell("bash", "-c"), "", []string{"bash", "-c", ""}},
		{"S6.2 a list of an empty text", []string{"ls"}, shell(""), "", []string{"", "ls"}},
		{"S6.3 no shell", []string{"ls", "a b", "$HOME"}, none, "", []string{"ls", "a b", "$HOME"}},
		{"S6.3 no shell, and a list left over", []string{"ls"}, abi.Shell{Mode: abi.ShellOff, Argv: []string{"sh"}}, "", []string{"ls"}},
		{"S6.3 an empty list", []string{"ls", "a b"}, shell(), "", []string{"ls", "a b"}},
		{"S6.3 no shell and no parts", nil, none, "", nil},
		{"S6.5 a user is outside the shell", []string{"ls"}, login, "ann", []string{"sudo", "-u", "ann", "--", "sh", "-lc", "ls"}},
		{"S6.5 a user without a shell", []string{"ls", "a b"}, none, "ann", []string{"sudo", "-u", "ann", "--", "ls", "a b"}},
		{"S6.5 a user's name isn't quoted", []string{"ls"}, none, "a b", []string{"sudo", "-u", "a b", "--", "ls"}},
		{"S6.5 a user and no parts", nil, none, "ann", []string{"sudo", "-u", "ann", "--"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			exec := &abi.ExecRequest{Command: test.parts, Shell: test.shell, User: test.user}
			if got := argv.OfExec(exec); !slices.Equal(got, test.want) {
				t.Errorf("exec runs %q, want %q", got, test.want)
			}
			start := &abi.PTYExecStartRequest{Command: test.parts, Shell: test.shell, User: test.user}
			if got := argv.OfTerminal(start); !slices.Equal(got, test.want) {
				t.Errorf("pty_exec_start runs %q, want %q", got, test.want)
			}
		})
	}
}

func TestTheRequestIsLeftAlone(t *testing.T) {
	parts, wrapper := append(make([]string, 0, 9), "ls"), append(make([]string, 0, 9), "sh", "-c")
	got := argv.Of(parts, shell(wrapper...), "")
	got[0] = "bash"
	_ = append(argv.Of(parts, abi.Shell{Mode: abi.ShellOff}, ""), "more")
	if wrapper[0] != "sh" || wrapper[:3][2] != "" || parts[:2][1] != "" {
		t.Errorf("the parts are %q, the shell %q", parts[:2], wrapper[:3])
	}
}
