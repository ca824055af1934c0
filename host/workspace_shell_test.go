package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// A line is what is typed, and what comes back besides its echo.
type line struct{ typed, want string }

// converse types lines into a shell at a terminal.
func (y *typist) converse(command string, lines []line) {
	y.Helper()
	u, err := y.session.PTYExecStart(y.Context(), host.PTYExecStartRequest{Command: []string{command}, TTY: true})
	if err != nil || string(u.Output) != "# " {
		y.Fatalf("it begins with %q, %v", u.Output, err)
	}
	y.id = u.ProcessID
	for _, l := range lines {
		y.types(l.typed+"\n", l.typed+"\r\n"+strings.ReplaceAll(l.want, "\n", "\r\n"))
	}
}

func TestAShellRunsWhatIsTyped(t *testing.T) {
	for name, lines := range map[string][]line{
		"commands":             {{"echo a; echo b", "a\nb\n# "}, {"false", "# "}, {"echo $?", "1\n# "}, {"", "# "}, {"# nothing", "# "}},
		"in the same shell":    {{"x=5; f() { echo f $x; }", "# "}, {"f", "f 5\n# "}, {"mkdir d; cd d", "# "}, {"pwd", "/workspace/d\n# "}},
		"lines that go on":     {{"if true", "> "}, {"then echo yes", "> "}, {"fi", "yes\n# "}, {"echo 'a", "> "}, {"b'", "a\nb\n# "}, {`echo a \`, "> "}, {"b", "a b\n# "}},
		"a here-document":      {{"cat > f <<EOF", "> "}, {"a $((1+1))", "> "}, {"EOF", "# "}, {"cat f", "a 2\n# "}},
		"what commands read":   {{"read x", ""}, {"y", "# "}, {"echo $x", "y\n# "}, {"head -n 1", ""}, {"z", "z\n# "}},
		"errors":               {{"nosuch", "bash: nosuch: command not found\n# "}, {"echo )", "bash: Syntax error: a command can only contain words and redirects; encountered `)`\n# "}, {"echo $?", "2\n# "}},
		"the rest of a line":   {{"echo ) " + strings.Repeat("x", 300) + "; echo no", "bash: Syntax error: a command can only contain words and redirects; encountered `)`\n# "}, {"echo yes", "yes\n# "}},
		"what it can't do":     {{"cat <(echo a); echo b", "bash: process substitution is not supported\n# "}, {"echo $?", "2\n# "}},
		"a fault in a word":    {{"set -u", "# "}, {"echo $nosuch", "nosuch: unbound variable\n# "}, {"echo $? still", "1 still\n# "}},
		"a shell within":       {{"sh", "# "}, {"x=1; echo $0", "sh\n# "}, {"nosuch", "sh: 2: nosuch: not found\n# "}, {"exit 3", "# "}, {"echo $? $0 [$x]", "3 bash []\n# "}},
		"a shell of a pipe":    {{"echo 'echo piped' | bash", "piped\n# "}, {"bash <<< 'echo here'", "here\n# "}, {"echo 'echo file' > s; bash < s", "file\n# "}},
		"prompts of its own":   {{"PS1='$ ' PS2='more '", "$ "}, {"for i in 1 2", "more "}, {"do echo $i; done", "1\n2\n$ "}, {"unset PS1 PS2", "# "}},
		"traps, but no sooner": {{"trap 'echo bye' EXIT", "# "}, {"echo a", "a\n# "}, {"trap - EXIT", "# "}},
	} {
		t.Run(name, func(t *testing.T) {
			y := &typist{T: t, session: withTools(t, nil)}
			y.converse("bash", lines)
			if u := y.types("exit 7\n", "exit 7\r\n"); u.ExitCode == nil || *u.ExitCode != 7 {
				t.Errorf("exit code %v", u.ExitCode)
			}
		})
	}
}

func TestCommandsAnswerEachLine(t *testing.T) {
	for _, command := range []string{"cat", "cat -u - f", "head -n 9", "sed s/x/y/", "awk 1", "tr x y", "jq -r .", "sh -c cat", "timeout 9 cat"} {
		t.Run(command, func(t *testing.T) {
			y := &typist{T: t, session: withTools(t, nil)}
			y.converse("bash", []line{{"echo > f", "# "}, {command, ""}, {"1", "1\n"}, {"22", "22\n"}})
		})
	}
}

func TestAShellAtATerminalEnds(t *testing.T) {
	for name, test := range map[string]struct {
		lines []line
		last  string
		want  string
		code  int
	}{
		"by exit":                     {nil, "exit 3\n", "exit 3\r\n", 3},
		"by the end of the input":     {[]line{{"false", "# "}}, "\x04", "\r\n", 1},
		"by that within a statement":  {[]line{{"if true", "> "}}, "\x04", "bash: Syntax error: `if <cond>` must be followed by `then`\r\n", 2},
		"by set -e":                   {[]line{{"set -e", "# "}, {"false || true", "# "}}, "false\n", "false\r\n", 1},
		"by exec":                     {nil, "exec echo a\n", "exec echo a\r\na\r\n", 0},
		"with its trap":               {[]line{{"trap 'echo bye $x' EXIT", "# "}, {"x=1", "# "}}, "exit\n", "exit\r\nbye 1\r\n", 0},
		"but not one within":          {[]line{{"(exit 3)", "# "}, {"x=$(exit 4)", "# "}}, "echo $?; exit 5\n", "echo $?; exit 5\r\n4\r\n", 5},
		"at the end of one within":    {[]line{{"sh", "# "}, {"false", "# "}}, "\x04exit 6\n", "exit 6\r\n\r\n# ", 6},
		"by the input, after reading": {[]line{{"cat > f", ""}}, "a\n\x04\x04", "a\r\n# \r\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			y := &typist{T: t, session: withTools(t, nil)}
			y.converse("bash", test.lines)
			if u := y.types(test.last, test.want); u.ExitCode == nil || *u.ExitCode != test.code {
				t.Errorf("exit code %v", u.ExitCode)
			}
		})
	}
}

// ^C ends what runs, and not the shell.
func TestAShellLivesOnWhenItIsInterrupted(t *testing.T) {
	for name, lines := range map[string][]line{
		"a command":               {{"sleep 100; echo no", ""}},
		"a pipeline":              {{"echo a | cat | sleep 100 | cat", ""}},
		"a function":              {{"f() { sleep 100; echo no; }", "# "}, {"x=$(f)", ""}},
		"a loop":                  {{"for i in 1 2; do sleep 100 | cat; done", ""}},
		"what is timed":           {{"time sleep 100", ""}},
		"what reads":              {{"cat", ""}, {"a", "a\n"}},
		"read":                    {{"read x; echo no", ""}},
		"a script":                {{"sh -c 'sleep 100; echo no'; echo no", ""}},
		"a tool":                  {{"desk nap 9", ""}},
		"after a shell within":    {{"bash", "# "}, {"exit", "# "}, {"sleep 100", ""}},
		"a line":                  nil,
		"a statement":             {{"if true", "> "}},
		"what another shell runs": {{"bash", "# "}, {"sleep 100", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			y := &typist{T: t, session: withTools(t, nil)}
			y.converse("bash", lines)
			y.types("ab\x03", "ab^C\r\n# ")
			y.types("echo $? | cat\n", "echo $? | cat\r\n130\r\n# ")
			y.types("set -e; for i in 1 2; do echo $i; done; exit 3\n", "set -e; for i in 1 2; do echo $i; done; exit 3\r\n1\r\n2\r\n"+map[bool]string{true: "# "}[name == "what another shell runs"])
		})
	}
}

func TestAShellIsInterruptedWhileItComputes(t *testing.T) {
	for _, forever := range []string{"while :; do begin; done", "begin; yes > /dev/null", "x=$(begin; yes > /dev/null)", "compute", "timeout 9 compute | cat"} {
		t.Run(forever, func(t *testing.T) {
			ctx, begun := context.WithCancel(t.Context())
			y := &typist{T: t, session: withWorkspace(t, nil, host.Workspace{Tools: map[string]shell.Tool{
				"begin": func(context.Context, shell.Process) (int, error) { begun(); return 0, nil },
				"compute": func(ctx context.Context, _ shell.Process) (int, error) {
					begun()
					<-ctx.Done()
					return 0, ctx.Err()
				},
			}})}
			y.converse("bash", []line{{"bash", "# "}, {"exit", "# "}})
			_, err := y.session.PTYWriteStdin(ctx, host.PTYWriteStdinRequest{SessionID: int64(*y.id), Chars: forever + "\n"})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("it has settled: %v", err)
			}
			y.types("\x03", forever+"\r\n^C\r\n# ")
			y.types("echo $? $(echo a)\n", "echo $? $(echo a)\r\n130 a\r\n# ")
		})
	}
}

// A shell within has an end, and what prints without one waits to be seen.
func TestAShellIsInterruptedWhileItPrints(t *testing.T) {
	y := &typist{T: t, session: withTools(t, nil)}
	y.converse("bash", []line{{"bash", "# "}, {"exit", "# "}})
	write := host.PTYWriteStdinRequest{SessionID: int64(*y.id), Chars: "yes\n", MaxOutputTokens: 10}
	if _, err := y.session.PTYWriteStdin(t.Context(), write); err != nil {
		t.Fatal(err)
	}
	y.types("\x03", "^C\r\n# ")
	y.types("echo $?\n", "echo $?\r\n130\r\n# ")
}
