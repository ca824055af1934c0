package builtin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

func TestLoopsOverKeysOfAwkHaveTheSameOrderEachTime(t *testing.T) {
	for script, want := range map[string]string{
		`awk 'BEGIN{split("j i h g f e d c b a",x," "); for(k in x) y[x[k]]; y[10]; y[9]; y[-1]; for(k in y) printf "%s ",k}'`:          "-1 9 10 a b c d e f g h i j ",
		`awk 'function f(n,  k){if(n>2)return; for(k in a){printf "%s%s ",n,k; f(n+1); if(k==2)return k}} BEGIN{a[1];a[2];a[3]; f(1)}'`: "11 21 22 12 21 22 ",
		`awk 'BEGIN{a[1];a[2];a[3]; for(k in a){if(k==1)continue; for(j in a){if(j==2)break; printf "%s%s ",k,j}}; print k}'`:           "21 31 3\n",
		`printf '1\n2\n' | awk '{a[NR]; for(k in a){ for(j in a) {printf "%s%s ",k,j; if(j==2)next}}} END{for(k in a)print k}'`:         "11 11 12 1\n2\n",
		`awk 'BEGIN{a["x"]; a["y"]; for(k in a) delete a[k]; print length(a)}'`:                                                         "0\n",
		`awk 'function f(b, k){for(k in b)return k} BEGIN{a["x"]; print f(a)}'`:                                                         "x\n",
	} {
		for range 5 {
			if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
				t.Errorf("%s: got %q, %v", script, out, err)
			}
		}
	}
}

func TestAwkOpensOnlySomeFiles(t *testing.T) {
	out, code, err := oursWith(t, shell.Limits{}, `awk 'BEGIN{for(;;)print "x" > ("f" i++)}'`)
	if err != nil || code != 2 || !strings.Contains(out, "too many open files") {
		t.Errorf("got %d, %q, %v", code, out, err)
	}
	out, _, err = oursWith(t, shell.Limits{}, `awk 'BEGIN{for(i=0;i<5000;i++){print i > ("f" i); close("f" i)}}'; cat f4999`)
	if out != "4999\n" || err != nil {
		t.Errorf("got %q, %v", out, err)
	}
}

const longText = `yes aaaaaaaaaaaaaaa | head -c 1048576 | tr -d '\n' > long; `

func TestMatchingThatTakesLongEndsOrIsRefused(t *testing.T) {
	for _, script := range []string{
		`sed -E 's/(a{0,500}a{0,500})+b/x/' long`,
		`grep -oE '(a{0,500}a{0,500})*' long`,
		`awk '/(a{0,500}a{0,500})+b/' long`,
		`awk '$0 ~ "(a{0,500}a{0,500})+b"' long`,
		`awk '{r = "(a{0,500}a{0,500})+b"; print match($0, r)}' long`,
		`awk '{print split($0, a, /(a{0,500}a{0,500})+b/)}' long`,
		`awk '{r = "(a{0,500}a{0,500})+b"; gsub(r, "x")}' long`,
		`awk '{print gensub(/(a{0,500}a{0,500})+b/, "x", "g")}' long`,
		`jq -R 'test("(a{0,500}a{0,500})+b")' long`,
		`jq -R '. as $x | [$x] | .[0] | gsub("(a{0,500}a{0,500})+b"; "")' long`,
		`jq -R 'test(["(a{0,500}a{0,500})+b", "x"])' long`,
	} {
		out, _, err := oursWith(t, shell.Limits{}, longText+script)
		if err != nil || !strings.Contains(out, "the regular expression is too large for so long a text") {
			t.Errorf("%s: got %.300q, %v", script, out, err)
		}
	}
}

// Each of these would take minutes to years, if a step of it were not bounded.
func TestStepsOfAwkThatWouldTakeLongAreRefused(t *testing.T) {
	for _, script := range []string{
		`awk -F '(a{0,500}a{0,500})+b' '{print $2}' long`,
		`awk -v 'RS=(a{0,500}a{0,500})+b' '{print NR}' long`,
		`awk '{print $2}' 'FS=(a{0,500}a{0,500})+b' long`,
		`awk 'BEGIN{FS="(a{0,500}a{0,500})+b"} {print $2}' long`,
		`awk 'BEGIN{RS="(a{0,500}a{0,500})+b"; while((getline x < "long")>0) print NR}'`,
		`awk '{FS="(a{0,500}a{0,500})+b"; $0=$0; print $2}' long`,
	} {
		out, code, err := oursWith(t, shell.Limits{}, longText+script)
		if err != nil || code != 2 || !strings.Contains(out, "the separator is too large") {
			t.Errorf("%s: got %.300q, %d, %v", script, out, code, err)
		}
	}
	for script, want := range map[string]string{
		`echo 'a, b ;c' | awk -F ' *[,;] *' '{print $3}'`:                                        "c\n",
		`echo 'a1b22c' | awk 'BEGIN{FS="[[:digit:]]+"} {print $2 $3}'`:                           "bc\n",
		`printf 'a--b---c' | awk -v 'RS=-+' '{printf "%s.", $0}'`:                                "a.b.c.",
		`printf 'a--b---c' >f; awk 'BEGIN{RS="-+"; while((getline x < "f")>0) printf "%s.", x}'`: "a.b.c.",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
			t.Errorf("%s: got %q, %v", script, out, err)
		}
	}
}

// A tree of forty arrays, of which each has the same one twice, has a million millions of
// leaves.
func TestJQRefusesValuesThatAreWithoutEnd(t *testing.T) {
	for _, filter := range []string{
		`[$x,$x]|sort`, `[$x,$x]|unique`, `[$x,$x]|min`, `[$x,$x]|max_by(.)`, `[$x,$x]|group_by(.)`, `[1,1]|sort_by($x)`,
		`[$x]|contains([$x])`, `[$x]|inside([$x])`, `[$x]|index([$x])`, `[$x]|indices($x)`, `[$x]|bsearch($x)`, `[$x]-[$x]`,
		`$x|flatten`, `$x|tojson`, `$x|error`, `error($x)`, `"\($x)"`, `[range(8000)]-[range(8000)]`, `[range(8000)]|contains([range(8000)])`,
	} {
		script := `jq -n '(reduce range(40) as $i (1; [.,.])) as $x | ` + filter + `' | head -c 100`
		out, _, err := oursWith(t, shell.Limits{}, script)
		if err != nil || !strings.Contains(out, "the value is too large") {
			t.Errorf("%s: got %.300q, %v", filter, out, err)
		}
	}
}

// An awk or a jq that has no end by itself ends with its context.
func TestAContextEndsProgramsOfLongSteps(t *testing.T) {
	for _, script := range []string{
		`seq 1000000 | sort -k1,1V -k2`,
		`awk 'BEGIN{for(;;) sprintf("%1000000d", 1)}'`,
		`awk 'BEGIN{for(;;) $1000000="x"}'`,
		`awk '{for(;;) if ($0 ~ /a+b/) print}' long`,
		`awk '{do x = toupper($0); while (1)}' long`,
		`awk '{while (index($0, "b") == 0) n++}' long`,
		`jq -n '(reduce range(40) as $i (1; [.,.])) as $x | $x == ($x|.)'`,
		`jq -n '(reduce range(40) as $i (1; {a:.,b:.})) as $x | $x < $x'`,
		`jq -n '(reduce range(40) as $i (1; [.,.])) as $x | $x'`,
		`jq -n '(reduce range(40) as $i (1; [.,.])) as $x | try error($x) catch (. == $x)'`,
	} {
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools()), Limits: shell.Limits{Output: 1 << 40}}
		if _, err := s.Run(t.Context(), shell.Process{Args: []string{"sh", "-c", longText}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := s.Run(ctx, shell.Process{Args: []string{"sh", "-c", script}})
		if cancel(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", script, err)
		}
	}
}

func TestAContextEndsMatching(t *testing.T) {
	for _, script := range []string{`grep -E '(a{0,500}a{0,500})+b' long`, `sed -nE '/(a{0,500}a{0,500})+b/p' long`} {
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
		if _, err := s.Run(t.Context(), shell.Process{Args: []string{"sh", "-c", longText}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := s.Run(ctx, shell.Process{Args: []string{"sh", "-c", script}})
		if cancel(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", script, err)
		}
	}
}

func TestMatchingOfProgramsGoesOnAsBefore(t *testing.T) {
	for script, want := range map[string]string{
		`echo abc | awk '/^(a|x)(b|y)(c|z){1,4}$/{print "yes"}'`:                                              "yes\n",
		`echo abc | awk '$1 ~ ("^" "(a|x)(b|y)(c|z){1,4}$"){print "yes"}'`:                                    "yes\n",
		`echo abc | awk '{if ($0 !~ /x{1,30}/) print match($0, /(b|y){1,20}c/), RSTART, RLENGTH}'`:            "2 2 2\n",
		`echo a1b2c | awk '{n = split($0, x, /[0-9]{1,20}/); gsub(/[a-c]{1,30}/, "<&>"); print n, x[3], $0}'`: "3 c <a>1<b>2<c>\n",
		`echo 'a"/\b' | awk '/a"\/\\b(x{0,30})/{print "yes"}'`:                                                "yes\n",
		`jq -nc '"a1b2" | [scan("[a-z]")], gsub("(?<x>[0-9])"; "<\(.x)>"), split("[0-9]"; null), split("1")'`: "[\"a\",\"b\"]\n\"a<1>b<2>\"\n[\"a\",\"b\",\"\"]\n[\"a\",\"b2\"]\n",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
			t.Errorf("%s: got %q, %v", script, out, err)
		}
	}
}
