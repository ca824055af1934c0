package shell_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func TestAnInputByAnotherNameIsTheSame(t *testing.T) {
	for script, want := range map[string]string{
		`printf 'a\nb\nc\n' > f; { read x < /dev/fd/0; read y; cat; } < f; echo $x $y`:                  "c\na b\n",
		`printf 'a\nb\n' > f; i=/dev/stdin; { read x < $i; read y < $i; echo $x $y; } < f`:              "a b\n",
		`printf 'a\nb\n' | { read x < /dev/fd/0; read y; echo $x $y; }`:                                 "a b\n",
		"{ read x < /dev/fd/0; read y; read z < \"/dev/fd/0\"; } <<X\na\nb\nc\nX\necho $x $y $z":        "a b c\n",
		"exec <<X\na\nb\nX\nexec < /dev/fd/0; read x; sh -c 'cat < /dev/fd/0'; echo $x":                 "b\na\n",
		`printf 'a\nb\n' > f; f() { [ $1 = 0 ] || f $(($1-1)) < /dev/fd/0; read x; echo $x; }; f 3 < f`: "a\nb\n\n\n",
		`read x; sh -c 'read x < /dev/fd/0; echo $x'; read y < /dev/fd/0; echo $x $y`:                   "2\n1 3\n",
		`read x <&- < /dev/fd/0; echo $?`:                                                               "1\n",
		`echo no > /dev/fd/0; echo $?`:                                                                  "1\n",
		`read -r -N 3 x < /dev/urandom; { read -r -N 1 y < /dev/fd/0; } < /dev/urandom`:                 "",
	} {
		if r := run(t.Context(), newShell(t), "1\n2\n3\n", "bash", "-c", script); r.err != nil || r.stdout != want {
			t.Errorf("%s: got %+v", script, r)
		}
	}
}

// Nobody knows whether an input has an end.
func TestNoMoreIsReadOfAnInputThanCommandsWant(t *testing.T) {
	const script = `read -r -N 3 x < /dev/fd/0; sh -c 'read -r -N 3 x < "/dev/stdin"'; echo done`
	code, err := newShell(t).Run(t.Context(), shell.Process{Args: []string{"sh", "-c", script}, Stdin: &guarded{left: 1 << 10}})
	if code != 0 || err != nil {
		t.Errorf("got %d, %v", code, err)
	}
}

// A guarded reader is an endless one of which no more than a little may be read.
type guarded struct{ left int }

var errReadOn = errors.New("all of an endless input was read")

func (e *guarded) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, errReadOn
	}
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}
