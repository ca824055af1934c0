package shell_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// A typedWith gives lines, and does what is to happen before each.
type typedWith struct {
	lines  []string
	before func() error
}

func (t *typedWith) Read(p []byte) (int, error) {
	if len(t.lines) == 0 {
		return 0, io.EOF
	}
	if err := t.before(); err != nil {
		return 0, err
	}
	n := copy(p, t.lines[0])
	if t.lines[0] = t.lines[0][n:]; t.lines[0] == "" {
		t.lines = t.lines[1:]
	}
	return n, nil
}

// Who types ^C twice would end the shell if there were a moment in which it isn't caught.
func TestAShellCatchesEachInterrupt(t *testing.T) {
	var caught []func()
	uncaught, reads := 0, 0
	in := &typedWith{[]string{"echo a\n", "echo b $?\n"}, func() error {
		if reads++; reads%5 == 0 {
			caught[len(caught)-1]()
			return errors.New("interrupted")
		}
		return nil
	}}
	p := shell.Process{Args: []string{"bash"}, Terminal: true, Stdin: in, Interrupts: func(interrupt func()) (release func()) {
		caught = append(caught, interrupt)
		return func() {
			if caught = caught[:len(caught)-1]; len(caught) == 0 {
				uncaught++
			}
		}
	}}
	r := runProcess(t.Context(), newShell(t), p)
	if r.err != nil || reads < 10 || uncaught != 1 {
		t.Errorf("%d times of %d reads nothing was caught: %+v", uncaught, reads, r)
	}
}

// depths are how deep the writes are nested.
type depths struct {
	bytes.Buffer
	most int
}

func (d *depths) Write(p []byte) (int, error) {
	d.most = max(d.most, runtime.Callers(0, make([]uintptr, 1<<16)))
	return d.Buffer.Write(p)
}

func TestNoNumberOfCommentsNestsAShell(t *testing.T) {
	var most []int
	for _, comment := range []string{"", "# a\n", " \t# b \\\n", "#\n \n", "\\\n#\n", ": # c\n", "; # d\n"} {
		var out bytes.Buffer
		prompts := depths{}
		p := shell.Process{Args: []string{"bash"}, Terminal: true, Stdin: strings.NewReader(strings.Repeat(comment, 200) + "echo done\n"), Stdout: &out, Stderr: &prompts}
		if code, err := newShell(t).Run(t.Context(), p); err != nil || code != 0 || out.String() != "done\n" {
			t.Errorf("%q: code %d, %v, %q", comment, code, err, out.String())
		}
		most = append(most, prompts.most)
	}
	for _, depth := range most {
		if depth > most[0]+50 {
			t.Errorf("the writes are nested %d deep", most)
			break
		}
	}
}
