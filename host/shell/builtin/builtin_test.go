package builtin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

func TestLsPrintsTheListingOfSessions(t *testing.T) {
	out, code := ours(t, `ls -la -- /workspace/src`) // S6.8
	want := `total 6
drwxr-xr-x 1 root root 4096 Nov 14 22:13 .
drwxr-xr-x 1 root root 4096 Nov 14 22:13 ..
-rw-r--r-- 1 root root 41 Nov 14 22:13 foo.c
-rw-r--r-- 1 root root 14 Nov 14 22:13 foo.h
drwxr-xr-x 1 root root 4096 Nov 14 22:13 lib
-rw-r--r-- 1 root root 54 Nov 14 22:13 main.c
`
	if code != 0 || fields(out) != fields(want) {
		t.Errorf("got %d:\n%s", code, out)
	}
}

// fields leaves out what the workspace decides: the room, and the numbers of links.
func fields(listing string) string {
	var rows []string
	for _, line := range strings.Split(listing, "\n")[1:] {
		if f := strings.Fields(line); len(f) > 4 {
			rows = append(rows, strings.Join(append(f[:1], f[2:]...), " "))
		}
	}
	return strings.Join(rows, "\n")
}

func TestTimePassesInTheWorkspaceOnly(t *testing.T) {
	out, _ := ours(t, `date -u +%s; sleep 3600; date -u +%s; sleep 1m 30s; date -u '+%F %T'; timeout 5 sleep 10; echo $?`)
	if want := "1700000000\n1700003600\n2023-11-14 23:14:50\n124\n"; out != want {
		t.Errorf("got %q", out)
	}
}

func TestWhoAndWhereIsTheSandbox(t *testing.T) {
	for script, want := range map[string]string{
		`whoami`: "root\n", `id -u`: "0\n", `id`: "uid=0(root) gid=0(root) groups=0(root)\n", `hostname`: "sandbox\n",
		`uname -sm`: "Linux wasm32\n", `nproc`: "1\n", `which ls sh nosuch; echo $?`: "/usr/bin/ls\n/usr/bin/sh\n1\n",
		`sudo -u ada -- whoami`: "ada\n", `sudo -u ada -- id -un`: "ada\n", `realpath .`: "/workspace\n",
		`find . -name fruit -exec sh -c 'echo "$1"' x {} \;`: "./fruit\n",
		`head -c 3 /dev/zero | wc -c`:                        "3\n",
		`cat /etc/passwd; echo $?`:                           "1\n",
		`ls /; echo $?`:                                      "2\n",
		`touch /etc/x; echo $?`:                              "1\n",
		`grep x /dev/null; echo $?`:                          "1\n",
		`stat -c %U fruit`:                                   "root\n",
	} {
		if out, _ := ours(t, script); out != want {
			t.Errorf("%s: got %q", script, out)
		}
	}
}

func TestFindDeletesAllButTheFolderThatItIsIn(t *testing.T) {
	out, code := ours(t, `mkdir -p q/r; touch q/a q/r/b; (cd q; find . -delete; echo $?; ls); find q -delete; [ -e q ] && ls q; find . -delete; ls | wc -l`)
	if out != "0\n0\n" || code != 0 {
		t.Errorf("got %d, %q", code, out)
	}
}

func TestAnUnknownOptionIsAnError(t *testing.T) {
	for name := range builtin.Tools() {
		switch name {
		case "tac", "rev", "whoami", "hostname", "nproc", "printenv", "yes", "sleep", "dirname", "nohup", "chmod", "find", "date", "expr":
			continue // they take anything, or have none
		}
		if _, code := ours(t, name+` -@ < /dev/null`); code == 0 {
			t.Errorf("%s takes any option", name)
		}
	}
}

func TestUtilitiesEndWithTheContext(t *testing.T) {
	for _, script := range []string{`yes > /dev/null`, `cat /dev/zero > /dev/null`, `seq 1 1000000000000 > /dev/null`, `head -n 1 /dev/zero > /dev/null`, `base64 /dev/zero > /dev/null`} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
		_, err := s.Run(ctx, shell.Process{Args: []string{"sh", "-c", script}})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// FuzzUtilities runs utilities with any arguments.
func FuzzUtilities(f *testing.F) {
	for _, script := range scripts {
		f.Add(script, "input\n")
	}
	tools := builtin.Tools()
	f.Fuzz(func(t *testing.T, line, input string) {
		args := strings.Fields(line)
		if len(args) == 0 || tools[args[0]] == nil {
			return
		}
		for i, arg := range args {
			args[i] = strings.Trim(arg, `'"`)
		}
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(tools), Limits: shell.Limits{Output: 1 << 18, Commands: 1000}}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		watch := time.AfterFunc(20*time.Second, func() { panic("doesn't end: " + line) })
		defer watch.Stop()
		_, err := s.Run(ctx, shell.Process{Args: args, Stdin: strings.NewReader(input)})
		var internal *shell.InternalError
		if errors.As(err, &internal) {
			t.Errorf("%q: %v", args, err)
		}
	})
}
