package shell_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func TestAnExpansionThatFailsEndsTheShell(t *testing.T) {
	const division, exponent = "arithmetic: division by zero\n", "arithmetic: exponent less than 0\n"
	for script, want := range map[string]result{
		`echo $((1/0)) && echo yes`:                 {stderr: division, code: 1},
		`x=$((1/0)); echo $?`:                       {stderr: division, code: 1},
		`y=5; echo $((7 % (y-5))); echo $?`:         {stderr: division, code: 1},
		`y=5; echo $((y /= 0)); echo $?`:            {stderr: division, code: 1},
		`y=5; echo $((y %= 00)); echo $?`:           {stderr: division, code: 1},
		`y=-1; echo $((2 ** y)); echo $?`:           {stderr: exponent, code: 1},
		`a=(1); echo ${a[1/0]}; echo $?`:            {stderr: division, code: 1},
		`x=abc; echo ${x:0:1/0}; echo $?`:           {stderr: division, code: 1},
		"cat <<X\n$((1/0))\nX\necho $?":             {stderr: division, code: 1},
		`f() { echo $((1/0)); }; f || echo no`:      {stderr: division, code: 1},
		`eval 'echo $((1/0))'; echo $?`:             {stderr: division, code: 1},
		`arithmetic=1; echo $((1/0)); echo $?`:      {stderr: division, code: 1},
		`trap 'echo bye $?' EXIT; echo $((1/0))`:    {stderr: division, stdout: "bye 1\n", code: 1},
		`(echo $((1/0))); echo $?`:                  {stderr: division, stdout: "1\n"},
		`x=$(echo $((1/0))) || echo failed`:         {stderr: division, stdout: "failed\n"},
		`sh -c 'echo $((1/0))'; echo $?`:            {stderr: division, stdout: "1\n"},
		`((1/0)); echo $?; let x=1/0 || echo $?`:    {stderr: "division by zero\ndivision by zero\n", stdout: "1\n1\n"},
		`i=1; echo $((9/++i)) $i $((8/(4/i))) $i`:   {stdout: "4 2 4 2\n"},
		`x=8; echo $((x/=3)) $((x%=2)) $((7%x+x))`:  {code: 1, stderr: division},
		`x=9; echo $((x/=3, x%=2)) $x $((2**x**2))`: {stdout: "1 1 2\n"},
		`set -au; y=2; echo $((8/y)); env`:          {stdout: "4\nHOME=/workspace\nLOGNAME=root\nPATH=/bin\nPWD=/workspace\nUSER=root\ny=2\n"},
		`echo @(a|b) && echo yes; echo $?`:          {stderr: "bash: line 1: an extended pattern without shopt -s extglob is not supported\n", stdout: "2\n"},
		`shopt -s extglob; echo @(a|b)`:             {stdout: "@(a|b)\n"},
		`x=@(a|b); [[ a == @(a|b) ]] && echo "$x"`:  {stdout: "@(a|b)\n"},
		`x=PPID; echo ${!x}; echo $?`:               {stderr: "bash: line 1: an indirect expansion of PPID is not supported\n", stdout: "2\n"},
		`x={1..100000}; echo "$x"`:                  {stdout: "{1..100000}\n"},
		`set -- {a..z}{a..z}{1..20}; echo $#`:       {stdout: "13520\n"},
	} {
		s := newShell(t)
		s.Env = []string{"PATH=/bin"}
		if r := run(t.Context(), s, "", "bash", "-c", script); r != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", script, r, want)
		}
	}
}

func TestMoreBracesThanAreExpandedAreALimit(t *testing.T) {
	for _, script := range []string{
		`for i in {1..16385}; do :; done && echo ok`, `echo {a..z}{a..z}{1..30}`, `a=({1..100000})`, `eval 'echo {1..100000}'`, `declare {1..100000}`,
	} {
		var limit *shell.LimitError
		if r := run(t.Context(), newShell(t), "", "bash", "-c", script); !errors.As(r.err, &limit) || *limit != (shell.LimitError{Limit: "braces", Max: 16384}) {
			t.Errorf("%s: got %+v", script, r)
		}
	}
}
