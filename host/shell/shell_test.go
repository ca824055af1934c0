package shell_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

func TestArgumentsAreRunAsTheyAre(t *testing.T) {
	for _, test := range []struct {
		args           []string
		stdout, stderr string
		code           int
	}{
		{[]string{"args", "a b", "$x", "*"}, "args|a b|$x|*\n", "", 0},
		{[]string{"/bin/args", "a"}, "/bin/args|a\n", "", 0},
		{[]string{"/usr/bin/args"}, "/usr/bin/args\n", "", 0},
		{[]string{"/opt/args"}, "", "/opt/args: not found\n", 127},
		{[]string{"nosuch", "a"}, "", "nosuch: not found\n", 127},
		{[]string{""}, "", ": not found\n", 127},
		{nil, "", ": not found\n", 127},
		{[]string{"fail"}, "", "", 3},
		{[]string{"sh", "-lc", "pwd"}, "/workspace\n", "", 0},
		{[]string{"bash", "-lc", "args $0 $#"}, "args|bash|0\n", "", 0},
		{[]string{"/bin/sh", "-c", "nosuch"}, "", "sh: 1: nosuch: not found\n", 127},
		{[]string{"/bin/bash", "-c", "\nnosuch"}, "", "bash: line 2: nosuch: command not found\n", 127},
		{[]string{"sh", "-c"}, "", "sh: 0: -c requires an argument\n", 2},
		{[]string{"sh", "-Q"}, "", "sh: 0: Illegal option -Q\n", 2},
		{[]string{"sh", "-c", "if"}, "", "sh: 1: Syntax error: `if` must be followed by a statement list\n", 2},
		{[]string{"sh", "-c", "cat <(args)"}, "", "sh: 1: process substitution is not supported\n", 2},
		{[]string{"sh", "nosuch.sh"}, "", "sh: 0: cannot open nosuch.sh: No such file\n", 2},
		{[]string{"env", "A=1", "sh", "-c", "args $A"}, "args|1\n", "", 0},
		{[]string{"env", "-i", "env"}, "", "", 0},
		{[]string{"env", "-Z"}, "", "env: invalid option -- 'Z'\n", 125},
		{[]string{"sudo", "-u", "ada", "--", "sh", "-lc", "args $USER $UID"}, "args|ada|1000\n", "", 0}, // S6.5
		{[]string{"sudo", "--", "args"}, "args\n", "", 0},
		{[]string{"sudo", "-u"}, "", "sudo: option requires an argument -- 'u'\n", 1},
		{[]string{"sudo", "-u", "ada", "--", "nosuch"}, "", "nosuch: not found\n", 127},
		{[]string{"echo", "-n", "a b"}, "a b", "", 0},
		{[]string{"test", "-d", "."}, "", "", 0},
		{[]string{"[", "a", "=", "b", "]"}, "", "", 1},
		{[]string{"printf", "%s-", "a", "b"}, "a-b-", "", 0},
		{[]string{"pwd"}, "/workspace\n", "", 0},
		{[]string{"true"}, "", "", 0},
		{[]string{"false"}, "", "", 1},
	} {
		r := run(t.Context(), newShell(t), "", test.args...)
		if r.stdout != test.stdout || r.stderr != test.stderr || r.code != test.code || r.err != nil {
			t.Errorf("%q: got %+v", test.args, r)
		}
	}
}

func TestMessagesAreThoseOfShells(t *testing.T) {
	for script, stderr := range map[string]string{
		`cat < nofile`:              "sh: nofile: No such file or directory\n",
		`echo > no/file`:            "sh: no/file: No such file or directory\n",
		`echo > .`:                  "sh: .: Is a directory\n",
		`cat < /etc/passwd`:         "sh: /etc/passwd: No such file or directory\n",
		`cd nodir`:                  "sh: 1: cd: nodir: No such file or directory\n",
		`: > f; cd f`:               "sh: 1: cd: f: Not a directory\n",
		`. ./nofile`:                "sh: 1: .: ./nofile: No such file or directory\n",
		`: > f; ./f`:                "sh: 1: ./f: Permission denied\n",
		`./nofile`:                  "sh: 1: ./nofile: not found\n",
		`cd; ../workspace`:          "sh: 1: ../workspace: Is a directory\n",
		`eval 'if'`:                 "sh: 1: eval: sh: 1: Syntax error: `if` must be followed by a statement list\n",
		`history`:                   "sh: 1: history: not supported\n",
		`shopt -s expand_aliases`:   "sh: 1: shopt: expand_aliases: not supported\n",
		`select x in a; do :; done`: "sh: 1: select is not supported\n",
		`coproc cat`:                "sh: 1: coproc is not supported\n",
		`kill 12`:                   "sh: 1: kill: (12) - No such process\n",
		`wait 12`:                   "sh: 1: wait: pid 12 is not a child of this shell\n",
	} {
		if r := run(t.Context(), newShell(t), "", "sh", "-c", script); r.stderr != stderr || r.err != nil || r.code == 0 {
			t.Errorf("%s: got %+v, want %q", script, r, stderr)
		}
	}
}

func TestATraceShowsTheScriptAsItWas(t *testing.T) {
	r := run(t.Context(), newShell(t), "", "sh", "-xc", `x=1; x=$x$x; echo $x | cat; cd .; args "$x" "$x" "$x" "$x" $x $x $x`)
	if want := "+ x=1\n+ x=11\n+ echo 11\n+ cat\n+ cd .\n+ args 11 11 11 11 11 11 11\n"; r.stderr != want || r.err != nil {
		t.Errorf("got %+v", r)
	}
}

func TestAToolGetsItsProcess(t *testing.T) {
	var got shell.Process
	var stdin []byte
	s := newShell(t)
	s.Env = []string{"A=1", "HOME=/home/x"}
	s.Lookup = shell.Tools(map[string]shell.Tool{"tool": func(_ context.Context, p shell.Process) (int, error) {
		got = p
		stdin, _ = io.ReadAll(p.Stdin)
		return 0, nil
	}})
	r := run(t.Context(), s, "input", "sh", "-c", `mkdir() { :; }; B=2; export C=3; D=4 tool a 'b c'`)
	if r.err != nil || r.code != 0 {
		t.Fatalf("got %+v", r)
	}
	env := strings.Join(got.Env, " ")
	if want := "A=1 C=3 D=4 HOME=/home/x LOGNAME=root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PWD=/workspace USER=root"; env != want {
		t.Errorf("the environment is %q", got.Env)
	}
	if got.Dir != "/workspace" || strings.Join(got.Args, "|") != "tool|a|b c" || got.Files != s.Files || string(stdin) != "input" {
		t.Errorf("got %+v, %q", got, stdin)
	}
}

func TestAnErrorOfAToolEndsTheShell(t *testing.T) {
	broken := errors.New("trapped")
	s := newShell(t)
	s.Lookup = shell.Tools(map[string]shell.Tool{"tool": func(context.Context, shell.Process) (int, error) { return 0, broken }}, basics)
	for _, script := range []string{`tool; echo after`, `tool | cat; echo after`, `x=$(tool); echo after`, `(tool); echo after`, `tool & echo after`, `sh -c tool; echo after`, `tool || echo after`, `trap 'echo after' EXIT; tool`} {
		if r := run(t.Context(), s, "", "sh", "-c", script); !errors.Is(r.err, broken) || strings.Contains(r.stdout, "after") && !strings.Contains(script, "trap") {
			t.Errorf("%s: got %+v", script, r)
		}
	}
}

func TestAToolIsRunInACompleteEnvironmentWithoutAShellAsWell(t *testing.T) {
	s := newShell(t)
	if r := run(t.Context(), s, "", "env"); r.stdout != "HOME=/workspace\nLOGNAME=root\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nPWD=/workspace\nUSER=root\n" {
		t.Errorf("got %+v", r)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	s := newShell(t)
	s.Lookup = shell.Tools(map[string]shell.Tool{"tool": func(context.Context, shell.Process) (int, error) { panic("oops") }})
	var internal *shell.InternalError
	if r := run(t.Context(), s, "", "sh", "-c", "tool | tool"); !errors.As(r.err, &internal) {
		t.Errorf("got %+v", r)
	}
}

func TestAMappedToolWinsOverAUtility(t *testing.T) {
	s := newShell(t)
	mine := map[string]shell.Tool{"ls": func(_ context.Context, p shell.Process) (int, error) {
		fmt.Fprintln(p.Stdout, "mine")
		return 0, nil
	}}
	s.Lookup = shell.Tools(mine, builtin.Tools())
	if r := run(t.Context(), s, "", "sh", "-c", "ls; wc -c < /dev/null"); r.stdout != "mine\n0\n" {
		t.Errorf("got %+v", r)
	}
	s.Lookup = shell.Tools(mine)
	if r := run(t.Context(), s, "", "sh", "-c", "ls; wc"); r.stdout != "mine\n" || r.code != 127 {
		t.Errorf("got %+v", r)
	}
}

func TestModulesOfTheWorkspaceAreRunByTheHook(t *testing.T) {
	s := newShell(t)
	if err := s.Files.WriteFile("m.wasm", []byte("\x00asm\x01\x00\x00\x00"), 0o755); err != nil {
		t.Fatal(err)
	}
	if r := run(t.Context(), s, "", "sh", "-c", "./m.wasm"); r.code != 126 || r.stderr != "sh: 1: ./m.wasm: Exec format error\n" {
		t.Errorf("without a hook: %+v", r)
	}
	s.Module = func(_ context.Context, path string, wasm []byte, p shell.Process) (int, error) {
		if len(wasm) != 8 {
			return 0, fmt.Errorf("%d bytes: %w", len(wasm), shell.ErrExecFormat)
		}
		fmt.Fprintln(p.Stdout, path, strings.Join(p.Args, " "))
		return 5, nil
	}
	if err := s.Files.WriteFile("other.wasm", []byte("\x00asm\x02"), 0o755); err != nil {
		t.Fatal(err)
	}
	if r := run(t.Context(), s, "", "sh", "-c", "./other.wasm; echo $?"); r.stdout != "126\n" || r.stderr != "sh: 1: ./other.wasm: Exec format error\n" {
		t.Errorf("what the hook can't run: %+v", r)
	}
	if r := run(t.Context(), s, "", "sh", "-c", "./m.wasm a | cat; ./m.wasm b"); r.code != 5 || r.stdout != "/workspace/m.wasm ./m.wasm a\n/workspace/m.wasm ./m.wasm b\n" {
		t.Errorf("got %+v", r)
	}
}

func TestATerminalIsOneForTests(t *testing.T) {
	var out bytes.Buffer
	script := `[ -t 0 ] && echo in; [ -t 1 ] && echo out; [[ -t 2 ]] && echo err`
	for terminal, want := range map[bool]string{true: "in\nout\nerr\n", false: ""} {
		out.Reset()
		if _, err := newShell(t).Run(t.Context(), shell.Process{Args: []string{"sh", "-c", script}, Stdout: &out, Terminal: terminal}); err != nil || out.String() != want {
			t.Errorf("terminal %v: %q, %v", terminal, out.String(), err)
		}
	}
}

func TestStandardOutputAndErrorKeepTheirOrder(t *testing.T) {
	var both bytes.Buffer
	script := `for i in 1 2 3; do echo o$i; echo e$i >&2; done; { echo x >&2; echo y; } | cat`
	if _, err := newShell(t).Run(t.Context(), shell.Process{Args: []string{"sh", "-c", script}, Stdout: &both, Stderr: &both}); err != nil {
		t.Fatal(err)
	}
	if both.String() != "o1\ne1\no2\ne2\no3\ne3\nx\ny\n" {
		t.Errorf("got %q", both.String())
	}
}

func TestWhatIsNotReadIsLeft(t *testing.T) {
	r := run(t.Context(), newShell(t), "a\nb\nc\n", "sh", "-c", `read x; args $x; while read y; do args $y; sh -c 'args nested'; done`)
	if r.stdout != "args|a\nargs|b\nargs|nested\nargs|c\nargs|nested\n" {
		t.Errorf("got %+v", r)
	}
}

func TestLargeInputsAreHandedOn(t *testing.T) {
	s := newShell(t)
	large := strings.Repeat("0123456789abcde\n", 1<<16)
	if err := s.Files.WriteFile("large", []byte(large), 0); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{`cat large`, `cat < large`, `cat < large | cat | cat`, `cat`, `cat large > copy; cat copy`, `cat large | (read x; cat > /dev/null); cat large`, `true < large; cat < large`} {
		if r := run(t.Context(), s, large, "sh", "-c", script); r.stdout != large || r.err != nil {
			t.Errorf("%s: got %d bytes, %v", script, len(r.stdout), r.err)
		}
	}
}
