package builtin_test

import "testing"

func TestLsPrintsTheColumnsThatAreAskedFor(t *testing.T) {
	for script, want := range map[string]string{
		`ls -n src/foo.h`:   "-rw-r--r-- 1 0 0 14 Nov 14 22:13 src/foo.h\n",
		`ls -o src/foo.h`:   "-rw-r--r-- 1 root 14 Nov 14 22:13 src/foo.h\n",
		`ls -g src/foo.h`:   "-rw-r--r-- 1 root 14 Nov 14 22:13 src/foo.h\n",
		`ls -go src/foo.h`:  "-rw-r--r-- 1 14 Nov 14 22:13 src/foo.h\n",
		`ls -sn src/foo.h`:  "4 -rw-r--r-- 1 0 0 14 Nov 14 22:13 src/foo.h\n",
		`ls -s fruit empty`: "0 empty\n4 fruit\n",
		`ls -sF src`:        "total 16\n4 foo.c\n4 foo.h\n4 lib/\n4 main.c\n",
		`mkdir d; ls -s d`:  "total 0\n",
		`head -c 10137 /dev/zero > src/big; head -c 1048570 /dev/zero > src/bigger; ls -sh src`: "total 1.1M\n 12K big\n1.0M bigger\n4.0K foo.c\n4.0K foo.h\n4.0K lib\n4.0K main.c\n",
		`mkdir d; head -c 10137 /dev/zero > d/big; ls -lh d`:                                    "total 12K\n-rw-r--r-- 1 root root 9.9K Nov 14 22:13 big\n",
		`ls -i fruit | tr -d 0-9; ls -is fruit | tr -d 0-9`:                                     " fruit\n  fruit\n",
	} {
		if got, code := ours(t, script); got != want || code != 0 {
			t.Errorf("%s: got %d, %q, want %q", script, code, got, want)
		}
	}
}

func TestWhatIsNotDoneIsRefused(t *testing.T) {
	for script, want := range map[string]string{
		`find . -ls`:                      "find: -ls is not supported\n1\n",
		`find . -ok rm {} \;`:             "find: -ok is not supported\n1\n",
		`find . -printf '%p %k\n'`:        "find: -printf %k is not supported\n1\n",
		`grep --color=always apple fruit`: "grep: --color=always is not supported\n2\n",
		`grep -T apple fruit`:             "grep: invalid option -- 'T'\n2\n",
		`ln -sr fruit src/l`:              "ln: invalid option -- 'r'\n1\n",
		`touch -h fruit`:                  "touch: invalid option -- 'h'\n1\n",
		`chown -v root fruit`:             "chown: invalid option -- 'v'\n1\n",
		`chown -h root fruit`:             "chown: invalid option -- 'h'\n1\n",
		`chmod -v 600 fruit`:              "chmod: invalid option -- 'v'\n1\n",
		`timeout -k x 5 true`:             "timeout: invalid time interval 'x'\n125\n",
		`timeout -s 65 5 true`:            "timeout: '65': invalid signal\n125\n",
		`chmod -f zz fruit`:               "chmod: invalid mode: 'zz'\n1\n",
		`timeout -s NOSIGNAL 5 true`:      "timeout: 'NOSIGNAL': invalid signal\n125\n",
		`nl -b pa fruit`:                  "nl: invalid body numbering style: 'pa'\n1\n",
		`base64 -z fruit`:                 "base64: invalid option -- 'z'\n1\n",
		`base64 --version`:                "base64: unrecognized option '--version'\n1\n",
		`base64 fruit noend`:              "base64: extra operand 'noend'\n1\n",
		`printf YQ | base64 -d`:           "abase64: invalid input\n1\n",
		`paste -x fruit`:                  "paste: invalid option -- 'x'\n1\n",
		`paste --serial=x fruit`:          "paste: option '--serial' doesn't allow an argument\n1\n",
		`mktemp -V`:                       "mktemp: invalid option -- 'V'\n1\n",
		`mktemp --suffix`:                 "mktemp: option '--suffix' requires an argument\n1\n",
		`mktemp -p`:                       "mktemp: option requires an argument -- 'p'\n1\n",
		`mktemp aXXX bXXX`:                "mktemp: too many templates\n1\n",
		`expr --help`:                     "expr: unrecognized option '--help'\n2\n",
		`expr`:                            "expr: missing operand\n2\n",
		`expr aa : '\(a\)\1'`:             "expr: back-references are not supported\n2\n",
	} {
		if got, _ := ours(t, "exec 2>&1; "+script+"; echo $?"); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}

func TestTimeoutTellsByTheExitCodeThatItKilled(t *testing.T) {
	for script, want := range map[string]string{
		`timeout -s KILL 5 sleep 10`:                         "137\n",
		`timeout -s SIGKILL 5 sleep 10`:                      "137\n",
		`timeout -s 9 5 sleep 10`:                            "137\n",
		`timeout -s INT 5 sleep 10`:                          "124\n",
		`timeout -s KILL 5 sleep 1`:                          "0\n",
		`timeout -s KILL -s 15 5 sleep 10`:                   "124\n",
		`timeout -v -s int 5 sleep 10 2>&1`:                  "timeout: sending signal INT to command 'sleep'\n124\n",
		`timeout --verbose -s 9 5 sleep 10 2>&1; (exit 137)`: "timeout: sending signal KILL to command 'sleep'\n137\n",
	} {
		if got, _ := ours(t, script+"; echo $?"); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}
