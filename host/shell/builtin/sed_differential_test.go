package builtin_test

import (
	"os/exec"
	"strings"
	"testing"
)

// sedScripts are run here and by the machine's own sed.
var sedScripts = []string{
	// Printing, deleting, and the end of the last line.
	`sed p fruit`, `sed -n p fruit`, `sed '' noend`, `sed p noend`, `sed '$d' noend`, `sed -n '$p' noend fruit`, `sed d fruit`,
	`sed -n '2p' fruit`, `sed '2d;4d' fruit`, `sed '' empty`, `sed '' noend fruit`, `sed -n '$=' fruit numbers`, `sed = noend`,
	`sed 5q fruit`, `sed q fruit`, `sed '2q7' fruit; echo $?`, `sed '2Q7' fruit; echo $?`, `sed -n '2{p;q}' fruit`, `sed < fruit 2d`,
	`cat fruit | sed 1d - numbers`, `sed --quiet 2p fruit`, `sed fruit`, `sed p nofile; echo $?`, `sed 1d nofile fruit; echo $?`, `sed p src; echo $?`,

	// Addresses.
	`sed -n '2,4p' fruit`, `sed -n '4,2p' fruit`, `sed -n '/apple/,/date/p' fruit`, `sed -n '/apple/p' fruit`, `sed '/^$/d' fruit`,
	`sed -n '0,/apple/p' fruit`, `sed -n '1,/apple/p' fruit`, `sed -n '0,/banana/p' fruit`, `sed -n '1,/banana/p' fruit`, `sed 0p fruit; echo $?`,
	`sed -n '2,+2p' fruit`, `sed -n '2,~3p' fruit`, `sed -n '3,~3p' fruit`, `sed -n '1~2p' fruit`, `sed -n '0~3p' fruit`, `sed -n '2~0p' fruit`, `sed -n '$!p' fruit`,
	`sed -n '/apple/!p' fruit`, `sed -n '2,4!p' fruit`, `sed -n '/BANANA/Ip' fruit`, `sed -n '\,ap,p' fruit`, `sed -n '\cap.*cp' fruit`, `sed -n '/e/,$p' fruit`,
	`sed -n '/apple/,2p' fruit`, `sed -n '2,/x/p' fruit`, `sed -n '/a/,/a/p' fruit`, `sed -n '/apple/,+1p' fruit`, `sed -n '/apple/,~4p' fruit`, `sed '2,3!d' fruit`,
	`sed -n '2{p}' fruit`, `sed -n '2,3{/apple/!p}' fruit`, `sed -n '/apple/{n;p}' fruit`, `sed -n '/a/{/p/{/l/p}}' fruit`, `sed -n '1,3{2,4p}' fruit`, `sed -n ' 2 , 3 p ' fruit`, `sed -n '2!{p}' fruit`,
	`sed -n '/a/,/e/{//!p}' fruit`, `sed '/apple/s//X/' fruit`, `sed //d fruit; echo $?`, `sed -n '2 p; 3p
4p' fruit`, `sed -n '[/]/p' table; echo $?`, `sed 's/[/]/x/' table`, `sed -n '/[/]/p' table`, `sed '2,4{2,4N;N;s/\n/+/g}' fruit`,

	// s.
	`sed s/a/X/ fruit`, `sed s/a/X/g fruit`, `sed s/a/X/2 fruit`, `sed s/a/X/2g fruit`, `sed -n s/apple/X/p fruit`, `sed 's/a/X/gp' fruit`, `sed s/A/X/I fruit`, `sed s/A/X/ig fruit`,
	`sed 's/\(a\)\(n\)/\2\1/g' fruit`, `sed -E 's/(a)(n)/\2\1/g' fruit`, `sed -r 's/a+/<&>/' fruit`, `sed 's/a/[&]/;s/e/\&/' fruit`, `sed 's|/|:|g' table`, `sed 's,a,\,,' fruit`, `sed 's/:/\n/g' table`, `sed 's/:/\
/' table`, `sed 's/a/\t|/' fruit`, `sed 's/x*/-/g' fruit`, `sed 's/n*/-/2' fruit`, `sed 's/$/;/' fruit`, `sed 's/^/# /' fruit`, `sed 's/^$/empty/' fruit`,
	`sed -E 's/(\w+) (\w+)/\2 \1/' fruit`, `sed 's/.*/\U&/' fruit`, `sed 's/\w\+/\u&/g' fruit`, `sed 's/.*/\u&x\LABC\Edef\UGhi/' fruit`, `sed -E 's/(.)(.*)/\u\1\U\2\E!/' fruit`, `sed 's/\(.\)\(.*\)/\l\1\u\2/' fruit`, `sed 's/a\(x\)*/[\1]/' fruit`,
	`sed 's/apple\|date/X/' fruit`, `sed -E 's/apple|date/X/' fruit`, `sed -E 's/a{2}|p{2}/X/' fruit`, `sed 's/p\{2\}/X/' fruit`, `sed 's/p\{1,\}/X/' fruit`, `sed -E 's/x{,1}/Y/' fruit`, `sed 's/[[:upper:]]/_/g' fruit`, `sed 's/[^a-z]/_/g' fruit`, `sed 's/[]a]/_/g' fruit`, `sed 's/\./_/g' numbers`, `sed 's/[.]/_/g' numbers`, `sed 's/*/x/' fruit`, `sed 's/\*/x/' fruit`, `sed -E 's/\(/x/' src/foo.c`, `sed 's/(/x/' src/foo.c`, `sed 's/\<f/F/g' src/foo.c`, `sed 's/\bfoo\b/bar/' src/foo.c`, `sed 's/o\>/0/g' src/foo.c`, `sed 's/\s\+/ /g' spaces`, `sed 's/[ \t]*$//' spaces`, `sed 's/\S/x/g' spaces`, `sed 's/\t/TAB/' spaces`, `sed -E 's/^[ \t]+//' spaces`,
	`sed 's/a/b/;s/b/c/' fruit`, `sed -e s/a/b/ -e s/b/c/ fruit`, `sed 's/a/\x41/' fruit`, `sed 's/\x61/X/' fruit`, `sed 's/a/\x26/' fruit`, `sed 's/\x2e/X/' numbers`, `sed 's/a/\o101\d066/' fruit`, `sed 's/a/\//' fruit`, `sed 's#/#\##g' table`, `sed 's|r\|s|X|' table`, `sed -E 's|r\|s|X|' table`, `sed 's/x/y/w out' fruit; cat out`, `sed -n 's/a/X/w out' fruit; cat out`, `sed -n 's/a/X/gpw out' fruit; cat out`,
	`sed 's/a' fruit; echo $?`, `sed 's/a/b' fruit; echo $?`, `sed 's/a/b/x' fruit; echo $?`, `sed 's/a/b/gg' fruit; echo $?`, `sed 's/a/b/pp' fruit; echo $?`, `sed 's/a/b/0' fruit; echo $?`, `sed 's/\(a/b/' fruit; echo $?`, `sed 's/a/\1/' fruit; echo $?`, `sed -E 's/(a/b/' fruit; echo $?`, `sed 's/[a/b/' fruit; echo $?`, `sed 's/a**/b/' fruit | wc -l`, `sed 's' fruit; echo $?`,
	`sed 'N;s/\n/,/' fruit`, `sed 'N;N;s/^/>/mg' fruit`, `sed 'N;s/$/</Mg' fruit`, `sed 'N;s/a.*$/<&>/' fruit`, `sed 'N;s/./x/g' fruit`, `sed 'N;s/[^a]/x/g' fruit`, `sed -z 's/\n/,/g' fruit`, `sed ':a;N;$!ba;s/\n/,/g' fruit`, `sed -E ':a;s/^([0-9]+)([0-9]{1})/\1,\2/;ta' numbers`, `sed 's/a/b/e' fruit 2>&1 | grep -c fruit`,

	// y.
	`sed y/abc/xyz/ fruit`, `sed 'y/a\/b/x\/y/' fruit`, `sed 'y,a\,,b;,' fruit`, `sed 'y/ /\n/' fruit`, `sed 'y/abc/x/' fruit; echo $?`, `sed 'y/a/b' fruit; echo $?`, `sed 'y/a\\/b\t/' fruit`, `sed 'y/abcdefghijklmnopqrstuvwxyz/ABCDEFGHIJKLMNOPQRSTUVWXYZ/' fruit`,

	// a, i and c.
	`sed '2a new' fruit`, `sed '2i new' fruit`, `sed '2c new' fruit`, `sed '2a\
  new\
line' fruit`, `sed '2i\
new' fruit`, `sed '2,4c\
new' fruit`, `sed '$a end' noend`, `sed '$i end' noend`, `sed '$c end' noend`, `sed 'a x' noend`, `sed '2a\  new' fruit`, `sed '2a\new' fruit`, `sed '2a\tnew' fruit`, `sed '2a a\tb' fruit`, `sed '/apple/a\
after' fruit`, `sed '2{a foo
}' fruit`, `sed -e '2a\' -e 'x' fruit`, `sed '2i\   \  x' fruit`, `sed '2a\\x' fruit`, `sed '2a x\
y' fruit`, `sed '2a foo\' fruit`, `sed '$a\' noend`, `sed '2a\' fruit`, `sed 'a' fruit; echo $?`, `sed '2!c x' fruit`, `sed '2,3!c x' fruit`, `sed '$!c x' fruit`, `sed '/a/c x' fruit`, `sed '2{a foo}' fruit; echo $?`, `sed '1i #!/bin/sh' fruit`, `sed '2a\
' fruit`, `sed -e '1{i before' -e '}' fruit`, `sed -s '$a ---' fruit numbers`, `sed '1{h;d};$G' fruit`, `sed 'a\
one\\two\ three' noend`,

	// The next line, the hold space, and jumps.
	`sed 'n;d' fruit`, `sed '$!N;P;D' fruit`, `sed 'N;P;D' fruit`, `sed '$!N;s/\n/-/' noend`, `sed N noend numbers`, `sed -n 'N;p' numbers`, `sed '1!G;h;$!d' fruit`, `sed -n '1!G;h;$p' noend`, `sed G fruit`, `sed G noend`, `sed x noend`, `sed -n 'x;p' fruit`, `sed -n 'H;${x;s/\n/,/g;p}' fruit`, `sed 'h;G' noend`, `sed 'x;G' fruit`, `sed 'g' noend`, `sed '$!{h;d};H;x' fruit`, `sed z fruit`, `sed -n '$!{n;p}' fruit`, `sed 'n;n;s/./x/' fruit`, `sed 'N;N;N;s/\n/+/g' fruit`, `sed '/^$/N;/\n$/D' fruit`, `sed -n 'n;p' noend`, `sed 'n;N;D' fruit`, `sed 'N;N;D' numbers`, `sed '2{N;D}' fruit`,
	`sed ':a;s/a/X/;ta' fruit`, `sed ':a
s/a/X/
t a' fruit`, `sed '/apple/b;s/^/x/' fruit`, `sed '/apple/b end;s/^/x/;:end' fruit`, `sed '/apple/{bend};s/^/x/;:end;s/$/y/' fruit`, `sed 's/a/X/;T;s/$/!/' fruit`, `sed 's/a/X/;t;s/$/!/' fruit`, `sed 's/a/X/;Tx;s/$/!/;:x' fruit`, `sed 's/a/X/;n;tx;s/^/-/;:x' fruit`, `sed 'b nolabel' fruit; echo $?`, `sed : fruit; echo $?`, `sed -e ':a' -e '$q;N;3,$D;ba' fruit`, `sed '$!N;$!D' fruit`, `sed -e :a -e '$q;N;11,$D;ba' fruit`, `sed -n '$!{h;d};x;G;p' fruit`, `sed 's/a/b/;ta;s/^/no /;:a' fruit`, `sed '1d;n;d' fruit`,

	// Files, and what else there is.
	`sed '2r numbers' fruit`, `sed 'r noend' fruit`, `sed '$r noend' noend`, `sed 'r nofile' fruit`, `sed '2r empty' noend`, `sed '/apple/w out' fruit; cat out`, `sed -n 'w out' noend; cat out noend`, `sed 'w /dev/stdout' fruit`, `sed 'R numbers' fruit`, `sed -n '2W out' fruit; cat out`, `sed 'N;W out
d' fruit; cat out`, `sed F fruit`, `sed -n F - < fruit`, `sed '0r numbers' fruit; echo $?`, `sed '1r numbers
a x' noend`, `sed '2r numbers' fruit -n`, `sed '/apple/{r noend
d}' fruit`, `cat numbers | sed '2r /dev/stdin' fruit`,
	`sed -n l fruit spaces`, `sed -n 'l 5' fruit`, `sed -n 'l 1' fruit`, `sed -l 6 -n l fruit`, `printf 'a\001\\\303\251\033\b' | sed -n l`, `sed --version | head -n 1`, `sed '#n' fruit`, `sed '#n
p' fruit`, `sed '#no
p' noend`, `sed '# comment
2d # another
3d' fruit`, `sed 'p;}' fruit; echo $?`, `sed '{p' fruit; echo $?`, `sed k fruit; echo $?`, `sed '1,p' fruit; echo $?`, `sed '1d p' fruit; echo $?`, `sed 'dp' fruit; echo $?`, `sed '2!!p' fruit; echo $?`, `sed 2 fruit; echo $?`, `sed '1,2q' fruit; echo $?`, `sed '1,2=' fruit`, `sed '/a' fruit; echo $?`, `sed -e; echo $?`, `sed; echo $?`, `sed '2{;;p;;};=' noend`, `sed -s -n '$p' fruit numbers`, `sed -n '$p' fruit numbers empty nofile`, `sed -s 1d fruit noend`, `sed -ns '2,3{F;p}' fruit numbers`, `sed -n '1,3p' fruit -- numbers`, `sed '1:x' fruit; echo $?`, `sed '1}' fruit; echo $?`,
	`sed --expression=2d --regexp-extended -e 's/(a)/<\1>/' fruit`, `printf 's/a/b/\n2d\n' > script; sed -f script fruit`, `printf '#!/bin/sed -nf\n2p\n' > script; sed -n -f script fruit`, `printf '2a\\\nnew' > script; sed -f script -e '3d' fruit`, `sed -f nofile fruit; echo $?`, `echo 2d | sed -f - fruit`, `printf '2d\nk' > script; sed -f script fruit; echo $?`, `printf 'a\0b\0' | sed -z 's/^/x/' | tr '\0' '\n'`, `printf 'a\0b' | sed -z 'N;s/\x00/-/;p' | tr '\0' '\n'`, `sed -nf /dev/null fruit`, `sed --posix p noend`, `sed -u p noend`, `sed --line-length=5 -n l noend`, `sed -nE '/(a|b)p/p' fruit`, `sed -e 'i\' -e '  x' noend`,

	// In place.
	`sed -i s/a/X/ fruit; cat fruit`, `sed -i.bak s/a/X/ fruit; cat fruit fruit.bak; ls`, `sed -i 2q fruit; cat fruit`, `sed -i 2Q fruit; cat fruit`, `sed -n -i 2p fruit numbers; cat fruit numbers`, `sed -i '$d' fruit noend; cat fruit noend`, `sed -i -e 1d -e '$a end' fruit; cat fruit`, `sed -ibak_* 1d fruit; ls; cat bak_fruit`, `sed -i '1i top' noend; cat noend`, `sed -i p nofile; echo $?`, `sed -i p src; echo $?`, `sed -i '2w out' fruit; cat out`, `sed -i -n '1w /dev/stdout' fruit; wc -c fruit`, `sed -i 1d empty; cat empty`, `chmod 600 fruit; sed -i 1d fruit; stat -c %a fruit`, `ln -s fruit l; sed -i 1d l; stat -c %F l fruit; wc -l fruit`, `sed --in-place=.old 1d fruit; ls`, `sed --in-place 1d fruit; ls; wc -l fruit`, `sed -i -E 's/(a)/<\1>/' fruit; cat fruit`, `sed -Ei 's/(a)/<\1>/' fruit; cat fruit`, `sed -ni '/apple/p' fruit; cat fruit`, `sed -i 'N;N;s/\n/+/g' fruit; cat fruit`, `sed -i '1~2d;=' fruit numbers; cat fruit numbers`, `sed -i '/apple/,/date/d' fruit numbers; cat fruit`, `sed -i -- 1d fruit; wc -l fruit`, `find src -name '*.c' | xargs sed -i 's/foo/bar/g'; cat src/*.c`, `sed -i 'x k' fruit; cat fruit`, `sed -i.d/ 1d fruit; echo $?`, `sed -i 1d < fruit; echo $?`,
}

func TestSedEditsAsTheMachinesOwn(t *testing.T) {
	bash := machineWith(t, "sed", "--version", "GNU sed")
	for _, script := range sedScripts {
		t.Run(script, func(t *testing.T) {
			want, wantCode := machine(t, bash, script)
			got, gotCode := ours(t, script)
			if got != want || gotCode != wantCode {
				t.Errorf("got %d:\n%q\nwant %d:\n%q", gotCode, got, wantCode, want)
			}
		})
	}
}

// machineWith is the machine's bash, if it has a tool that says who it is.
func machineWith(t *testing.T, tool, flag, text string) (bash string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	out, _ := exec.CommandContext(t.Context(), tool, flag).CombinedOutput()
	if !strings.Contains(string(out), text) {
		t.Skipf("there is no %s", text)
	}
	return bash
}
