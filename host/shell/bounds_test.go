package shell_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

const large = `x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do x=$x$x; done; p='[a]*'; for i in 1 2 3 4 5 6 7 8 9; do p=$p$p; done; `

func TestMatchingThatTakesLongIsRefused(t *testing.T) {
	for name, script := range map[string]string{
		"a pattern":               `[[ $x == $p*b ]]`,
		"a prefix":                `: ${x##$p*b}`,
		"a suffix of an array":    `a=("$x" y); : "${a[@]%%$p*b}"`,
		"a suffix of arguments":   `set -- "$x" y; : "${@%%$p*b}"`,
		"a replaced pattern":      `: "${x//$p b/c}"`,
		"a case":                  `case $x in $p*b) ;; esac`,
		"a case of a command":     `case $(echo $x) in $p*b) ;; esac`,
		"a regular expression":    `[[ $x =~ (a{0,500}a{0,500})+b ]]`,
		"a quoted expression":     `[[ $x =~ '(a{0,500}a{0,500})+b' ]]`,
		"an expression's text":    `r='(a{0,500}a{0,500})+b'; [[ $x =~ $r ]]`,
		"an expression's command": `r='(a{0,500}a{0,500})+b'; [[ $(echo $x) =~ $r ]]`,
		"an evaluated one":        `eval '[[ $x =~ (a{0,500}a{0,500})+b ]]'`,
	} {
		t.Run(name, func(t *testing.T) {
			var limit *shell.LimitError
			if r := run(t.Context(), newShell(t), "", "bash", "-c", large+script); !errors.As(r.err, &limit) || limit.Limit != "pattern" {
				t.Errorf("got %v, %d, %s", r.err, r.code, r.stderr)
			}
		})
	}
}

func TestMatchingGoesOnAsBefore(t *testing.T) {
	for script, want := range map[string]string{
		`x=abc; [[ $x =~ ^(a)(b{1,2})c$ ]] && echo "${BASH_REMATCH[2]}"`: "b\n",
		`r='^a"?\.$'; [[ a. =~ $r ]] && echo yes`:                        "yes\n",
		`[[ 'a b' =~ a\ b{1} ]] && echo yes`:                             "yes\n",
		`i=0; [[ $((i++)) =~ ^0{1}$ ]] && echo $i`:                       "1\n",
		`p=a; a=(ab ac); echo "${a[@]#$p}" "${#a[@]}"`:                   "b c 2\n",
		`p=b; set -- ab cb; echo "${@%$p}"`:                              "a c\n",
		`p=b; i=0; case $((i++)) in $p) ;; 0) echo $i;; esac`:            "1\n",
		`p='a*'; case "abc" in $p) echo yes;; esac; echo $?`:             "yes\n0\n",
		`p=a; false; case $? in $p) ;; 1) echo yes;; esac`:               "yes\n",
		`r='1{1}'; false; [[ $? =~ $r ]] && echo yes`:                    "yes\n",
	} {
		for _, script := range []string{script, "eval '" + strings.ReplaceAll(script, "'", `'\''`) + "'"} {
			if r := run(t.Context(), newShell(t), "", "bash", "-c", script); r.err != nil || r.stdout != want {
				t.Errorf("%s: got %+v", script, r)
			}
		}
	}
}

func TestPatternsDontGoRoundInCircles(t *testing.T) {
	s := newShell(t)
	tree := s.Files
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		if err := tree.Symlink(".", "/workspace/"+name); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.MkdirAll("/workspace/real/deep", 0o755); err != nil {
		t.Fatal(err)
	}
	r := run(t.Context(), s, "", "bash", "-c", `shopt -s globstar; for i in **; do echo $i; done; echo a/*`)
	if r.err != nil || strings.Count(r.stdout, "\n") > 100 || !strings.Contains(r.stdout, "real/deep\n") || !strings.Contains(r.stdout, "a/a a/b") {
		t.Errorf("got %d lines, %+v", strings.Count(r.stdout, "\n"), r)
	}
}

func TestAContextEndsPatternsOfNames(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	r := run(ctx, newShell(t), "", "bash", "-c", `while :; do : *; done`)
	if !errors.Is(r.err, context.DeadlineExceeded) {
		t.Errorf("got %+v", r)
	}
}

func TestManyVariablesHaveALimitTogether(t *testing.T) {
	const text = `y=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do y=$y$y; done; `
	for name, script := range map[string]string{
		"declare":  `for((i=0;;i++)); do declare "v$i=$y$i"; done`,
		"export":   `for((i=0;;i++)); do export "v$i=$y$i"; done`,
		"eval":     `for((i=0;;i++)); do eval "v$i=\${y}$i"; done`,
		"literals": `for((i=0;;i++)); do eval "v$i=${y:0:2000}"; done`,
		"printf":   `for((i=0;;i++)); do printf -v "v$i" %s "$y"; done`,
		"arrays":   `for((i=0;;i++)); do eval "v$i=(\$y \$y)"; done`,
	} {
		t.Run(name, func(t *testing.T) {
			var limit *shell.LimitError
			if r := run(t.Context(), newShell(t), "", "bash", "-c", text+script); !errors.As(r.err, &limit) || limit.Limit != "variables" {
				t.Errorf("got %v, %d, %s", r.err, r.code, r.stderr)
			}
		})
	}
	r := run(t.Context(), newShell(t), "", "bash", "-c", text+`for((i=0;i<20000;i++)); do declare "v=$y$i"; done; echo ${#v}`)
	if r.err != nil || r.stdout != "65541\n" {
		t.Errorf("got %+v", r)
	}
}
