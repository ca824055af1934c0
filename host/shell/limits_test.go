package shell_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// endless scripts, and the limit that ends each.
var endless = map[string]struct{ limit, script string }{
	"commands":                  {"commands", `while true; do :; done`},
	"commands of a trap":        {"commands", `trap 'while true; do :; done' EXIT; exit 3`},
	"commands after a trap":     {"commands", `trap 'echo x; while :; do :; done' EXIT; while :; do :; done`},
	"recursion":                 {"depth", `f() { f; }; f`},
	"recursion in pipelines":    {"depth", `f() { echo x | f; }; f`},
	"recursion by eval":         {"depth", `x='eval "$x"'; eval "$x"`},
	"recursion by substitution": {"depth", `f() { echo "$(f)"; }; f`},
	"recursion by scripts":      {"depth", `echo 'sh self' > self; sh self`},
	"recursion by source":       {"depth", `echo '. ./self' > self; . ./self`},
	"recursion by a file":       {"depth", `printf "#!/bin/sh\nsh ./self\n" > self; sh self`},
	"recursion by env":          {"depth", `f='env sh -c "$f"'; export f; sh -c "$f"`},
	"doubling":                  {"variable", `x=aaaaaaaa; while ((1)); do x=$x$x; done`},
	"doubling without loops":    {"variable", `x=aaaaaaaaaaaaaaaa` + strings.Repeat("\nx=$x$x$x$x$x$x$x$x", 20)},
	"doubling of an array":      {"variable", `a=(x); while ((1)); do a+=("${a[@]}"); done`},
	"appending":                 {"variable", `x=aaaa; while ((1)); do x+=$x; done`},
	"doubling by for":           {"variable", `x=aaaaaaaa; while ((1)); do for x in "$x$x"; do ((1)); done; done`},
	"doubling by a default":     {"variable", `x=aaaaaaaa; while ((1)); do unset y; [[ ${y:=$x$x} ]]; x=$y; done`},
	"doubling by declare":       {"variable", `x=aaaaaaaa; while ((1)); do declare x="$x$x"; done`},
	"doubling of arguments":     {"arguments", `set -- a; while ((1)); do set -- "$@" "$@"; done`},
	"replacement":               {"variable", `x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do x=$x$x; done; y=${x//a/$x}`},
	"many expansions":           {"variable", `x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do x=$x$x; done; : ` + strings.Repeat(`"$x"`, 3000)},
	"braces with an expansion":  {"variable", `x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do x=$x$x; done; : {1..9999}$x`},
	"braces":                    {"arguments", `: ` + strings.Repeat(`{1..16000} `, 100)},
	"a substitution":            {"variable", `x=$(while ((1)); do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaa; done)`},
	"a tool's substitution":     {"variable", `x=$(yes)`},
	"output":                    {"output", `yes`},
	"error output":              {"output", `yes >&2`},
	"a stage that is read":      {"pipe", `yes | cat > /dev/null`},
	"a stage of builtins":       {"pipe", `while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done | :`},
	"nested parentheses":        {"nesting", strings.Repeat("(", 100_000)},
	"nested substitutions":      {"nesting", `echo ` + strings.Repeat("$(", 100_000)},
	"nested conditions":         {"nesting", strings.Repeat("if ", 100_000)},
	"nested arithmetic":         {"nesting", `echo $((1` + strings.Repeat("+1", 100_000) + `))`},
	"an operand of a test":      {"nesting", `[[ ` + strings.Repeat("a[", 500_000) + ` -eq 0 ]]`},
	"a subscript":               {"nesting", `b=(1); unset "b[` + strings.Repeat("a[", 500_000) + `]"`},
	"a chain":                   {"nesting", `:` + strings.Repeat("&& :", 100_000)},
	"a pipeline":                {"nesting", `:` + strings.Repeat("| :", 100_000)},
	"a large script":            {"script", `: ` + strings.Repeat("aaaa ", 1<<18)},
	"a large evaluation":        {"script", `x=` + strings.Repeat("a", 900_000) + `; eval ": $x$x"`},
	"a long pattern":            {"pattern", `p='[['; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do p=$p$p; done; case y in $p) ;; esac`},
	"a long prefix":             {"pattern", `p='[['; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do p=$p$p; done; echo ${p#$p}`},
	"a long literal pattern":    {"pattern", `case y in ` + strings.Repeat("[[", 100_000) + `) ;; esac`},
	"a long test":               {"pattern", `p='[['; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do p=$p$p; done; [[ y == $p ]]`},
	"braces that aren't closed": {"nesting", `echo ` + strings.Repeat("{", 20_000)},
	"patterns":                  {"matches", `shopt -s globstar; d=d; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do for j in a b c d e f g h; do echo > $i$j; done; done; while :; do : ***/**/* ****; /[*; /*/*; [[ -e $d ]]; cat < /dev/null; x=$(: ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** **); done`},
}

func TestWhatDoesntEndIsEnded(t *testing.T) {
	for name, test := range endless {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			s.Limits = shell.Limits{Commands: 100_000, Output: 1 << 20, Pipe: 1 << 20, Matches: 2000}
			r := run(t.Context(), s, "", "sh", "-c", test.script)
			var limit *shell.LimitError
			if !errors.As(r.err, &limit) || limit.Limit != test.limit {
				t.Errorf("got %v, want the limit for %s; %d %.300q", r.err, test.limit, r.code, r.stderr)
			}
		})
	}
}

func TestAContextEndsAScript(t *testing.T) {
	for name, script := range map[string]string{
		"a loop":                  `while true; do :; done`,
		"assignments":             `while ((1)); do x=1; done`,
		"arithmetic":              `for ((;;)); do ((1)); done`,
		"counting":                `for ((;;)); do :; done`,
		"counting in a function":  `f() { for ((;;)); do return 0; done; }; while ((1)); do f; done`,
		"counting in a loop":      `for ((i=0;;i++)); do for ((j=0;;j++)); do ((1)); done; done`,
		"a trap":                  `trap 'while ((1)); do ((1)); done' EXIT; while ((1)); do ((1)); done`,
		"a tool":                  `yes > /dev/null`,
		"a nested shell":          `sh -c 'sh -c "while ((1)); do ((1)); done"'`,
		"a pipeline":              `while ((1)); do ((1)); done | cat`,
		"a substitution":          `x=$(while ((1)); do ((1)); done)`,
		"reading an endless file": `while read -r -N 1 x; do :; done < /dev/zero`,
		"waiting for input":       `cat`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			s.Limits = shell.Limits{Commands: 1 << 30}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			blocked := make(blockingReader)
			defer close(blocked)
			code, err := s.Run(ctx, shell.Process{Args: []string{"sh", "-c", script}, Stdin: blocked})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %d, %v", code, err)
			}
		})
	}
}

// A blockingReader waits until it is closed.
type blockingReader chan struct{}

func (r blockingReader) Read([]byte) (int, error) {
	<-r
	return 0, errors.New("closed")
}

func TestAnEndlessStageThatNobodyReadsToItsEndIsNoError(t *testing.T) {
	s := newShell(t)
	s.Limits.Pipe = 1 << 20
	if r := run(t.Context(), s, "", "sh", "-c", `yes | { read x; echo "$x"; }; yes | true; echo $?`); r.err != nil || r.stdout != "y\n0\n" {
		t.Errorf("got %+v", r)
	}
}
