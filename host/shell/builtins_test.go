package shell_test

import (
	"strings"
	"testing"
)

func TestBreakReachesNoMoreLoopsThanThereAre(t *testing.T) {
	for script, want := range map[string]string{
		`for i in 1 2; do break 5; done; for j in 1 2; do echo $i$j; done`:                                      "11\n12\n",
		`for i in 1 2; do continue 5; done; for j in 1 2; do echo $i$j; done`:                                   "21\n22\n",
		`for i in 1 2; do while :; do continue 9; done; done; for j in 1 2; do echo $i$j; done`:                 "21\n22\n",
		`for ((i=0; i<3; i++)); do continue 5; done; echo $i`:                                                   "3\n",
		`(for i in 1 2; do break 2; done; for j in 1 2; do echo $i$j; done)`:                                    "11\n12\n",
		`f() { for i in 1 2; do break 2; done; }; for j in 1 2; do f; echo $i$j; done`:                          "11\n12\n",
		`for i in 1 2; do eval 'for j in 1 2; do break 2; done'; echo no; done; echo $i$j`:                      "11\n",
		`f() { break; echo in; }; g() { continue 2; echo in; }; for i in 1 2; do f 2>&1; g 2>&1; echo $i; done`: strings.Repeat("sh: 1: break: only meaningful in a `for', `while', or `until' loop\nin\nsh: 1: continue: only meaningful in a `for', `while', or `until' loop\nin\n%\n", 2),
	} {
		for _, n := range []string{"1", "2"} {
			want = strings.Replace(want, "%", n, 1)
		}
		if r := run(t.Context(), newShell(t), "", "sh", "-c", script); r.err != nil || r.stdout != want {
			t.Errorf("%s: got %+v, want %q", script, r, want)
		}
	}
}

func TestTheExitCodeIsKeptWhereKeysAreListed(t *testing.T) {
	const script = `declare -A m; m[a]=1; fail; echo $? ${!m[@]} ${#m[@]}`
	if r := run(t.Context(), newShell(t), "", "bash", "-c", script); r.stdout != "3 a 1\n" {
		t.Errorf("got %+v", r)
	}
}

func TestWhatWouldGoWrongSilentlyIsRefused(t *testing.T) {
	for script, want := range map[string]result{
		`x=abc; echo ${x/#a/b}`:                    {code: 2, stderr: "bash: line 1: a replacement at the beginning or the end is not supported\n"},
		`x=abc; echo ${x/%c}`:                      {code: 2, stderr: "bash: line 1: a replacement at the beginning or the end is not supported\n"},
		`a=(1); echo $((a[0]++))`:                  {code: 2, stderr: "bash: line 1: an assignment to anything but a variable within an expression is not supported\n"},
		`let a[0]=1`:                               {code: 2, stderr: "bash: line 1: an assignment to anything but a variable within an expression is not supported\n"},
		`a[i++]+=x`:                                {code: 2, stderr: "bash: line 1: an element whose index changes something is not supported\n"},
		`((a[$(echo 1)]++))`:                       {code: 2, stderr: "bash: line 1: an element whose index changes something is not supported\n"},
		`declare -A m; m[a-b]=1; echo $? ${#m[@]}`: {stdout: "2 0\n", stderr: "bash: line 1: a key without quotes that looks like an expression is not supported\n"},
		`echo a; exec 3>out`:                       {code: 2, stderr: "bash: line 1: a file descriptor above 2 is not supported\n"},
		`exec {fd}>out`:                            {code: 2, stderr: "bash: line 1: a file descriptor above 2 is not supported\n"},
		`echo a >&3`:                               {code: 2, stderr: "bash: line 1: a file descriptor above 2 is not supported\n"},
		`cat <&3`:                                  {code: 2, stderr: "bash: line 1: a file descriptor above 2 is not supported\n"},
		`declare -i x=1+1; echo $x`:                {code: 2, stderr: "bash: line 1: the option -i of declare is not supported\n"},
		`f() { local -ri x=1+1; echo $x; }; f`:     {code: 2, stderr: "bash: line 1: the option -i of local is not supported\n"},
		`typeset -u x=a; echo $x`:                  {code: 2, stderr: "bash: line 1: the option -u of typeset is not supported\n"},
		`declare -A m; m["a-b"]=1; echo ${m[a-b]}`: {code: 2, stderr: "bash: line 1: a key without quotes that looks like an expression is not supported\n"},
	} {
		if r := run(t.Context(), newShell(t), "", "bash", "-c", script); r != want {
			t.Errorf("%s: got %+v, want %+v", script, r, want)
		}
	}
}

func TestOnlyBashLeavesSetEOutOfSubstitutions(t *testing.T) {
	const script = `set -e; x=$(fail; echo on); echo "$x"`
	for shell, want := range map[string]result{"bash": {stdout: "on\n"}, "sh": {code: 3}} {
		if r := run(t.Context(), newShell(t), "", shell, "-c", script); r != want {
			t.Errorf("%s: got %+v, want %+v", shell, r, want)
		}
	}
	if r := run(t.Context(), newShell(t), "", "bash", "-c", "shopt -s inherit_errexit; "+script); r.code != 3 {
		t.Errorf("asked to inherit: got %+v", r)
	}
}

func TestOnlyInBashHaveLocalVariablesNoValue(t *testing.T) {
	const script = `x=1; f() { local x; echo "[$x]"; x=2; }; f; echo $x`
	for shell, want := range map[string]string{"bash": "[]\n1\n", "sh": "[1]\n1\n"} {
		if r := run(t.Context(), newShell(t), "", shell, "-c", script); r.stdout != want {
			t.Errorf("%s: got %+v, want %q", shell, r, want)
		}
	}
}

func TestATrapAtTheEndRunsNothingThatIsNotRewritten(t *testing.T) {
	const script = `trap 'echo $$' EXIT; :atexit 'echo "$(:atexit)" <(true); echo not'; :atexit 1; :atexit -1`
	if r := run(t.Context(), newShell(t), "", "sh", "-c", script); r != (result{stdout: "1000\n"}) {
		t.Errorf("got %+v", r)
	}
}

func TestTracesHaveNothingThatIsNotInTheScript(t *testing.T) {
	const script = `set -x; ! true; x=$(echo a); if (fail); then :; fi; for i in 1; do echo $i | cat; done; shift`
	const want = "+ true\n+ echo a\n+ x=a\n+ fail\n+ for i in 1\n+ echo 1\n+ cat\n+ shift\n"
	if r := run(t.Context(), newShell(t), "", "bash", "-c", script, "name", "1"); r.stderr != want {
		t.Errorf("got %q\nwant %q", r.stderr, want)
	}
	if r := run(t.Context(), newShell(t), "", "bash", "-c", "set -x; trap true EXIT"); strings.Contains(r.stderr, "+ :") {
		t.Errorf("a trap is traced as %q", r.stderr)
	}
}

func TestAllOptionsOfADeclarationCount(t *testing.T) {
	for script, want := range map[string]string{
		`declare -rx x=1; sh -c 'echo $x'; (x=2) 2>/dev/null; echo $?`:     "1\n1\n",
		`f() { declare -gA m; m[b]=2; m[a]=1; }; f; echo ${m[a]} ${#m[@]}`: "1 2\n",
		`declare -ra a=(1 2); echo ${a[1]}`:                                "2\n",
		`i=1; echo "$i" 2>&1 1>&2 >/dev/stdout`:                            "1\n",
	} {
		if r := run(t.Context(), newShell(t), "", "bash", "-c", script); r.stdout != want {
			t.Errorf("%s: got %+v, want %q", script, r, want)
		}
	}
}

func TestOnlyNumbersAreComparedAsNumbers(t *testing.T) {
	for script, want := range map[string]string{
		`[ 1 -eq a ]`:                   "bash: line 1: [: a: integer expression expected\n2\n",
		`test x -lt 1`:                  "bash: line 1: test: x: integer expression expected\n2\n",
		`[ "" -eq 0 ]`:                  "bash: line 1: [: : integer expression expected\n2\n",
		`[ ! 1.5 -ge 1 ]`:               "bash: line 1: [: 1.5: integer expression expected\n2\n",
		`[ 1 = 2 -a x -lt 2 ]`:          "bash: line 1: [: x: integer expression expected\n2\n",
		`[ 1 -eq 9223372036854775808 ]`: "bash: line 1: [: 9223372036854775808: integer expression expected\n2\n",
		`[ " 1 " -eq +1 ]`:              "0\n",
		`[ -1 -lt 010 ]`:                "0\n",
		`[ -f -eq ]`:                    "1\n",
		`[ a = -eq ]`:                   "1\n",
		`[ -eq = -eq -a 1 -eq 1 ]`:      "0\n",
		`sh -c '[ 1 -eq a ]'`:           "sh: 1: [: Illegal number: a\n2\n",
	} {
		r := run(t.Context(), newShell(t), "", "bash", "-c", "exec 2>&1; "+script+"; echo $?")
		if r.stdout != want {
			t.Errorf("%s: got %+v, want %q", script, r, want)
		}
	}
}
