package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// oursWith is what a script prints to both outputs.
func oursWith(t *testing.T, limits shell.Limits, script string) (string, int, error) {
	t.Helper()
	s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools()), Limits: limits}
	var out bytes.Buffer
	code, err := s.Run(t.Context(), shell.Process{Args: []string{"bash", "-c", script}, Stdout: &out, Stderr: &out, Env: []string{"PATH=/bin", "INSIDE=yes"}})
	return out.String(), code, err
}

func TestSedSaysWhatIsWrongAsGNUDoes(t *testing.T) {
	for script, want := range map[string]string{
		`sed k`:                          "sed: -e expression #1, char 1: unknown command: `k'\n",
		`sed 's/a'`:                      "sed: -e expression #1, char 3: unterminated `s' command\n",
		`sed 's/a/b/x'`:                  "sed: -e expression #1, char 7: unknown option to `s'\n",
		`sed 's/a/b/gg'`:                 "sed: -e expression #1, char 8: multiple `g' options to `s' command\n",
		`sed 's/\(2\)/\2/'`:              "sed: -e expression #1, char 11: invalid reference \\2 on `s' command's RHS\n",
		`sed 2!!p`:                       "sed: -e expression #1, char 3: multiple `!'s\n",
		`sed 0p`:                         "sed: -e expression #1, char 2: invalid usage of line address 0\n",
		`sed 1,p`:                        "sed: -e expression #1, char 2: unexpected `,'\n",
		`sed '1d p'`:                     "sed: -e expression #1, char 4: extra characters after command\n",
		`sed 'p;}'`:                      "sed: -e expression #1, char 3: unexpected `}'\n",
		`sed '{p'`:                       "sed: -e expression #1, char 0: unmatched `{'\n",
		`sed a`:                          "sed: -e expression #1, char 1: expected \\ after `a', `c' or `i'\n",
		`sed 1,2q`:                       "sed: -e expression #1, char 4: command only uses one address\n",
		`sed y/abc/de/`:                  "sed: -e expression #1, char 9: strings for `y' command are different lengths\n",
		`sed 's/2/x/0'`:                  "sed: -e expression #1, char 7: number option to `s' command may not be zero\n",
		`sed :`:                          "sed: -e expression #1, char 1: \":\" lacks a label\n",
		`sed 'b x'`:                      "sed: can't find label for jump to `x'\n",
		`sed -e p -e k`:                  "sed: -e expression #2, char 1: unknown command: `k'\n",
		`printf 'p\nk' > s; sed -f s`:    "sed: file s line 2: unknown command: `k'\n",
		`sed 's/\(a\)\1/b/'`:             "sed: -e expression #1, char 12: back-references are not supported\n",
		`sed '1e ls'`:                    "sed: -e expression #1, char 2: the `e' command is not supported\n",
		`sed 's/a/b/e'`:                  "sed: -e expression #1, char 7: the `e' option to the `s' command is not supported\n",
		`sed --sandbox 'w x'`:            "sed: -e expression #1, char 2: e/r/w commands disabled in sandbox mode\n",
		`sed p nofile`:                   "sed: can't read nofile: No such file or directory\n",
		`sed -i p src`:                   "sed: couldn't edit src: not a regular file\n",
		`sed 'w /etc/x' fruit`:           "sed: couldn't open file /etc/x: No such file or directory\n",
		`sed -n 'r /etc/passwd' fruit`:   "",
		`sed --foo`:                      "sed: unrecognized option '--foo'\n",
		`sed -n '/a\{1,99999999\}/p' /x`: "sed: -e expression #1, char 17: Invalid content of \\{\\}\n",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
			t.Errorf("%s: got %q, %v", script, out, err)
		}
	}
}

func TestProgramsSeeOnlyTheSandbox(t *testing.T) {
	t.Setenv("OUTSIDE", "yes")
	for script, want := range map[string]string{
		`awk 'BEGIN{print systime(), strftime("%F", 0), ENVIRON["INSIDE"], ENVIRON["OUTSIDE"] "."}'`: "1700000000 1970-01-01 yes .\n",
		`awk 'BEGIN{srand(); print srand()}'`:                                                        "1700000000\n",
		`awk 'BEGIN{print rand()}' > a; awk 'BEGIN{print rand()}' > b; cmp a b && echo same`:         "same\n",
		`awk 'BEGIN{print (getline x < "/etc/passwd")}'`:                                             "-1\n",
		`awk 1 /etc/passwd`:                                                 "awk: warning: command line argument `/etc/passwd': cannot open file: No such file or directory\n",
		`awk 'BEGIN{print "x" > "/etc/x"}'`:                                 "awk: cannot redirect to `/etc/x': No such file or directory\n",
		`awk 'BEGIN{"uname -m" | getline m; print m}'`:                      "wasm32\n",
		`awk 'BEGIN{system("whoami"); print system("nosuch 2>/dev/null")}'`: "root\n127\n",
		`jq -nc '(now|floor),env.INSIDE,env.OUTSIDE,$ENV.OUTSIDE'`:          "1700000000\n\"yes\"\nnull\nnull\n",
		`jq -nc 'now|localtime|mktime|floor'`:                               "1700000000\n",
		`jq -n '0|strflocaltime("%H %Z")'`:                                  "\"00 UTC\"\n",
		`jq . /etc/passwd`:                                                  "jq: error: Could not open /etc/passwd: No such file or directory\n",
		`jq -n 'import "a" as a; 1'`:                                        "jq: error: modules are not supported\njq: 1 compile error\n",
		`jq -n 'include "a"; 1'`:                                            "jq: error: modules are not supported\njq: 1 compile error\n",
		`jq -L . -n 1`:                                                      "jq: modules are not supported\n",
		`jq -n '$__prog_args'`:                                              "jq: error: variable not defined: $__prog_args\njq: 1 compile error\n",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
			t.Errorf("%s: got %q, %v", script, out, err)
		}
	}
}

func TestProgramsKnowWhatGNUHas(t *testing.T) {
	for script, want := range map[string]string{
		`awk 'BEGIN{print gensub(/(a)(b)/, "\\2\\1", "g", "abab"), gensub("b", "<&>", 2, "abab")}'`:          "baba aba<b>\n",
		`echo abc | awk '{print gensub(/b/, "x", "g")}'`:                                                     "axc\n",
		`awk 'BEGIN{print and(12,10), or(12,10), xor(12,10), lshift(1,4), rshift(16,2), strtonum("0x1f")}'`:  "8 14 6 16 4 31\n",
		`awk 'BEGIN{print substr("hello",0,2) "|" substr("hello",-1,3), 2^53, 1e6}'`:                         "h|h 9007199254740992 1000000\n",
		`awk -Ft '{print $2}' <<< "$(printf 'a\tb')"`:                                                        "b\n",
		`awk '{print > "/dev/stderr"}' noend 2>&1 >/dev/null`:                                                "one\ntwo\n",
		`awk 'function f(){print "in"; next} NR==1{print f() > "o"} {print "main"}' noend; ls o 2>/dev/null`: "in\nmain\n",
		`echo '{' | jq .; echo $?`:                          "jq: error: unexpected EOF\n2\n",
		`jq . nofile noend; echo $?`:                        "jq: error: Could not open nofile: No such file or directory\njq: error: invalid character 'o' looking for beginning of value\n2\n",
		`jq -nc '{"b":1,"a":[2]}'`:                          "{\"a\":[2],\"b\":1}\n",
		`echo '[1.10,100000000000000000001]' | jq -c .`:     "[1.10,100000000000000000001]\n",
		`jq -n --raw-output0 '"a"' | wc -c`:                 "2\n",
		`echo '[1,{"a":2}]' | jq -c --stream .`:             "[[0],1]\n[[1,\"a\"],2]\n[[1,\"a\"]]\n[[1]]\n",
		`printf 1 > a; printf 2 > b; jq input_filename a b`: "\"a\"\n\"b\"\n",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
			t.Errorf("%s: got %q, %v", script, out, err)
		}
	}
}

func TestProgramsEndWithTheContext(t *testing.T) {
	for _, script := range []string{
		`sed ':a;ba' fruit`, `sed ':a;s/a/a/;ta' fruit`, `sed 'N;N;D' /dev/random > /dev/null`, `sed p /dev/random > /dev/null`,
		`awk 'BEGIN{while(1);}'`, `awk 'function f(){for(;;);}{f()}' fruit`, `awk 1 /dev/random > /dev/null`,
		`jq -n 'def f: f; f'`, `jq -n 'last(repeat(1))'`, `jq -n 'last(range(1e18))'`, `jq -n '[limit(1e9;repeat(1))]|length'`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools()), Limits: shell.Limits{Output: 1 << 40}}
		_, err := s.Run(ctx, shell.Process{Args: []string{"sh", "-c", script}})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func TestProgramsMayNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("programs grow to their limits, which takes minutes with the race detector")
	}
	for script, want := range map[string]string{
		`sed ':a;G;h;ba' fruit`: "sed: memory exhausted",
		`sed ':a;H;G;ba' fruit`: "sed: memory exhausted",
		`sed ':a;a x
ba' fruit`: "sed: memory exhausted",
		`sed p /dev/zero`: "sed: memory exhausted",
		`x=$(yes x | head -n 65000 | tr -d '\n'); yes | head -n 2000 | tr -d '\n' | sed "s/y/$x/g"`: "sed: memory exhausted",
		`awk 'BEGIN{s="x"; while(1)s=s s}'`:                           "awk: the string is too long",
		`awk 'BEGIN{s="x"; while(1)gsub(/x+/,"&&",s)}'`:               "awk: the string is too long",
		`awk 'BEGIN{while(1)a[n++]=n}'`:                               "awk: the array is too large",
		`awk 'BEGIN{s="x";for(;i<30;i++)OFS=s=s s}'`:                  "awk: the separator is too long",
		`awk 'BEGIN{for(;i<99;i++)s=s "xxxxxxxxxxx";sub(/^/,s,OFS)}'`: "awk: assignments of OFS",
		`awk 'BEGIN{getline SUBSEP}'`:                                 "awk: assignments of SUBSEP",
		`awk -v OFS="$(printf %99s)" 1 fruit`:                         "awk: the separator is too long",
		`awk 1 OFS="$(printf %99s)" fruit`:                            "awk: the separator is too long",
		`awk 'function f(){f()}BEGIN{f()}'`:                           "awk: calling \"f\" exceeded maximum call depth",
		`jq -n 'reduce range(60) as $i ("x"; .+.)'`:                   "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i ([1]; .+.)'`:                   "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i ("x"; .+=.)'`:                  "jq: error: the value is too large",
		`jq -n '"x"*1e9'`:                                             "jq: error: the value is too large",
		`jq -n '"x"|.*=1e9'`:                                          "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i (10; .*.)'`:                    "jq: error: the number is too long",
		`jq -n '.[1e9]=1'`:                                            "jq: error: ",
		`jq -n 'setpath([1e9];1)'`:                                    "jq: error: the value is too large",
		`jq -n '1e9 as $x|[]|.[$x]=1'`:                                "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i (1;[.,.])|tojson'`:             "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i (1;[.,.])|"\(.)"'`:             "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i (1;[.,.])|@json'`:              "jq: error: the value is too large",
		`jq -n 'reduce range(60) as $i (1;[.,.])|@text "\(.)"'`:       "jq: error: the value is too large",
		`jq -n 'reduce range(1000000) as $i (1;[.])|.==.'`:            "jq: error: the value is nested too deep",
		`jq -n 'def f: if .>1e9 then . else [.]|f end; 1|f'`:          "",
		`jq -n '1|until(false;[.])'`:                                  "jq: error: the value is nested too deep",
		`jq -n '("9"*9999)|tonumber'`:                                 "jq: error: the number is too long",
		`jq -n '("9"*9999)|fromjson'`:                                 "jq: error: the number is too long",
		`yes 9 | head -n 9999 | tr -d '\n' | jq .`:                    "jq: error: the number is too long",
		`jq -n "$(yes 9 | head -n 70000 | tr -d '\n')"`:               "jq: the program is too long",
		`awk "$(yes 9 | head -n 70000 | tr -d '\n')"`:                 "awk: the program is too long",
	} {
		out, code, err := oursWith(t, shell.Limits{}, script)
		if !strings.HasPrefix(out, want) || want != "" && code == 0 || err != nil {
			t.Errorf("%s: got %d, %.200q, %v", script, code, out, err)
		}
	}
}

func TestOutputOfProgramsHasItsLimit(t *testing.T) {
	for _, script := range []string{
		`jq -n 'reduce range(60) as $i (1;[.,.])'`, `jq -n 'repeat("x")'`, `awk 'BEGIN{while(1)print "x"}'`, `sed ':a;p;ba' fruit`,
		`awk 'BEGIN{while(1)print "x" > "/dev/stdout"}'`, `awk 'BEGIN{while(1)system("echo x")}'`,
	} {
		_, _, err := oursWith(t, shell.Limits{Output: 1 << 14}, script)
		var limit *shell.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func TestProgramsMayBeNestedDeep(t *testing.T) {
	for _, nested := range []string{
		`awk 'BEGIN{x=` + strings.Repeat("(", 30000) + `1` + strings.Repeat(")", 30000) + `}'`,
		`awk 'BEGIN{x=` + strings.Repeat("!", 60000) + `1}'`,
		`awk 'BEGIN{x=` + strings.Repeat("1+", 30000) + `1}'`,
		`awk 'BEGIN{x=` + strings.Repeat("1 ", 30000) + `1}'`,
		`awk 'BEGIN` + strings.Repeat("{", 30000) + strings.Repeat("}", 30000) + `'`,
		`jq -n '` + strings.Repeat("[", 15000) + `1` + strings.Repeat("]", 15000) + `|length'`,
		`jq -n '` + strings.Repeat("1|", 15000) + `1'`,
		`jq -n '` + strings.Repeat("1+", 15000) + `1'`,
		`jq -n '` + strings.Repeat("-", 30000) + `1'`,
		`sed -n '` + strings.Repeat("{", 30000) + strings.Repeat("}", 30000) + `' fruit`,
		`sed -n 's/` + strings.Repeat(`\(`, 900) + strings.Repeat(`\)`, 900) + `/x/' fruit`,
	} {
		if _, _, err := oursWith(t, shell.Limits{}, nested); err != nil {
			t.Errorf("%.40s: %v", nested, err)
		}
	}
}
