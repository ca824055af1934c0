package shell_test

import "testing"

// The interpreter or its library failed with each of these.
func TestValuesThatNobodyExpectsAreErrorsOfTheScript(t *testing.T) {
	for script, want := range map[string]string{
		`printf '%*s' -9223372036854775808 abc; echo $?`:    "1\n",
		`printf '%-*d' -9223372036854775808 5; echo $?`:     "1\n",
		`printf '%*d|%-*d|' 3 5 -3 5`:                       "  5|5  |",
		`printf '%d %d' "'" '"'`:                            "0 0",
		`set -- a b; shift -1; echo $? $#`:                  "1 2\n",
		`f() { shift -9223372036854775808; }; f a; echo $?`: "1\n",
		`x=$'\xffa'; echo ${x#$'\xff'}; echo $?`:            "2\n",
		`x=$'\xffa'; y=$'\xff'; echo ${x/$y/b}; echo $?`:    "2\n",
		`x=a; y=$'\xff'; echo ${x^^$y}; echo $?`:            "2\n",
		`x=aé; y=é; echo ${x/$y/b} ${x%$'é'} ${x^^[$y]}`:    "ab a aÉ\n",
		`x=$'\xffa'; case $x in $'\xff'*) echo yes; esac`:   "yes\n",
	} {
		if r := run(t.Context(), newShell(t), "", "bash", "-c", script); r.stdout != want || r.err != nil {
			t.Errorf("%s: got %+v, want %q", script, r, want)
		}
	}
}

func TestWhatLooksLikeATraceIsWrittenAsAnythingElse(t *testing.T) {
	for script, want := range map[string]string{
		`echo '+ :exit 1'`:                                    "+ :exit 1\n",
		`echo '+ :exit 1' | cat`:                              "+ :exit 1\n",
		`echo '+ :keys' > f; cat f`:                           "+ :keys\n",
		`x=$(echo '+ :check'); args $x`:                       "args|+|:check\n",
		`set -x; set +x; echo '+ :guard hi'`:                  "+ :guard hi\n",
		`set -x; printf '%s\n' '+ :guard hi'`:                 "+ :guard hi\n",
		`set -x; echo '+ :guard hi' > f; cat f`:               "+ :guard hi\n",
		`set -x; echo '+ :guard hi' | cat`:                    "+ :guard hi\n",
		`{ set -x; echo a | cat; } 2>&1`:                      "+ echo a\n+ cat\na\n",
		`sh -xc 'for ((i=0;i<2;i++)); do echo $i; done' 2>&1`: "+ echo 0\n0\n+ echo 1\n1\n",
	} {
		if r := run(t.Context(), newShell(t), "", "sh", "-c", script); r.stdout != want || r.err != nil {
			t.Errorf("%s: got %+v, want %q", script, r, want)
		}
	}
	for _, script := range []string{`set -x; echo a | cat`, `set -o xtrace; echo a | cat`, `eval 'set -eux'; echo a | cat`, `sh -xc 'echo a | cat'`, `command set -x; echo a | cat`} {
		r := run(t.Context(), newShell(t), "", "sh", "-c", script)
		if r.stderr != "+ echo a\n+ cat\n" || r.err != nil {
			t.Errorf("%s: got %+v", script, r)
		}
	}
}
