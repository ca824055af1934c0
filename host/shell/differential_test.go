package shell_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// language are scripts that bash runs the same way.
var language = []string{
	`echo a  b 'c  d' "e  f"`, `echo -n a; echo b`, `echo -e 'a\tb'`, `x=1; echo $x ${x} "${x}y" '$x'`, `echo ${x:-default} ${x:=set} $x`, `x=abc; echo ${#x} ${x#a} ${x%c} ${x/b/B} ${x:1:1}`,
	`x=a.b.c; echo ${x%%.*} ${x##*.} ${x#*.}`, `x=hello; echo ${x^} ${x^^} ${x//l/L}`, `echo ${nosuch+set} ${HOME+set}`, `echo "${x-message}"`,
	`false; echo $?`, `true && echo yes || echo no`, `false && echo yes || echo no`, `! true; echo $?`, `! false; echo $?`, `false || false; echo $?`, `(exit 3); echo $?`, `exit 7`, `exit`, `false; exit`,
	`if true; then echo a; else echo b; fi`, `if false; then echo a; elif true; then echo c; fi`, `for i in 1 2 3; do echo $i; done`, `for i in a b; do for j in 1 2; do echo $i$j; [ $j = 1 ] && continue 2; done; done`, `i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done`, `i=0; until [ $i -ge 3 ]; do i=$((i+1)); done; echo $i`, `for ((i=0;i<3;i++)); do echo $i; done`, `for ((i=0;i<3;i++)); do echo $i; false; done`, `for ((i=0;i<4;i++)); do [ $i = 2 ] && echo two; done; echo end`, `for ((i=0;;i++)); do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done; echo $?`, `eval 'for ((i=0;i<3;i++)); do echo $i; ! true; done'`, `f() { for ((i=0;i<3;i++)); do [ $i = 1 ] && return 4; (exit 3); done; }; f; echo $?`, `for ((i=0;i<2;i++)); do for ((j=0;j<2;j++)); do (exit 3); done; echo $?; [ $i = 1 ] && break; done; echo $?`, `for ((i=0;i<2;i++)); do false; continue; done; echo $?`, `for ((i=0;i<0;i++)); do false; done; echo $?`, `set -e; for i in 1 2; do [ $i = 1 ] && echo one; done; if true; then false && x; fi; { false && x; }; while read x; do false && x; done <<< a; case a in a) false && x; esac; for ((i=0;i<2;i++)); do false && x; done; echo end`, `set -e; for i in 1 2; do [ $i = 1 ] && false; done; echo no`, `set -e; f() { false && x; }; f; echo no`, `f() { if true; then false && x; fi; }; f || echo no`, `for i in 1 2; do [ $i = 1 ] && echo one; done; echo $?`, `if true; then (exit 3) && x; fi; echo $?`, `set -e; if true; then true && false && x; fi; echo end`, `set -e; for ((i=0;i<3;i++)); do echo $i; false; done; echo no`, `while true; do break; done; echo $?`, `case abc in a*) echo 1;; *) echo 2;; esac`, `case x in a|x) echo ax;; esac`, `case x in y) ;; esac; echo $?`,
	`for ((;;)); do exit 0; done; echo no`, `for ((;;)); do exit 3; done`, `f() { for ((;;)); do return 0; done; }; f; echo $?`, `f() { for ((i=0;;i++)); do for ((;;)); do return 3; done; done; }; f; echo $? $i`, `(for ((;;)); do exit; done); echo $?`, `for ((i=0;i<3;i++)); do for ((j=0;j<3;j++)); do [ $j = 1 ] && continue; [ $i = 1 ] && continue 2; echo $i$j; done; done; echo $i $j`, `for ((i=0;i<3;i++)); do for ((;;)); do break 2; done; done; echo $? $i`, `i=0; for ((;i<3;)); do echo $((i++)); done`, `for ((i=0,j=5;i<j;i++,j--)); do echo $i $j; done`, `for ((i=0;i<3;i++)); do for x in $(for ((j=0;j<i;j++)); do echo $j; done); do echo $i $x; done; done`, `for ((i=0;i<2;i++)); do (exit 3); done | cat; for ((i=0;i<2;i++)); do (exit 3); done > f; echo $?`, `for ((i=0;i<2;i++)); do cat <<< $i; done & wait`, `! for ((i=0;i<2;i++)); do (exit 3); done; echo $?`,
	`for ((i=0;i<2;i++)); do echo $?; (exit 5); done`, `(exit 3); for ((i=0;i<2;i++)); do echo $?; done`, `for ((i=0; $?==0; i++)); do echo $i; (exit $i); done; echo $?`, `(exit 3); for ((i=$?;i<5;i++)); do echo $i $?; done`, `for ((i=0;i<20;i+=$?)); do (exit 7); done; echo $i`, `for ((i=0;i<2;i++)); do echo $?; for ((j=0;j<2;j++)); do echo $?; (exit 4); done; done`, `set -e; for ((i=0;i<2;i++)); do echo $?; ! true; done; echo end`, `trap 'echo err' ERR; for ((i=0;i<2;i++)); do echo $i; ! true; :; done; echo end`,
	`set -e; f() { if true; then false && true; fi; }; f; echo no`, `set -e; (if true; then false && true; fi); echo no`, `set -e; x=$(if true; then false && true; fi); echo no`, `set -e; if true; then false && true; fi`, `set -e; f() { case a in a) { (exit 3) && true; }; esac; }; f; echo no`, `set -e; f() { if true; then false && true; fi; }; f || echo failed; if f; then echo no; fi; echo end`, `set -e; f() { if true; then false && true; fi; echo f; }; f; echo end`, `set -e; f() { if true; then false && true; fi; x=1; if true; then x=2; fi; }; f; echo end`, `f() { if true; then (exit 3) && true; fi; }; f; echo $?; (f); echo $?; x=$(f); echo $?`, `set -e; f() { if true; then true && true; else false && true; fi; }; f; echo end`, `trap 'echo err' ERR; f() { if true; then true && :; fi; }; f; echo end`, `set -e; if true; then false && true; fi; if true; then true && x=1; fi; echo $x`,
	`f() { echo "f $1 $#"; return 5; }; f a b; echo $?`, `f() { local x=1; x=2; }; x=0; f; echo $x`, `f() { x=2; }; x=0; f; echo $x`, `f() { echo $?; }; (exit 4); f`, `f() { return; }; f; echo $?`, `f() { g; }; g() { echo g; }; f`, `f() { echo "$@"; shift; echo "$*"; }; f 1 '2 3' 4`, `fact() { if [ $1 -le 1 ]; then echo 1; else echo $(($1 * $(fact $(($1-1))))); fi; }; fact 10`,
	`echo a | cat`, `echo a | cat | cat | tr a b`, `echo a | { read x; echo "got $x"; }`, `echo a | read x; echo "[$x]"`, `false | true; echo $?`, `true | false; echo $?`, `set -o pipefail; false | true; echo $?`, `set -o pipefail; (exit 3) | (exit 4) | true; echo $?`, `! false | true; echo $?`, `! true | false; echo $?`, `(exit 5); echo $? | cat`, `seq 10 | while read n; do [ $n = 3 ] && break; echo $n; done`, `x=0; seq 3 | while read n; do x=$n; done; echo $x`, `echo a >&2 | cat`, `{ echo a; echo b >&2; } 2>&1 | sort`, `echo err >&2 |& cat`, `{ echo x >&2; } |& tr x y`, `seq 5 | head -2 | tail -1`, `yes | head -3`, `if echo a | grep -q a; then echo found; fi`, `while echo x | grep -q y; do :; done; echo end`, `echo a | cat && echo b || echo c`, `cat <<< hi | cat`, `for i in 1 2; do echo $i; done | sort -r`, `f() { cat; }; echo hi | f`, `echo a | (cat; exit 3); echo $?`,
	`echo a > f; cat f`, `echo a > f; echo b >> f; cat f`, `cat < nofile; echo $?`, `echo a > nodir/f; echo $?`, `cat < /dev/null`, `echo a > /dev/null`, `echo a > /dev/stdout`, `echo a > /dev/stderr`, `{ echo out; echo err >&2; } > f 2>&1; cat f`, `{ echo out; echo err >&2; } 2> f; cat f`, `{ echo out; echo err >&2; } &> f; cat f`, `echo a >| f; cat f`, `> f; cat f; ls f`, `cat < f1 > f2; echo $?; ls`, `echo x > a; cat < a > b; cat b`, `while read l; do echo "<$l>"; done < files; echo $?`, `printf 'a\nb\n' > f; while read l; do echo "<$l>"; done < f`, `printf 'a\nb\n' > f; { read x; read y; } < f; echo $y $x`, `exec > f; echo hidden; exec > /dev/stderr; cat f`, `exec 2>&1; nosuchcmd 2>/dev/null; echo $?`, `printf 'a\nb\nc\n' > f; exec < f; read x; read y; echo $x $y`, `set -- x; echo "$@" > f; cat f`, `echo a 1>&2 2>/dev/null`, `{ echo a; echo b >&2; } >&f; cat f`, `echo a 1>& f; cat f`, `printf 'a\nb\n' > f; while read x <&0; do echo "<$x"; done < f`, `echo a >&1 | cat`, `ls nofile 2>/dev/null; echo $?`,
	"cat <<EOF\nhello $((1+1)) $(echo sub) `echo old`\nEOF", "cat <<'EOF'\nhello $x $(no)\nEOF", "cat <<-EOF\n\thello\n\tEOF", "x=1; cat <<EOF | tr a-z A-Z\nvalue $x\nEOF", "cat <<A; cat <<B\na\nA\nb\nB", "while read x; do echo \"-$x\"; done <<EOF\n1\n2\nEOF", "cat <<EOF > f\nline\nEOF\ncat f", "f() { cat <<EOF\n$1\nEOF\n}\nf x | cat", "if true; then cat <<EOF\nin if\nEOF\nfi", "(cat <<EOF\nsub\nEOF\n)", "x=$(cat <<EOF\nin sub\nEOF\n); echo \"[$x]\"", "cat <<EOF && echo done\nx\nEOF", "cat <<EOF\nEOF", "! cat <<EOF\nx\nEOF\necho $?", "time cat <<EOF 2>/dev/null\nx\nEOF", "cat <<\"A B\"\n$x\nA B", "tr a b <<EOF | tr b c\naaa\nEOF",
	`x=$(echo a; echo b); echo "$x"`, `x=$(false); echo $?`, `x=$(exit 3) ; echo $?`, `echo $(echo $(echo nested))`, `echo a > f; echo $(<f)`, `x=$(printf 'a\n\n\n'); echo "[$x]"`, `echo "$(echo "quoted 'x'")"`, "echo `echo \\`echo deep\\``", `x=$(cat nofile 2>&1); echo $?`, `local_() { local x=$(false); echo $?; }; local_`, `echo "a$(echo b | tr b c)d"`, `for f in $(ls); do echo $f; done`,
	`echo $((1+2*3)) $((7/2)) $((7%3)) $((2**10)) $((1<<4)) $((5>3)) $((5&3)) $((~0)) $((!0)) $((1?2:3))`, `x=5; ((x++)); echo $x; ((x+=10)); echo $x`, `((0)); echo $?; ((1)); echo $?`, `x=3; echo $((x*x)) $(($x+1))`, `let x=1+2; echo $x`, `echo $((0x1f)) $((010)) $((2#101))`, `a=1; b=2; echo $((a=b, b+1))`, `x=y; y=7; echo $((x))`, `echo $((1/1)) $(( (1+2)*3 ))`, `i=0; while ((i<3)); do ((i++)); done; echo $i`,
	`[ a = a ]; echo $?; [ a = b ]; echo $?; [ -z "" ]; echo $?; [ -n a ]; echo $?`, `[ 1 -lt 2 ] && [ 2 -gt 1 ] && echo ok`, `touch f; [ -f f ] && [ -e f ] && ! [ -d f ] && ! [ -s f ] && echo ok`, `mkdir d; [ -d d ] && echo dir; test -f d; echo $?`, `ln -s f l; [ -L l ] && ! [ -e l ] && echo dangling`, `[ -x nofile ]; echo $?`, `touch f; chmod +x f; [ -x f ] && echo x; [ -r f ] && echo r; [ -w f ] && echo w`, `[[ abc == a* ]] && echo glob; [[ abc == "a*" ]]; echo $?`, `[[ abc =~ ^a(.)c$ ]] && echo ${BASH_REMATCH[1]}`, `[[ a < b && ! b < a ]] && echo ok`, `[[ -f nofile || -z "" ]]; echo $?`, `touch a; sleep 0.01; touch b; [ b -nt a ] && echo newer`, `[ ! a = b ] && echo ok`, `[ a = a -a b = b ] && echo and; [ a = b -o b = b ] && echo or`, `[ ]; echo $?`, `[ a ]; echo $?`, `test; echo $?`, `[ "$x" = "" ]; echo $?`, `[ -t 0 ]; echo $?`, `touch f; [ -O f ] && echo mine; [[ -O f ]] && echo mine`,
	`touch a.c b.c c.h; echo *.c; echo *.x; echo ?.h; echo [ab].c; echo "*"`, `mkdir -p d/e; touch d/x d/e/y; echo d/* */*/*`, `touch .hidden seen; echo *; echo .h*`, `touch 'a b'; for f in *; do echo "<$f>"; done`, `shopt -s nullglob; echo *.none; echo end`, `mkdir -p a/b; touch a/x a/b/y; shopt -s globstar; echo a/**; echo **/*y`, `set -f; echo *`, `touch B a C; echo *`, `x='*'; touch f; echo $x "$x"`,
	`echo {1..5} {a..e} {1..10..3} {3..1}`, `echo a{b,c}d {x,y}{1,2}`, `echo {a} {} {1..}`, `echo {01..03}`, `mkdir -p p/{a,b}/{c,d}; ls p/a`,
	`a=(1 2 3); echo ${a[1]} ${#a[@]} "${a[@]}" ${a[-1]}`, `a=(x); a+=(y z); for i in "${a[@]}"; do echo $i; done`, `a=(1 2 3); unset 'a[1]'; echo ${!a[@]} ${a[*]}`, `declare -A m=([k]=v); m[x]=y; echo ${m[k]} ${m[x]} ${#m[@]}`, `a=(a b c d); echo ${a[@]:1:2}`, `read -a w <<< "a b c"; echo ${w[1]}`, `printf 'a\nb\n' > f; mapfile -t l < f; echo ${#l[@]} ${l[1]}`, `a=("x y" z); printf '<%s>' "${a[@]}"; echo`, `IFS=,; a=(1 2); echo "${a[*]}"`, `declare -a e=(); echo ${#e[@]}`,
	`set -e; false; echo not`, `set -e; false || true; echo ok`, `set -e; if false; then :; fi; echo ok`, `set -e; ! true; echo ok`, `set -e; x=$(false); echo not`, `set -e; false | true; echo ok`, `set -e; true | false; echo not`, `set -e; ! false | false; echo ok`, `set -e; (false); echo not`, `set -e; f() { false; echo not; }; f`, `set -e; false && true; echo ok`, `set -eo pipefail; false | cat; echo not`, `set -e; while false; do :; done; echo ok`, `set -e; x=1; x=$x$x; echo $x`, `set -e; cd nodir 2>/dev/null; echo not`, `set -e; { ! { false; }; }; echo ok`, `set -e; y=$(echo a | grep b) || echo none`, `set -e; [ a = b ] && echo no; echo ok`, `set -e; export X=$(false); echo ok`,
	`trap 'echo err' ERR; false; echo end`, `trap 'echo err' ERR; false | false; echo end`, `trap 'echo err' ERR; x=$(false); echo end`, `trap 'echo err' ERR; x=1; x=$x$(false); echo end`, `trap 'echo err' ERR; ! false | false; false || true; if false; then :; fi; echo end`,
	`test() { echo mine "$@"; }; test x`, `cd() { builtin cd "$@" && echo moved; }; mkdir d; cd d`, `read() { echo mine; }; read x < /dev/null`, `type() { echo mine; }; type x; command type echo`, `printf() { echo mine; }; printf x; command printf 'y\n'`,
	`p='a*'; x=abc; case $x in $p) echo m;; esac; [[ $x == $p ]] && echo t; echo ${x#$p} ${x//$p/y}; y=b; echo ${x/$y/Z} ${x#"a$y"}`, `x=abc; for p in a b 'a?c'; do case $x in $p) echo $p;; "$p"bc) echo q $p;; esac; done`, `false; case $? in 1) echo one;; esac`, `y=1; false; case "$? $y" in "1 $y") echo one $y;; esac`, `x='{"a":{"b":1}}'; echo $x "$x"; echo {"a":{"b":1}}`,
	`trap 'echo bye' EXIT; echo hi`, `trap 'echo bye $?' EXIT; exit 3`, `trap 'echo bye' EXIT; false`, `trap 'echo a | cat' EXIT`, `trap - EXIT; trap '' INT TERM; echo ok`, `trap 'echo "x y"' EXIT; (exit 1); echo $?`, `trap "rm -f tmp" EXIT; touch tmp; ls`,
	`sleep 0 & wait; echo done`, `(exit 3) & wait $!; echo $?`, `echo bg & wait`, `true & p=$!; wait $p; echo $?`, `{ echo a; } & wait; echo b`, `for i in 1 2; do echo $i & wait; done`,
	`mkdir d; cd d; basename $PWD; cd ..; basename $OLDPWD`, `mkdir -p a/b; ln -s a/b l; cd l; basename $(pwd); basename $(pwd -P); cd ..; ls -d a`, `mkdir -p a/b; ln -s a/b l; cd -P l; basename $(pwd)`, `cd nodir; echo $?`, `touch f; cd f; echo $?`, `(mkdir d; cd d); ls`, `mkdir d; pushd d > /dev/null; basename $PWD; popd > /dev/null; ls`, `cd; basename $HOME > /dev/null; echo $?`, `mkdir d; cd d; touch x; cd ..; ls d`,
	`eval 'echo a | cat; x=1'; echo $x`, `x='echo "a  b"'; eval "$x"`, `eval "if true; then echo y; fi"`, `eval 'f() { echo in f; }'; f`, `eval 'exit 3'; echo no`, `eval false; echo $?`, `eval "$(echo 'echo nested')"`, `for i in 1 2; do eval "v$i=$i"; done; echo $v1 $v2`, `eval 'for i in 1 2; do echo $i; done | sort -r'`,
	`echo 'echo sourced $1; x=5; return 3' > s; . ./s arg; echo $? $x`, `echo 'y=1 | cat; z=2' > s; source ./s; echo $z`, `. ./nofile; echo $?`, `echo 'echo "$0" "$@"' > s; sh s a b`, `printf '#!/bin/sh\necho script "$1"\nexit 4\n' > s; chmod +x s; ./s x; echo $?`, `echo 'echo noshebang' > s; chmod +x s; ./s`, `echo hi > s; ./s; echo $?`, `./nofile; echo $?`, `mkdir d; ./d; echo $?`, `nosuchcommand; echo $?`, `printf '#!/usr/bin/env bash\necho "env $1"\n' > s; chmod +x s; ./s a`, `mkdir bin; echo 'echo found' > bin/t; chmod +x bin/t; PATH=$PWD/bin:$PATH; t`, `printf '#!/no/such\n' > s; chmod +x s; ./s; echo $?`, `printf 'x() { echo lib; }\n' > lib.sh; . ./lib.sh && x`,
	`sh -c 'echo $0 $1' a b`, `bash -c 'exit 4'; echo $?`, `X=1 sh -c 'echo $X'; echo "[$X]"`, `export Y=2; sh -c 'echo $Y'`, `Z=3; sh -c 'echo "[$Z]"'`, `echo 'echo from stdin' | sh`, `echo 'echo $1' | sh -s arg`, `sh -ec 'false; echo no'; echo $?`, `sh -c 'exit 300'; echo $?`, `env A=1 B=2 sh -c 'echo $A$B'`, `sh -c 'if'; echo $?`, `sh nofile; echo $?`, `bash -lc 'echo login'`, `bash -euo pipefail -c 'false | true; echo no'; echo $?`, `printf 'a\nb\n' | while read x; do sh -c 'echo $0' $x; done`, `printf 'a\nb\n' | while read x; do cat; done`, `sh -c 'read x; echo $x' <<< in; echo`,
	`read x <<< "a b"; echo "$x"`, `read x y <<< "a b c"; echo "$y"`, `IFS=: read a b <<< "1:2:3"; echo "$b"`, `read -r x <<< 'a\b'; echo "$x"`, `read x <<< 'a\b'; echo "$x"`, `read x < /dev/null; echo $?`, `printf 'no newline' | { read x; echo "$? $x"; }`, `printf 'a\0b\0' | while IFS= read -r -d '' x; do echo "<$x>"; done`, `read -n 2 x <<< abc; echo $x`, `printf ' a b \n' | { IFS= read -r x; echo "[$x]"; }`, `printf ' a b \n' | { read -r x; echo "[$x]"; }`, `read <<< '  keep '; echo "[$REPLY]"`, `printf 'a\\\nb\n' | { read x; echo "$x"; }`, `printf '1 2\n3 4\n' | while read a b; do echo $((a+b)); done`,
	`command -v echo cd; command -v nosuch; echo $?`, `f() { :; }; command -v f; type -t f echo if`, `command echo hi`, `builtin echo hi`, `echo() { builtin echo "wrapped $*"; }; echo hi`, `unset -f f; type f 2>/dev/null; echo $?`, `hash ls; echo $?`,
	`export A=1; export -n A 2>/dev/null; echo $A`, `unset X; echo "[$X]"`, `A=1 B=$A; echo "[$B]"`, `x=1; unset x; echo ${x-unset}`, `printf -v v '%03d' 7; echo $v`, `set -- a b c; shift; echo $1 $#`, `set -- 'a b' c; for i; do echo "$i"; done`, `set -- x y; echo "$*" "$@" $#`, `while getopts ab: o -a -b val; do echo $o $OPTARG; done`, `umask 077; touch f; ls -l f | cut -c1-10; umask`, `umask 022; umask`,
	`(umask 077); umask`, `set -a; umask 077; env | grep -c UMASK; umask`, `x=$(umask 077; touch f); umask; touch g; ls -l f g | cut -c1-10`, `umask 077 | cat; umask`, `f() { umask 007; }; f; umask`, `umask 777; echo > f; mkdir d; stat -c %a f d`, `umask 0; echo > f; mkdir d; sed -n 'w g' f; stat -c %a f g d`, `umask 027; sh -c umask; echo f | xargs touch; stat -c %a f`, `umask 070; (umask; (umask 5; umask); umask)`,
	`mkdir bin; printf '#!/bin/sh\necho "$1" "$#"; basename "$0"\n' > bin/foo; chmod +x bin/foo; PATH=$PWD/bin:$PATH; foo a b; cd bin; ./foo c; foo d`, `mkdir bin; printf '#!/usr/bin/env bash\necho "$@"\n' > bin/foo; chmod +x bin/foo; PATH=$PWD/bin:$PATH foo a 'b c'`, `mkdir bin; printf '#!/bin/cat\ntext\n' > bin/foo; chmod +x bin/foo; PATH=bin:$PATH; foo`,
	`printf -v x '%s' 'a :check b'; echo "$x"`, `printf '%q\n' "it's
two"`, `x="it's"; read -r y <<< "$x"; echo "$y"`, `declare -A m; m['a=b']=1; m["it's"]=2; for k in "${!m[@]}"; do echo "$k"; done | sort`,
	`exec > big; seq 1000; rm big`, `(exec > big; seq 1000); rm big`, `x=$(exec > big; seq 1000); rm big; echo "[$x]"`, `(exec < /dev/null; read x; echo $?)`, "exec <<EOF\na\nb\nEOF\nread x; echo $x", `exec <<< word; read x; echo $x`, `for i in 1 2 3; do exec > f$i; echo $i; done; exec > /dev/stderr`, `exec 2> errors; nosuch; rm errors`,
	`:; echo $?`, `# comment
echo after`, `echo a \
 b`, `echo "a
b"`, `echo a;echo b`, `{ echo a; echo b; }`, `(echo a; echo b)`, `((1)) && echo yes`, `echo $'a\tb\x41'`, `echo "\$x \"q\" \\"`, `echo 'it'\''s'`, `echo ~ | wc -l`, `echo a~b`, `x=~; [ "$x" = "$HOME" ] && echo home`, `time true 2>/dev/null; echo $?`, `kill -0 99999999 2>/dev/null; echo $?`, `if`, `echo a; )`, `for x in`, `echo "unterminated`, `times > /dev/null; echo $?`, `exec echo replaced; echo no`, `exec nosuch 2>/dev/null; echo no`, `break 2>/dev/null; echo $?`, `f() { exit 3; }; f; echo no`, `(f() { exit 3; }; f); echo $?`, `x=5 true; echo "[$x]"`, `echo $#`, `echo "$1" "$2"`, `[ $# -eq 2 ] && echo two`, `declare -A m; for w in a b a c a; do m[$w]=$((${m[$w]:-0}+1)); done; for k in a b c; do echo $k ${m[$k]}; done`, `echo $SHLVL > /dev/null; echo ok`, `find . -name '*.c' | while read -r f; do wc -l < "$f"; done; echo end`, `ls | wc -l`, `test -d src || mkdir src && echo made`, `cat > x.py <<'EOF'
def f(x):
    return "$x" + '\n'
EOF
cat x.py`, `n=0; for f in a b c; do n=$((n+1)); done; echo "n=$n"`, `echo "result: $(( $(echo 2) + 3 ))"`, `a=1; a=${a}2; a="${a}3"; echo $a`, `v="a b c"; for x in $v; do printf '%s,' $x; done; echo`, `v="a:b"; IFS=:; for x in $v; do echo $x; done`, `f() { echo out; echo err >&2; }; x=$(f 2>&1); echo "$x"`, `f() { echo out; echo err >&2; }; x=$(f 2>/dev/null); echo "$x"`, `if ! grep -q x /dev/null; then echo none; fi`, `x=abc; case $x in *b*) echo has b;; esac`, `[ -n "$(ls)" ] || echo empty`, `echo one two | { read a b; echo $b $a; }`, `printf '%s\n' b a c | sort | tr '\n' ' '; echo`, `i=3; while [ $i -gt 0 ]; do printf '%d ' $i; i=$((i - 1)); done; echo`,
}

func TestScriptsDoWhatTheyDoInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no bash to compare with")
	}
	heedIgnored(t)
	for _, script := range slices.Concat(language, corners) {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			want := inBash(t, bash, script)
			for how, args := range map[string][]string{
				"direct": {"bash", "-c", script, "name", "first", "second arg"},
				"eval":   {"bash", "-c", `script=$1; shift; eval "$script"`, "name", script, "first", "second arg"},
			} {
				if how == "eval" && want.code == 2 {
					continue // wrong scripts end differently
				}
				compareWithBash(t, how, inOurs(t, args, ""), want)
			}
			if !aboutInput.MatchString(script) {
				compareWithBash(t, "typed", inOurs(t, []string{"bash", "-s", "first", "second arg"}, script+"\n"), want)
			}
		})
	}
}

// aboutInput are scripts that tell what their input is, or the name that they were given.
var aboutInput = regexp.MustCompile(`-t 0|-p /dev/stdin|BASH_SOURCE`)

func compareWithBash(t *testing.T, how string, got, want result) {
	t.Helper()
	if got.stdout != want.stdout || got.code != want.code {
		t.Errorf("%s: got %d:\n%s(%s)\nwant %d:\n%s", how, got.code, got.stdout, got.stderr, want.code, want.stdout)
	}
}

// heedIgnored has commands start with no signals ignored, also if the tests run under nohup
// or in the background: a shell lists those among its traps.
func heedIgnored(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if !signal.Ignored(s) {
			continue
		}
		heeded := make(chan os.Signal, 1)
		signal.Notify(heeded, s)
		t.Cleanup(func() { signal.Stop(heeded) })
	}
}

func inBash(t *testing.T, bash, script string) result {
	dir := t.TempDir()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), bash, "-c", script, "name", "first", "second arg")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout: strings.ReplaceAll(out.String(), dir, "/workspace"), stderr: errs.String(), code: cmd.ProcessState.ExitCode()}
}

// inOurs runs a command, at a terminal if something is typed.
func inOurs(t *testing.T, args []string, typed string) result {
	s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
	r := runProcess(t.Context(), s, shell.Process{Args: args, Stdin: strings.NewReader(typed), Terminal: typed != ""})
	if r.err != nil {
		t.Errorf("the shell failed: %v", r.err)
	}
	return r
}
