package shell_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// canary is in the environment, in a file of the working folder, and in one of the
// folder for temporary files.
const canary = "CANARY-of-the-host"

// attempts try to get at the host. None of their output may have the canary, or
// what tells one host from another.
var attempts = []string{
	`echo $CANARY`, `env`, `printenv CANARY`, `export -p`, `set`, `declare -p CANARY`, `sh -c 'echo $CANARY'`, `eval 'echo $CANARY'`, `echo ${!CAN*}`,
	`cat canary.txt`, `cat < canary.txt`, `. ./canary.txt`, `. canary.txt`, `source $HOSTDIR/canary.txt`, `echo $(<canary.txt)`, `mapfile x < canary.txt; echo $x`,
	`cat < $HOSTDIR/canary.txt`, `cat $HOSTDIR/canary.txt`, `. $HOSTDIR/canary.txt`, `sh $HOSTDIR/canary.txt`, `$HOSTDIR/canary.txt`,
	`cat < $HOSTTMP/sh-interp-canary`, `TMPDIR=$HOSTTMP; cat < $HOSTTMP/sh-interp-canary`, `export TMPDIR=$HOSTTMP; sh -c 'cat < $HOSTTMP/sh-interp-canary'`, `env TMPDIR=$HOSTTMP sh -c "cat < $HOSTTMP/sh-interp-canary"`,
	`echo *`, `echo $HOSTDIR/*`, `ls`, `shopt -s globstar; echo **`, `[ -e canary.txt ] && echo CANARY-of-the-host`, `[ -e $HOSTDIR/canary.txt ] && echo CANARY-of-the-host`, `[[ -f $HOSTDIR/canary.txt ]] && echo CANARY-of-the-host`, `[ -r $HOSTDIR/canary.txt ] && echo CANARY-of-the-host`,
	`cd $HOSTDIR && echo CANARY-of-the-host`, `cd $HOSTDIR; cat canary.txt`, `pushd $HOSTDIR; cat canary.txt`, `ln -s $HOSTDIR/canary.txt l; cat l; cat < l`, `ln -s $HOSTDIR d; cd d; cat canary.txt; echo d/*`,
	`pwd -P`, `echo $PWD`, `echo ~`, `echo ~$HOSTUSER`, `echo ~root`, `x=~$HOSTUSER; echo $x`, `echo $HOME`, `cd; pwd`,
	`go version`, `/bin/ls`, `PATH=$HOSTPATH; ls`, `PATH=$HOSTPATH; go version`, `exec /bin/cat canary.txt`, `command -v go && echo CANARY-of-the-host`, `type go && echo CANARY-of-the-host`, `PATH=$HOSTPATH; command -v go && echo CANARY-of-the-host`, `command -V $HOSTGO && echo CANARY-of-the-host`, `type -p $HOSTGO && echo CANARY-of-the-host`, `hash go && go version`, `builtin type $HOSTGO && echo CANARY-of-the-host`, `command type $HOSTGO && echo CANARY-of-the-host`,
	`echo $$`, `echo ${$}`, `echo $PPID`, `echo $((PPID))`, `echo $(($PPID))`, `echo $BASHPID`, `eval 'echo $$'`, `trap 'echo $$' EXIT`, `(echo $$)`, `echo "$(echo $$)"`, `x='$'; echo ${!x}`, `x=PPID; echo ${!x}`, `let x=PPID; echo $x`, `echo x | echo $$`, `echo $$ & wait`, `alias p='echo $$'; p`, `cat <<< $$`, "cat <<EOF\n$$\nEOF", `[[ $$ == x ]]; echo $$`, `case $$ in *) echo $$;; esac`, `a=($$); echo ${a[0]}`, `f() { echo $$; }; f`, `echo 'echo $$' > s; . ./s; sh s`, `x=$$; echo $x`, `echo ${$%x} ${#$}`, `export X=$$; env`, `printf '%s' $$`, `for i in $$; do echo $i; done`, `unset 'a[$$]'; a[$$]=1; echo ${!a[@]}`, `for ((i=$$;i<1;i++)); do :; done; echo $i`, `((x=$$)); echo $x`, `set -x; echo $$`,
	`echo $UID $EUID $GID`, `id`, `whoami`, `[ -O . ]; [ -G . ]; echo ok`, `hostname; echo $HOSTNAME`, `ulimit -a`, `times`, `umask`,
	`kill -9 $HOSTPID; kill $HOSTPID`, `echo x > /tmp/sh-interp-written`, `echo x > $HOSTDIR/written`, `mkdir $HOSTDIR/written`, `rm -rf $HOSTDIR`, `mv canary.txt x`, `cat < /proc/self/environ`, `cat < /dev/fd/3`, `echo x > /dev/tty`, `cat < /etc/passwd`, `cat /etc/hostname`,
	`cat <(echo a)`, `echo a > >(cat)`, `coproc cat`, `exec 3< canary.txt; cat <&3`, `read x < canary.txt; echo $x`, `while read x; do echo $x; done < canary.txt`,
	`:test type $HOSTGO && echo CANARY-of-the-host`, `command :test source $HOSTDIR/canary.txt`, `exec :test pwd -P`, `:command; :type; :printf; :pipeline; :stage; :guard; :check; :keys; :exit; :cat; :job; :timed; :refused; echo a | cat`, `$'\x00test' type $HOSTGO && echo CANARY-of-the-host`, "printf -v n '\\0test'; $n type $HOSTGO && echo CANARY-of-the-host", `x=$(printf '\0test'); $x type $HOSTGO && echo CANARY-of-the-host`,
	`printf '\0test\n' > f; mapfile -t a < f; command "${a[0]}" type $HOSTGO && echo CANARY-of-the-host; exec "${a[0]}" type $HOSTGO && echo CANARY-of-the-host`,
	`export PATH=; type go && echo CANARY-of-the-host`, `PATH=.; canary.txt`, `sudo -u root -- cat canary.txt`,
}

func TestNothingOfTheHostIsSeenOrChanged(t *testing.T) {
	dir, tmp := t.TempDir(), os.TempDir()
	planted := filepath.Join(tmp, "sh-interp-canary")
	for _, file := range []string{filepath.Join(dir, "canary.txt"), planted} {
		if err := os.WriteFile(file, []byte("echo "+canary+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Remove(planted) })
	t.Setenv("CANARY", canary)
	t.Setenv("TMPDIR", tmp)
	t.Chdir(dir)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	goTool, _ := exec.LookPath("go")
	env := []string{
		"HOSTDIR=" + dir, "HOSTTMP=" + tmp, "HOSTUSER=" + me.Username, "HOSTPATH=" + os.Getenv("PATH"), "HOSTGO=" + goTool,
		"HOSTPID=999999999",
	}
	pid, parent := strconv.Itoa(os.Getpid()), strconv.Itoa(os.Getppid())
	for _, script := range attempts {
		s := newShell(t)
		s.Env = env
		r := run(t.Context(), s, "", "bash", "-c", script)
		for _, told := range []string{canary, "go version", pid + "\n", parent + "\n", "root:x:"} {
			if strings.Contains(r.stdout+r.stderr, told) {
				t.Errorf("%s: tells %q: %s%s", script, told, r.stdout, r.stderr)
			}
		}
		if me.HomeDir != "/" && strings.Contains(r.stdout, me.HomeDir) && !strings.Contains(script, "HOSTPATH") && !strings.Contains(r.stdout, "HOSTPATH") {
			t.Errorf("%s: tells the home folder: %s", script, r.stdout)
		}
		var internal *shell.InternalError
		if errors.As(r.err, &internal) {
			t.Errorf("%s: %v", script, r.err)
		}
	}
	if names := list(t, dir); !slices.Equal(names, []string{"canary.txt"}) {
		t.Errorf("the folder has now %q", names)
	}
	if _, err := os.Stat("/tmp/sh-interp-written"); err == nil {
		t.Error("a file was written")
	}
}

func list(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestEveryRunIsTheSame(t *testing.T) {
	for _, script := range []string{
		`echo $RANDOM $RANDOM $SRANDOM $$ $PPID $((RANDOM))`, `echo a | { echo $RANDOM; (echo $RANDOM); }`, `declare -A m=([a]=1 [b]=2 [c]=3 [d]=4 [e]=5); for k in "${!m[@]}"; do echo $k; done; echo "${m[@]}"`,
		`{ echo a; echo b >&2; } | { echo c >&2; cat; }`, `echo x & echo y & wait; echo $!`, `echo $SECONDS $EPOCHSECONDS $EPOCHREALTIME`, `time true`, `times`, `touch b a c; echo *`, `head_() { read -N 8 x < /dev/urandom; echo ${#x}; }; head_`, `env | cat`, `a=1 b=2 c=3 env`,
	} {
		var first result
		for i := range 5 {
			r := run(t.Context(), newShell(t), "", "bash", "-c", script)
			if i == 0 {
				first = r
			}
			if r != first {
				t.Fatalf("%s: %+v, and then %+v", script, first, r)
			}
		}
	}
}

// kept is what the interpreter may ask the host for, and why it doesn't.
var kept = map[string]string{
	"os.Environ": "the environment is set", "os.Getwd": "the folder is set", "os.Stat": "by Dir, which isn't used; by the default handlers; and to look for commands and sourced scripts, for which other names are called",
	"os.Lstat": "the handler is set", "os.ReadDir": "the handler is set", "os.ReadFile": "the handler is set", "os.OpenFile": "the handler is set, and no path is that of a named pipe",
	"os.UserHomeDir": "HOME is set", "os.Getuid": "UID is set", "os.Geteuid": "EUID is set", "os.Getgid": "GID is set",
	"os.Getpid": "$$ is renamed", "os.Getppid": "PPID is renamed", "os.TempDir": "TMPDIR is set while the interpreter starts",
	"os.Pipe": "used for here-documents only", "os.Remove": "process substitution is refused", "os.IsExist": "no access", "os.SameFile": "-ef is refused",
	"exec.CommandContext": "the handler is set", "user.Current": "-O and -G are replaced", "user.Lookup": "all home folders are set",
	"time.Now": "time is replaced; else for deadlines", "time.Since": "time is replaced", "time.Sleep": "the handler is set",
	"mathrand.IntN": "RANDOM is renamed", "mathrand.Uint64": "process substitution is refused", "mathrand.New": "for RANDOM, when it is set", "mathrand.NewChaCha8": "for RANDOM, when it is set",
	"cryptorand.Read": "SRANDOM is renamed", "filepath.EvalSymlinks": "pwd -P is replaced", "filepath.Abs": "the folder is set otherwise",
	"unix.Mkfifo": "process substitution is refused", "unix.Access": "the handler is set", "term.IsTerminal": "-t is replaced, and inputs are pipes", "term.ReadPassword": "read is replaced",
}

// asking are functions of these packages that don't ask for anything.
var harmless = map[string]bool{
	"time.Duration": true, "time.Millisecond": true, "time.Second": true, "time.Time": true, "os.File": true, "os.FileMode": true,
	"os.PathError": true, "os.Interrupt": true, "exec.Cmd": true, "exec.ExitError": true, "exec.Error": true, "exec.ErrWaitDelay": true,
	"mathrand.Rand": true, "time.Unix": true,
}

// TestNoOtherCallsOfTheInterpreterReachTheHost fails when a newer interpreter has
// calls that nobody has looked at.
func TestNoOtherCallsOfTheInterpreterReachTheHost(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "mvdan.cc/sh/v3").Output()
	if err != nil {
		t.Skip("the source of the interpreter isn't here")
	}
	found := map[string]bool{}
	for _, folder := range []string{"interp", "expand"} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if base := filepath.Base(file); !strings.HasSuffix(base, "_test.go") && !strings.Contains(base, "js") && !strings.Contains(base, "windows") {
				calls(t, file, found)
			}
		}
	}
	for _, call := range slices.Sorted(maps.Keys(found)) {
		if kept[call] == "" && !harmless[call] && !strings.HasPrefix(call, "os.O_") && !strings.HasPrefix(call, "os.Mode") && !strings.HasPrefix(call, "os.Dev") {
			t.Errorf("%s: nobody has looked at this", call)
		}
	}
	for _, call := range slices.Sorted(maps.Keys(kept)) {
		if !found[call] {
			t.Errorf("%s: isn't called any more", call)
		}
	}
}

// calls collects what a file uses of packages that reach the host.
func calls(t *testing.T, file string, found map[string]bool) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	reaching := []string{"os", "exec", "user", "time", "mathrand", "cryptorand", "unix", "term", "net", "signal"}
	ast.Inspect(parsed, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name, ok := sel.X.(*ast.Ident)
		if !ok || name.Obj != nil {
			return true
		}
		if call := name.Name + "." + sel.Sel.Name; slices.Contains(reaching, name.Name) || call == "filepath.EvalSymlinks" || call == "filepath.Abs" {
			found[call] = true
		}
		return true
	})
}
