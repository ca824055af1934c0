package builtin_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// files are what each script finds in its folder.
var files = map[string]string{
	"fruit":        "banana\napple\ncherry\napple\nBanana\n\ndate 10\nelder 9\n",
	"numbers":      "10\n9\n2\n33\n1\n-5\n2.5\n",
	"table":        "root:x:0:0:root:/root:/bin/sh\nbin:x:2:2::/bin:/usr/sbin/nologin\nnobody:x:65534:1\n",
	"src/main.c":   "#include <stdio.h>\nint main(void) {\n\treturn foo(1);\n}\n",
	"src/foo.c":    "int foo(int x) {\n\treturn x + 1; // foo\n}\n",
	"src/foo.h":    "int foo(int);\n",
	"src/lib/a.py": "import os\n\ndef foo():\n    pass\n",
	"noend":        "one\ntwo",
	"empty":        "",
	"spaces":       "  a  b\tc \n d e\n",
	"with space":   "content\n",
	"versions":     "v1.10\nv1.9\nv1.2.3\n",
	"sizes":        "1K\n2M\n512\n3\n",
}

// scripts are run here and by the machine's own utilities: both have to print the
// same, with the same exit code.
var scripts = []string{
	`cat fruit`, `cat fruit numbers noend`, `cat -n fruit`, `cat -b fruit`, `cat -s fruit`, `cat -A spaces`, `cat -E noend`, `cat nofile fruit`,
	`cat < fruit`, `cat - fruit < numbers`, `cat -z fruit`, `cat src`,
	`head -n 2 fruit`, `head -2 fruit`, `head -c 7 fruit`, `head -n -2 fruit`, `head -c -3 fruit`, `head fruit numbers`, `head -q -n1 fruit numbers`, `head -n 0 fruit`, `head noend`, `head -n 3 nofile`, `head -n x fruit`,
	`tail -n 2 fruit`, `tail -2 fruit`, `tail -c 7 fruit`, `tail -n +3 fruit`, `tail -n +0 fruit`, `tail -n 1 fruit numbers`, `tail -n 0 fruit`, `tail -n 1 noend`, `tail -c +4 fruit`, `tail -n 100 fruit`, `tail empty`, `head empty`,
	`wc fruit`, `wc -l fruit numbers`, `wc -w fruit`, `wc -c fruit`, `wc -l < fruit`, `wc -lw noend empty`, `wc -L spaces`, `cat fruit | wc`, `wc -m fruit`, `wc nofile`, `wc -l nofile fruit`,
	`grep apple fruit`, `grep -n apple fruit`, `grep -i banana fruit`, `grep -v apple fruit`, `grep -c apple fruit numbers`, `grep -l foo -r src | sort`, `grep -L foo fruit src/foo.c`, `grep -rn foo src | sort`, `grep -E 'a|b' fruit`, `grep -F . fruit`, `grep -q apple fruit`, `grep -o 'an*' fruit`, `grep -w foo src/foo.c`, `grep -x apple fruit`, `grep nothing fruit`, `grep -h foo src/foo.c src/foo.h`, `grep -H foo src/foo.h`,
	`grep -e apple -e cherry fruit`, `grep -m1 apple fruit`, `grep -A1 cherry fruit`, `grep -B1 cherry fruit`, `grep -C1 -n cherry fruit`, `grep -A1 apple fruit`, `grep 'a\{1,2\}n' fruit`, `grep '^$' fruit`, `grep -c '' fruit`, `grep '[[:digit:]]' fruit`, `grep '\(an\)' fruit`, `grep 'a*' numbers`, `grep '*' fruit`, `grep -E '(an)+' fruit`, `grep -E '^.{5}$' fruit`, `grep -E 'a{2}' fruit`, `grep 'x\?ap\+le' fruit`, `grep '[]x]' fruit`, `grep '[^a-z]' fruit`, `grep -n . noend`, `grep foo nofile`, `grep -s foo nofile`, `grep foo`, `grep -r --include='*.c' foo src | sort`, `grep -rl --exclude='*.c' foo src | sort`, `grep -r --exclude-dir=lib foo src | sort`, `cat fruit | grep -n date`, `grep -f noend noend`, `grep -z x fruit`, `grep -E '\bfoo\b' src/foo.c`, `grep '\<foo' src/foo.c`, `grep "$(printf 'apple\ndate')" fruit`, `grep -vn apple fruit`, `grep -co apple fruit`, `grep -ci APPLE < fruit`, `grep apple fruit nofile`, `grep -q apple fruit nofile`, `grep 'a^b' fruit`, `grep -E 'a(b' fruit`, `grep '[' fruit`, `grep -E -o '[0-9]+' fruit`, `grep -on a fruit`, `grep foo src`, `grep -nr foo src/lib`, `cd src && grep -rn foo | sort`, `cd src && grep -rn foo . | sort`,
	`sort fruit`, `sort -r fruit`, `sort -u fruit`, `sort -n numbers`, `sort -rn numbers`, `sort -f fruit`, `sort -t: -k3 -n table`, `sort -t: -k3n table`, `sort -k2 -n fruit`, `sort -k2,2n fruit`, `sort -t: -k1,1r table`, `sort -o out fruit && cat out`, `sort -c numbers`, `sort -c empty`, `sort -V versions`, `sort -h sizes`, `sort noend fruit`, `sort -fu fruit`, `sort -s -k2 fruit`, `sort -t: -k2,2 -k3,3nr table`, `sort -b spaces`, `sort nofile`, `sort -nu numbers`, `sort -t: -k3.2 table`, `sort < fruit | uniq -c`,
	`base64 fruit`, `base64 -w 20 fruit`, `base64 -w0 fruit; echo`, `base64 --wrap=1 noend`, `base64 -w 8 noend`, `base64 -w 7 < noend`, `echo hello | base64`, `base64 empty`, `base64 -w 99999999999999999999 noend`, `base64 -w x fruit; echo $?`, `base64 -w -1 fruit; echo $?`, `base64 nofile; echo $?`, `base64 src; echo $?`, `base64 fruit numbers; echo $?`, `seq 9999 | base64 -w 0 | base64 --decode | tail -n 1`, `head -c 70000 /dev/zero | base64 | base64 -d | wc -c`, `seq 40 | base64`,
	`echo aGVsbG8K | base64 -d`, `base64 fruit > f; base64 -d f`, `printf YWI= | base64 -d`, `printf 'YQ=\n=' | base64 -d`, `printf 'YW\n\nI=\n' | base64 -d -`, `printf YQ==YWI=YWJj | base64 -d`, `printf 'Y W*J-j\r\n' | base64 -di`, `printf 'YWJ\r\njYWJj' | base64 -d; echo $?`, `printf 'YW*x' | base64 -d; echo $?`, `printf ==== | base64 -d; echo $?`, `printf 'YWJjYQ==!!' | base64 -d; echo $?`, `printf YWJj= | base64 -d; echo $?`, `printf YWJjY | base64 -d; echo $?`, `printf '' | base64 -d`, `printf 'YQ=a' | base64 -d; echo $?`, `printf '====' | base64 -di; echo $?`, `printf 'YWJj\rYWJj\rYWJj\rYWJj\r' | base64 -d; echo $?`,
	`paste fruit numbers`, `paste fruit`, `paste noend fruit empty`, `paste empty empty`, `paste fruit noend - < numbers`, `paste - - < fruit`, `paste - - - < fruit`, `cat fruit | paste - numbers -`, `paste < noend`, `paste -d , fruit numbers`, `paste -d ',;' fruit numbers noend fruit`, `paste -d '\n' fruit numbers`, `paste -d ',\0\t\\' fruit fruit fruit fruit fruit`, `paste -d '' fruit numbers`, `paste -d '\q' noend numbers`, `paste -d 'a\' noend; echo $?`, `paste --delimiters=: --serial fruit noend`, `paste -s fruit numbers empty noend`, `paste -sd, fruit`, `paste -sd '\n,' fruit`, `paste -s -d + - numbers - < noend`, `paste -s empty`, `paste -s fruit nofile noend src; echo $?`, `paste fruit nofile; echo $?`, `paste noend src numbers; echo $?`, `printf 'a\0b\0' | paste -z - noend | tr '\0' 0`, `printf 'a\0b\0c' | paste -sz | tr '\0' 0`, `seq 5 | paste -sd+`, `paste -d ab numbers noend empty fruit`,
	`expr 1 + 2`, `expr 7 - 10`, `expr 3 '*' 4`, `expr -7 / 2`, `expr -7 % 2`, `expr 7 % -2`, `expr 1 - 2 - 3`, `expr 2 + 3 '*' 4`, `expr '(' 2 + 3 ')' '*' 4`, `expr 99999999999999999999999 '*' 99999999999999999999`, `expr -- 1 + 2`, `expr -- -5`, `expr 1 - 1`, `expr 1 / 0`, `expr 1 % 0`, `expr a + 1`, `expr +5 + 1`, `expr '' + 1`, `expr - + 1`, `expr 1.5 + 1`,
	`expr 10 '<' 9`, `expr a '<' b`, `expr 10 '<' 9a`, `expr 1 = 01`, `expr -0 = 0`, `expr 1 == 1`, `expr a != b`, `expr 2 '>=' 2`, `expr 2 '<=' 1`, `expr 3 '>' 2 '>' 1`, `expr '' = ''`, `expr abc = abd`, `expr 1 = 1 = 1`,
	`expr 0 '|' 5`, `expr '' '|' ''`, `expr a '|' b`, `expr 00 '|' -0`, `expr a '&' b`, `expr a '&' ''`, `expr 0 '&' 1`, `expr 1 '|' 1 / 0`, `expr 0 '&' a + 1`, `expr 1 '|' '(' 1 / 0 ')' '|' 2`, `expr 0 '|' 1 / 0`, `expr 1 '|' a : '\('`, `expr 1 '|' '(' 2`, `expr 0 '&' match a '\(' '|' 5`, `expr 1 '|' 2 '&' 0`,
	`expr 5`, `expr 0`, `expr 00`, `expr -0`, `expr -`, `expr ''`, `expr -- --`, `expr --foo`, `expr`, `expr --`, `expr 1 +`, `expr 1 2`, `expr 1 +1`, `expr '(' 1`, `expr '(' 1 2 ')'`, `expr ')'`, `expr '('`, `expr '(' ')'`, `expr '(' '' ')'`,
	`expr abc : 'a.'`, `expr abc : b`, `expr abc : 'a\(.*\)'`, `expr abc : 'x\(.\)'`, `expr abc : '^ab'`, `expr abc : '\^ab'`, `expr 'a^b' : 'a^b'`, `expr '*b' : '*b'`, `expr a+b : 'a+b'`, `expr aab : 'a\+b'`, `expr abc : 'x\|\(b\)'`, `expr abc : 'x\|a\(b\)\|\(a\)'`, `expr abcabc : '\(abc\)*'`, `expr ac : 'a\(b\)*c'`, `expr aaa : 'a\{2\}'`, `expr aaa : 'a\{,2\}'`, `expr abc : ''`, `expr '' : ''`, `expr "$(printf 'a\nb')" : 'a$'`, `expr "$(printf 'a\nb')" : 'a.b'`, `expr foo/bar.txt : '.*/\(.*\)\.txt'`, `expr 123 : '[0-9]*$'`, `expr 12x : '[[:digit:]]*$'`, `expr abc : abc : 3`, `expr abc : 'a\(' `, `expr abc : '[[:foo:]]'`, `expr abc : 'a\{2,1\}'`, `expr abc : '\)'`, `expr ab : 'a\|ab'`, `expr "$(printf 'a\311')" : '.*'`,
	`expr length abc`, `expr length ''`, `expr length + length`, `expr length`, `expr length é`, `expr + match`, `expr +`, `expr match abc 'a\(.\)'`, `expr match abc 'ab'`, `expr index abc cb`, `expr index abc ''`, `expr index abc x`, `expr substr abcdef 2 3`, `expr substr abc 2 99999999999999999999999`, `expr substr abc 0 2`, `expr substr abc -1 2`, `expr substr abc x 1`, `expr substr abc 4 1`, `expr substr abc 3 1`, `expr substr abc +1 2`, `expr substr abc 2`, `expr length abc + 1`, `expr substr abcdef 1 length abc`, `expr length substr abcdef 2 4`,
	`i=0; while [ $(expr $i '<' 3) = 1 ]; do i=$(expr $i + 1); done; echo $i`,
	`t=$(mktemp -p .); stat -c '%a %s %F' $t; echo ${#t}; echo x > $t; cat $t`, `d=$(mktemp -d -p src); stat -c '%a %F' $d; echo ${#d}; ls $d`, `export TMPDIR=src; t=$(mktemp); ls src/tmp.* | wc -l; echo ${t%.*} ${#t}; mktemp -t abXXXX.c | sed 's/ab..../x/'; mktemp --tmpdir abXXXX | sed 's/ab..../x/'; mktemp --tmpdir=. abXXXX | sed 's/ab..../x/'; mktemp -p . abXXXX | sed 's/ab..../x/'; mktemp -t -p . abXXXX | sed 's/ab..../x/'; mktemp -p '' abXXXX | sed 's/ab..../x/'`, `TMPDIR=src/ mktemp | sed 's/p\..*/x/'`, `mktemp -t -p src abXXX | sed 's/ab.../x/'`, `mktemp --suffix=.c fXXX | sed 's/f.../x/'; ls f*.c | wc -l`, `mktemp fXXXgXXXX | sed 's/XXXg..../x/'`, `mktemp fXXXX.tar.gz | sed 's/f..../x/'`, `umask 277; stat -c %a $(mktemp fXXX) $(mktemp -d fXXX)`, `umask 777; stat -c %a $(mktemp fXXX)`,
	`mktemp -u src/XXXX | cut -c1-4; ls src`, `mktemp -u nodir/XXXX | cut -c1-6`, `mktemp -du src/XXXX | cut -c1-4; ls src`, `a=$(mktemp -u XXXXXX); b=$(mktemp -u XXXXXX); [ $a = $b ] || echo differ`, `mktemp --directory --dry-run -q XXXX | wc -c`,
	`sort fruit | uniq`, `sort fruit | uniq -c`, `sort fruit | uniq -d`, `sort fruit | uniq -u`, `sort fruit | uniq -ci`, `uniq fruit`, `uniq -f1 fruit`, `uniq -s2 fruit`, `uniq -w1 fruit`, `sort fruit | uniq -c | sort -rn`,
	`cut -d: -f1 table`, `cut -d: -f1,3 table`, `cut -d: -f2- table`, `cut -d: -f-2 table`, `cut -c1-3 fruit`, `cut -c 2 fruit`, `cut -d' ' -f2 fruit`, `cut -d' ' -s -f2 fruit`, `cut -b1,3 fruit`, `cut -f1 fruit`, `cut -d: -f1 --output-delimiter=- table`, `cut -d: -f1,3 --output-delimiter=- table`, `cut --complement -d: -f1 table`, `cut -d: table`, `cut -f0 table`, `cut -d: -f3,1 table`,
	`tr a-z A-Z < fruit`, `tr -d a < fruit`, `tr -s '\n' < fruit`, `tr -cd 'a-z\n' < fruit`, `tr '[:lower:]' '[:upper:]' < fruit`, `tr ' ' '\n' < spaces`, `tr -d '[:space:]' < fruit`, `tr abc xy < fruit`, `tr -s a-z x < fruit`, `tr '\t' ' ' < spaces`, `tr a < fruit`, `tr -c 'a-z\n' _ < fruit`, `tr -ds a n < fruit`,
	`tac fruit`, `rev fruit`, `nl fruit`, `tac noend`, `rev noend`, `tac empty`, `rev spaces`,
	`grep -A1 a fruit numbers noend`, `grep -nC1 '[0-9]' fruit numbers`, `grep -A0 a fruit`, `grep -m1 -A2 a fruit`, `grep -vn -B2 a fruit`,
	`sort -t: -k2.1,3 table`, `sort -k2 spaces fruit`, `sort fruit noend numbers`, `sort -z fruit`, `sort -u -k1,1 fruit`, `sort -o fruit fruit; cat fruit`,
	`uniq -c noend`, `uniq empty`, `cut -d: -f1-9 table`, `cut -d: -f7-,1 table`, `cut -d: -f1-2,2-3 --output-delimiter=// table`,
	`diff noend fruit > d; wc -l < d`, `printf 'a\nb' > x; printf 'a\nb\n' > y; diff x y`, `printf 'a\nb\nc\n' > x; printf 'c\n' > y; diff x y; diff y x`,
	`tr -s a-z < fruit | tr -d '\n'`, `yes aab | head -n 30000 | tr -s a | wc -c`, `yes ab | head -n 30000 | tr -d '\n' | tr -s ab x`,
	`head -c 70000 /dev/zero | tr '\0' x | xargs -I{} echo {}{}; echo $?`, `echo "a b 'c" | xargs -n1 2>/dev/null; echo $?`, `printf 'a\n\n b \n' | xargs -I{} echo '<{}>'`, `printf 'a,,b,' | xargs -d, -n1 echo x`,
	`seq -f '%5.1f|' 2`, `seq -f '%%%g%%' 2`, `seq -f %s 2`, `seq -f %g%g 2`, `seq -f x 2`, `seq -f %05e 2`,
	`tee out < fruit; cat out`, `echo a | tee -a out out2 > /dev/null; cat out out2`,
	`basename a/b/c.txt`, `basename a/b/c.txt .txt`, `basename /`, `basename a/`, `basename -a x/y z/w`, `basename -s .c a.c b.c`, `basename ""`, `basename .txt .txt`, `basename`,
	`dirname a/b/c`, `dirname a`, `dirname /a`, `dirname /`, `dirname a//b//`, `dirname a/b c/d`, `dirname ""`,
	`mkdir d; ls`, `mkdir -p d/e/f; find d`, `mkdir src; echo $?`, `mkdir a/b/c; echo $?`, `mkdir -p src; echo $?`, `mkdir -p fruit/x; echo $?`, `mkdir; echo $?`, `mkdir -m 700 m; stat -c %a m`, `mkdir -m 000 m; stat -c %a m`, `mkdir -p -m 000 m/n/o; stat -c %a m m/n m/n/o`, `umask 777; mkdir m; stat -c %a m`, `umask 077; mkdir -p m/n; stat -c %a m m/n`, `mkdir -m 1777 m; stat -c '%a %A' m`, `mkdir -m g+s m; stat -c %a m`, `mkdir -m a=x m; stat -c %a m`,
	`touch f; chmod 4755 f; stat -c '%a %A' f; ls -l f | cut -c1-10`, `touch f; chmod 6755 f; chmod 755 f; stat -c %a f`, `mkdir d; chmod 2755 d; chmod 755 d; stat -c %a d; chmod 00755 d; stat -c %a d; chmod 1777 d; stat -c '%a %A' d`, `touch f; chmod u+s,g+s f; stat -c %a f; chmod u-s f; stat -c %a f; chmod g=r f; stat -c %a f`, `mkdir d; chmod +t d; stat -c %a d; chmod g+s d; chmod g=rx d; stat -c %a d`, `umask 077; touch f; chmod +rx f; stat -c %a f; chmod =rw f; stat -c %a f`, `touch f; chmod 7777777 f; echo $?`, `touch f; chmod u+q f; echo $?`,
	`chmod 000 fruit; cp fruit copy; stat -c %a copy`, `chmod 666 fruit; umask 027; cp fruit copy; cp -p fruit kept; stat -c %a copy kept`, `chmod 4711 fruit; cp fruit copy; cp -p fruit kept; stat -c %a copy kept`, `chmod 700 src; cp -r src dst; stat -c %a dst`,
	`umask 777; touch new; echo a | tee new2; stat -c %a new new2`,
	`sort -k -5 fruit; echo $?`, `sort -k1.-3 fruit; echo $?`, `sort -k2.9223372036854775807 fruit`, `find . -perm 4755; chmod 4755 fruit; find . -perm 4755; find . -perm -4000; find . -perm /7000`,
	`uniq -w -5 fruit; echo $?`, `uniq -s -1 fruit; echo $?`, `uniq -f -1 fruit; echo $?`, `uniq -f 100000000000 fruit`, `uniq -w 0 fruit`,
	`mkdir -p a/b; ln -s a/b l; realpath l/.. l/new l nofile nodir/x; realpath -e l nofile; ln -s nothing n; realpath n; readlink -f n; ln -s loop loop; realpath loop; echo $?`, `ln -s src l; touch l/../new; ls`, `ln -s nowhere/x dangling; touch dangling; echo $?; ln -s made dang; touch dang; ls`,
	`stat -c %s src; ls -ld src | awk '{print $5}'`,
	`rm fruit; ls`, `rm src; echo $?`, `rm -r src; ls`, `rm -f nofile; echo $?`, `rm nofile; echo $?`, `rm -rf src nofile; ls`, `rm -d src; echo $?`, `mkdir d; rm -d d; echo $?; ls`, `rm -- fruit; ls`, `rm`, `rm -f`, `ln -s src link; rm link; ls`, `rm -rf .; echo $?`, `rm -v empty`,
	`rmdir src; echo $?`, `mkdir -p d/e; rmdir d/e; find d`, `mkdir -p d/e; rmdir -p d/e; ls`, `rmdir fruit; echo $?`,
	`touch new; ls; wc -c new`, `touch -c none; ls`, `touch nodir/x; echo $?`, `touch -d 2020-01-02 fruit; stat -c %Y fruit`, `touch`, `touch fruit; cat fruit`, `touch -d @1000 a b; stat -c '%n %Y' a b`,
	`cp fruit copy; cat copy`, `cp -r src dst; find dst | sort`, `cp src dst; echo $?; ls`, `cp fruit numbers src; ls src`, `cp -a src dst; ls dst`, `cp fruit nodir/x; echo $?`, `cp nofile x; echo $?`, `cp fruit fruit; echo $?`, `cp fruit numbers x; echo $?`, `cp -r src src/lib; echo $?`, `mkdir d; cp -r src d; find d | sort`, `cp -n fruit numbers; cat numbers`, `ln -s fruit l; cp l c; ls -l c | cut -c1`, `ln -s fruit l; cp -P l c; readlink c`, `cp -v fruit c`, `cp fruit`, `cp -r src/ d; ls d`, `cp -r src/. d; ls d`, `mkdir d; cp -t d fruit numbers; ls d`, `cp fruit d/; echo $?`,
	`mv fruit f2; ls; cat f2`, `mv fruit src; ls src`, `mv src dst; ls dst`, `mv nofile x; echo $?`, `mv src src/lib; echo $?`, `mv fruit numbers; cat numbers`, `mkdir d; mv fruit numbers d/; ls d`, `mv src fruit; echo $?`, `mv -n fruit numbers; ls`, `mv fruit fruit; echo $?`, `mkdir -p d/src; mv src d; echo $?`,
	`ln -s fruit l; cat l; readlink l`, `ln fruit h; echo more >> h; tail -1 fruit`, `ln -s src s; ls s`, `ln -s nothing n; cat n; echo $?`, `ln -sf numbers fruit; readlink fruit`, `ln fruit numbers; echo $?`, `ln -s ../fruit src/l; cat src/l`, `ln -sfn src s; ln -sfn other s; readlink s`,
	`ls`, `ls -1 src`, `ls src fruit`, `ls -a | cat`, `ls -A`, `ls -d src`, `ls -F`, `ls -p`, `ls nofile; echo $?`, `ls -R src`, `ls -r`, `ls *.c; echo $?`, `ls src/*.c`, `touch .hidden; ls -A`, `touch .hidden; ls -a`, `ls fruit nofile src; echo $?`,
	`chmod +x fruit; ls -l fruit | cut -c1-10`, `chmod 600 fruit; stat -c %a fruit`, `chmod u=rwx,go=r fruit; stat -c %a fruit`, `chmod -R 700 src; stat -c %a src/lib/a.py`, `chmod a-r fruit; stat -c %a fruit`, `chmod xyz fruit; echo $?`, `chmod 600 nofile; echo $?`, `chmod -x src/foo.c; stat -c %A src/foo.c`, `chmod +w fruit; stat -c %A fruit`,
	`stat -c '%n %s %F' fruit empty`, `stat -c %h fruit`, `stat nofile; echo $?`,
	`find . | sort`, `find src -name '*.c' | sort`, `find . -type d | sort`, `find . -type f -name 'f*' | sort`, `find . -maxdepth 1 | sort`, `find . -mindepth 2 -type f | sort`, `find src -path '*lib*' | sort`, `find . -name '*.c' -o -name '*.h' | sort`, `find . ! -name '*.c' -type f | sort`, `find . -empty`, `find . -iname 'FOO*' | sort`, `find nofile; echo $?`, `find . -name '*.c' -exec grep -l foo {} \; | sort`, `find . -name '*.c' -exec echo {} + | tr ' ' '\n' | sort`, `find . -name '*.py' -delete; find . -name '*.py'`, `find . \( -name '*.c' -o -name '*.h' \) -print | sort`, `find . -name lib -prune -o -type f -print | sort`, `find . -size +10c -name 'n*' | sort`, `find src -type f -print0 | sort -z | xargs -0 wc -l`, `find . -name 'with*' -print0 | xargs -0 cat`, `find -name fruit`, `find . -type q; echo x`, `find . -foo; echo $?`, `find src -printf '%f\n' | sort`, `find . -name '[fn]*' -type f | sort`, `find src fruit -type f | sort`, `find src/ -name '*.h'`, `find . -perm 644 -name fruit`, `find . -type l`,
	`echo a b c | xargs`, `echo a b c | xargs -n1`, `echo a b c | xargs echo x`, `printf 'a\nb c\n' | xargs -I{} echo '<{}>'`, `printf 'a b\0c\0' | xargs -0 -n1 echo`, `echo | xargs echo none`, `printf '' | xargs -r echo none`, `echo "'a b' c" | xargs -n1`, `ls src | xargs -n 2 echo`, `echo x | xargs false; echo $?`, `echo x | xargs nosuchcommand; echo $?`, `echo fruit numbers | xargs wc -l`, `printf 'a,b' | xargs -d, -n1`, `echo a | xargs sh -c 'exit 255'; echo $?`, `find src -name '*.c' | xargs grep -n foo | sort`,
	`seq 3`, `seq 2 4`, `seq 1 2 7`, `seq 3 -1 1`, `seq -w 8 10`, `seq -s, 3`, `seq 0.5 0.5 2`, `seq 5 1`, `seq`, `seq x`, `seq 1 0.1 1.3`, `seq -f '%03g' 3`, `seq 1000000 1000001`,
	`readlink fruit; echo $?`, `true; echo $?`, `false; echo $?`,
	`printf '%s\n' a b c`, `printf '%d %5d|%-5d|%05d\n' 1 2 3 4`, `printf '%x %o %X\n' 255 8 255`, `printf '%.2f\n' 3.14159`, `printf 'no newline'`, `printf '%s %s\n' a`, `printf '\x41\101\n'`, `printf '%b\n' 'a\tb'`, `printf '%c%c\n' abc de`, `printf '%%\n'`, `printf '%5.1f|%-8s|%.2s\n' 2.25 ab xyz`, `printf '%d\n' abc; echo $?`, `printf '%d\n' 0x1f 010 "'a"`, `printf '%*d\n' 5 42`, `printf '%e %g\n' 12345.678 0.0001`, `printf '%i\n' -5`, `printf '%u\n' 5`, `printf '%s'`, `printf '%+d % d\n' 5 5`, `printf '%#x %#o\n' 255 8`, `printf '%q\n' 'a b'`, `printf '%s\n' "$(printf 'a\nb')"`, `printf '%z\n'; echo $?`, `printf 'a\cb'; echo x`, `printf '%b' 'a\cb' c; echo x`,
	`diff fruit fruit; echo $?`, `diff -q fruit numbers; echo $?`, `diff fruit nofile; echo $?`, `cp fruit f2; echo extra >> f2; diff fruit f2; echo $?`, `printf 'a\nb\nc\n' > x; printf 'a\nB\nc\nd\n' > y; diff x y; echo $?`, `printf 'a\nb\nc\n' > x; printf 'b\nc\n' > y; diff x y`, `printf 'a' > x; printf 'b' > y; diff x y`, `printf 'a\nb\nc\n' > x; printf 'a\nc\n' > y; diff -u x y | tail -n +3`, `cp -r src s2; diff -r src s2; echo $?`, `cp -r src s2; rm s2/foo.h; echo x >> s2/foo.c; diff -rq src s2; echo $?`, `cmp fruit fruit; echo $?`, `cmp -s fruit numbers; echo $?`, `cmp fruit numbers`,
	`date -u -d @0 +%Y-%m-%dT%H:%M:%S`, `date -u -d '2024-02-29 12:34:56' '+%a %b %e %j %y %s'`, `date -u -d @86399 +%T`, `date -u -d '2024-01-01' +%F`, `date -u -d @1700000000`, `date -u -d @1700000000 -Iseconds`, `date -d nonsense 2>/dev/null; echo $?`, `date -u -d @1700000000 -R`, `date -u -d @5 '+%-S %-d %u %w'`,
	`printenv NOSUCH; echo $?`, `FOO=bar printenv FOO`, `env FOO=bar printenv FOO`, `env -i printenv`, `env -u HOME printenv HOME; echo $?`,
	`which nosuchcommand; echo $?`, `realpath .. > /dev/null; echo $?`, `ln -s src s; cd s && pwd -P | sed 's/.*/x/' > /dev/null; basename "$(pwd)"; basename "$(pwd -P)"`, `cd src/lib && basename "$(realpath ..)"`, `readlink -f nofile | xargs basename`, `ln -s src/main.c m; basename $(readlink -f m)`, `realpath -e nofile 2>/dev/null; echo $?`,
	`timeout 5 echo hi`, `timeout 5 sh -c 'exit 3'; echo $?`, `nohup echo hi 2>/dev/null`,
}

func TestUtilitiesPrintWhatThoseOfTheMachineDo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the utilities of this system aren't those of GNU")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, script := range scripts {
		t.Run(script, func(t *testing.T) {
			want, wantCode := machine(t, bash, script)
			got, gotCode := ours(t, script)
			if got != want || gotCode != wantCode {
				t.Errorf("got %d:\n%q\nwant %d:\n%q", gotCode, got, wantCode, want)
			}
		})
	}
}

// missing are the utilities that the machine doesn't have.
var missing = sync.OnceValue(func() (names []string) {
	for name := range builtin.Tools() {
		if _, err := exec.LookPath(name); err != nil {
			names = append(names, name)
		}
	}
	return names
})

func machine(t *testing.T, bash, script string) (string, int) {
	t.Helper()
	for _, name := range missing() {
		if slices.Contains(strings.Fields(script), name) {
			t.Skip("the machine has no " + name)
		}
	}
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), bash, "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TZ=UTC"}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(out), dir, "/workspace"), cmd.ProcessState.ExitCode()
}

func newTree(t testing.TB) *workspace.Tree {
	t.Helper()
	tree := workspace.New(workspace.Config{Now: 1_700_000_000_000_000_000})
	for name, content := range files {
		if err := errors.Join(tree.MkdirAll(filepath.Dir(name), 0), tree.WriteFile(name, []byte(content), 0)); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

func ours(t *testing.T, script string) (string, int) {
	s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
	var out, errs bytes.Buffer
	code, err := s.Run(t.Context(), shell.Process{Args: []string{"bash", "-c", script}, Stdout: &out, Stderr: &errs})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(errs.String())
	return out.String(), code
}
