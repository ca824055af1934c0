package builtin_test

import (
	"os/exec"
	"runtime"
	"testing"
)

// optionScripts are for options that are easily taken without a word and done nothing with:
// what is printed of errors has to be the same, too.
var optionScripts = []string{
	`cd src; ls -go foo.? | sed 's/[A-Z][a-z][a-z] .*:.. //'`,
	`for n in 0 100 1023 1024 1025 10137 10138 10240 10241 102400 1047552 1047553 1048570 5555555; do head -c $n /dev/zero > f; ls -lh f | awk '{print $5}'; done; `,
	`wc -lw < fruit`, `wc < fruit`, `cat fruit | wc -lw`, `wc -lw - fruit < numbers`, `cat fruit | wc -l numbers -`, `wc fruit src 2>/dev/null`, `wc < /dev/null`, `sh -c 'wc -lw' < fruit`, `wc -l < fruit`,
	`find . -foo`, `find . -name`,
	`sort -c fruit`, `sort -c - < fruit`, `sort -c < fruit`, `sort -C fruit; echo $?`, `sort -c fruit numbers`,
	`grep -L apple fruit; echo $?`, `grep -L nothing fruit; echo $?`, `grep -L apple fruit numbers; echo $?`, `grep -l nothing fruit; echo $?`, `grep -Lq nothing fruit; echo $?`,
	`printf 'a\nb\0c\0' > z; for p in '^b' a.b . c '[^q]b' 'a$'; do grep -z "$p" z | tr '\0' 0; grep -zc "$p" z; done; grep -zn c z | tr '\0' 0; grep -zo b z | tr '\0' 0; grep -zxE 'a.b' z | tr '\0' 0; grep -zv c z | tr '\0' 0; grep -zl a z`, `printf 'a\0x\0y\0x\0a\0' | grep -zn -C1 a | tr '\0' 0`,
	`grep -lZ apple fruit | tr '\0' 0`, `grep -nZ apple fruit numbers | tr '\0' 0`, `grep -cZ apple fruit numbers | tr '\0' 0`, `grep --color=auto -n apple fruit`, `grep --color=never apple fruit`, `grep --color -n apple fruit`, `grep apple --colour fruit`, `echo x--colory | grep -e --color`, `grep -- --color fruit; echo $?`,
	`mktemp nodir/xXXX`, `mktemp -d nodir/xXXX.c`, `mktemp xX`, `mktemp XX`, `mktemp ''`, `mktemp -t a/XXX`, `mktemp -p src /a/XXX`, `mktemp --suffix=.c aXXXb`, `mktemp --suffix= a`, `mktemp --suffix=/c aXXX`, `mktemp aXXX/b`, `mktemp a/b`, `mktemp -u fruit/XXXX`, `mktemp -d fruit/XXXX`, `mktemp -q -d fruit/XXXX; echo $?`, `mktemp -q nodir/xXXX; echo $?`, `mktemp -q x`, `mktemp --tmpdir=nodir q/XXX`, `mktemp -p nodir`, `TMPDIR=nodir mktemp`,
	`printf 'YWJj*' | base64 -d`, `base64 -w x`, `base64 nofile`, `base64 -d nofile`, `paste fruit nofile`, `paste -d 'a\' fruit`,
	`expr 1 +`, `expr 1 2`, `expr '(' 1`, `expr '(' 1 2 ')'`, `expr ')'`, `expr a + 1`, `expr 1 / 0`, `expr length`, `expr substr abc 2`, `expr abc : 'a\('`, `expr abc : '\)'`, `expr abc : 'a\{2,1\}'`,
	`mkdir -v d d/e`, `mkdir d; cd d; rmdir ../d; mkdir -pv x 2>/dev/null; echo $?`, `mkdir -pv d/e/f src/x/y src`, `mkdir -p d/e; rmdir -v d/e; rmdir -pv d; rmdir -v src`, `mkdir -p d/e/f; rmdir -pv d/e/f`,
	`mv -v fruit f2`, `mv -v fruit numbers src`, `mv -vn fruit numbers`, `mv -v src dst`, `mv -v nofile x`,
	`mkdir d; touch d/x; cp -rv d e; cp -rv d e; cp -v fruit d`, `cp -v fruit numbers src`,
	`mkdir d; touch d/x; rm -rv d`, `mkdir d; rm -dv d`, `rm -rv src/lib/ fruit`, `ln -v fruit l; ln -sv fruit s; ln -sfv numbers s; mkdir d; ln -sv ../fruit d`,
	`echo a b | xargs -t -n1 echo x`, `echo a | xargs -t sh -c 'echo "$0 c"'`, `printf '' | xargs -rt echo`,
	`echo y | rm -i fruit; ls fruit`, `echo n | rm -i fruit; echo $?; ls fruit`, `rm -i empty < /dev/null; ls empty`, `echo n | rm -fi fruit; ls fruit`, `echo n | rm -if fruit; ls fruit`, `printf 'y\nn\n' | rm -i fruit nofile numbers; ls`, `mkdir d; touch d/x; yes | rm -ri d; ls d`, `mkdir d; touch d/x; echo y | rm -ri d; find d`, `mkdir d; rm -ri d < /dev/null`, `ln -s fruit l; yes Y | rm -i l; ls`,
	`echo n | rm -I fruit numbers empty noend; ls`, `echo y | rm -I fruit numbers empty noend; ls`, `rm -I fruit; ls`, `echo n | rm -rI src; ls`, `rm -I src fruit; echo $?`,
	`echo n | mv -i fruit numbers; echo $?; ls`, `echo y | mv -iv fruit numbers; ls`, `mv -if fruit numbers; ls`, `echo y | mv -in fruit numbers; ls`, `touch -d 2020-01-01 fruit; mv -uv fruit numbers; ls fruit; mv -uv numbers fruit`,
	`mkdir -p a d/a; touch -d 2020-01-01 a; mv -uv a d; find a d | sort`, `echo n | cp -i fruit numbers; head -n 1 numbers`, `echo y | cp -iv fruit numbers; head -n 1 numbers`, `touch -d 2020-01-01 fruit; cp -uv fruit numbers; cp -uv numbers fruit`,
	`id nosuch`, `id root nosuch`, `id -un root`, `id -g root`, `id -n`, `id -ug`, `id -u nosuch; echo $?`,
	`chown nosuch fruit`, `chown root:nosuch fruit`, `chown :nosuch fruit`, `chgrp nosuch fruit`, `chown -R nosuch nofile`, `chown nosuch:nogroup2 fruit`, `chown 5x fruit`,
	`touch -d @5 f; touch -a f; stat -c %Y f; touch -m -d @6 f; stat -c %Y f; touch -a -d @9 f; stat -c '%X %Y' f`, `basename -z a/b | tr '\0' x`, `realpath -z fruit src | tr '\0' x`,
	`nl -s : fruit`, `nl -w 3 fruit`, `nl -w1 -s '' fruit`, `nl -ba -w 2 -s ': ' fruit`, `nl -bn noend`, `nl -w x fruit`,
	`cmp -l fruit numbers 2>/dev/null; echo $?`, `cmp -l noend fruit 2>/dev/null`, `cmp -l empty fruit`, `cmp empty fruit`, `cmp -l fruit fruit; echo $?`, `head -n 1 fruit > f; cmp f fruit; printf ba > f; cmp f fruit`,
	`for d in 2023-01-01 2023-01-02 2024-02-29 2024-12-31 2027-01-03; do date -u -d $d '+%U %W %V %G %g %C %q'; done`, `date -u -d 2024-01-01 '+%k|%l|%P'; date -u -d '2024-01-01 13:04' '+%k|%l|%P'`,
	`touch -am -d @7 f; stat -c '%X %Y' f; touch -m -a -d @8 f; stat -c '%X %Y' f`, `ln -s src l; rm -rf l/; ls -d l; ls src; rm -r l/; echo $?; rm l/; rm l; ls -d l src`, `rm -rf ..`, `rm -f ''; echo $?; rm ''`, `rm -rf src/lib/..; ls`,
	`chown -f nosuch fruit`, `chown -f root:nosuch fruit`, `chown --silent root nofile; echo $?`, `chmod --quiet 600 nofile; echo $?`, `chmod -f 600 nofile fruit; echo $?; stat -c %a fruit`,
	`chmod +x -R src; stat -c %a src/foo.c`, `chmod 600 -- fruit; stat -c %a fruit`, `chmod -- -r fruit; stat -c %a fruit`, `chmod -f -x fruit; echo $?`,
	`stat -c '%u %g %U %G' fruit`, `ln -s fruit l; find l src -maxdepth 0 -printf '%y %U %G %u %g %m\n'; find fruit -printf '%y %s\n'`, `find src ./src/ fruit -printf '%H %P %d\n' | sort; find src fruit -printf '%h\n' | sort`, `ln -s fruit l; find l fruit -printf '%p %l %M\n'; touch -d '2024-02-03 04:05:06.7' fruit; find fruit -printf '%T@ %TY-%Tm-%Td %TH:%TM\t%%\n'`, `find . -exec`, `find . -exec \;`,
	`for s in EXIT WINCH PIPE SIGSEGV 31 34; do timeout -s $s 5 true || echo $s; done`, `timeout -v -s 9 5 true; timeout -k 1s 5 echo hi`,
	`timeout -s FOO 1 true 2>/dev/null; echo $?`, `timeout -s KILL 5 echo hi`, `timeout -s SIGTERM 5 echo hi`, `timeout -s 9 5 sh -c 'exit 3'; echo $?`,
}

func TestOptionsDoWhatThoseOfTheMachineDo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the utilities of this system aren't those of GNU")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, script := range optionScripts {
		t.Run(script, func(t *testing.T) {
			script := "exec 2>&1\n" + script
			want, wantCode := machine(t, bash, script)
			got, gotCode := ours(t, script)
			if got != want || gotCode != wantCode {
				t.Errorf("got %d:\n%q\nwant %d:\n%q", gotCode, got, wantCode, want)
			}
		})
	}
}
