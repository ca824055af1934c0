package terminal_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

func TestATerminalIsCooked(t *testing.T) {
	for _, test := range []struct{ rule, chars, want string }{
		{"a line is echoed, then read", "ab\n", `process 1000 "ab\r\n[ab\r\n]" 250ms`},
		{"return is a line feed", "ab\r", `process 1000 "ab\r\n[ab\r\n]" 250ms`},
		{"each line is a read", "a\nb\n", `process 1000 "a\r\nb\r\n[a\r\n][b\r\n]" 250ms`},
		{"what isn't a line isn't read", "a\nb", `process 1000 "a\r\nb[a\r\n]" 250ms`},
		{"^D ends a line", "ab\x04", `process 1000 "ab[ab]" 250ms`},
		{"^D twice is the end of the input", "ab\x04\x04", `exit 0 "ab[ab]" 0s`},
		{"^D at the start of a line is the end of the input", "a\n\x04", `exit 0 "a\r\n[a\r\n]" 0s`},
		{"^D alone", "\x04", `exit 0 "" 0s`},
		{"^C interrupts", "\x03", `exit 130 "^C" 0s`},
		{"^C loses what wasn't read", "a\nb\x03c\n", `exit 130 "a\r\nb^C" 0s`},
		{"delete takes a character back", "aé\x7f\x7f\x7fb\n", `process 1000 "aé\b \b\b \bb\r\n[b\r\n]" 250ms`},
		{"delete doesn't take a line back", "a\n\x7f\n", `process 1000 "a\r\n\r\n[a\r\n][\r\n]" 250ms`},
		{"a control character is shown as two", "\x1b[A\x01\n", `process 1000 "^[[A^A\r\n[\x1b[A\x01\r\n]" 250ms`},
		{"and taken back as two", "\x01\x7f\n", `process 1000 "^A\b \b\b \b\r\n[\r\n]" 250ms`},
		{"a tab is shown as it is", "\t\n", `process 1000 "\t\r\n[\t\r\n]" 250ms`},
		{"other characters, too", "€\n", `process 1000 "€\r\n[€\r\n]" 250ms`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			u := newUser(t, terminal.Config{})
			u.wants(u.write(u.live(cat, terminal.StartOptions{TTY: true}), test.chars, terminal.WriteOptions{}), test.want)
		})
	}
}

func TestALineMayBeTypedInPieces(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "ab", terminal.WriteOptions{}), `process 1000 "ab" 250ms`)
	u.wants(u.write(id, "\x7fc", terminal.WriteOptions{}), `process 1000 "\b \bc" 250ms`)
	u.wants(u.write(id, "\n", terminal.WriteOptions{}), `process 1000 "\r\n[ac\r\n]" 250ms`)
}

func TestTheEndOfATerminalsInputIsntForGood(t *testing.T) {
	u := newUser(t, terminal.Config{})
	twice := func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		if code, err := cat(ctx, stdio); code != 0 || err != nil {
			return code, err
		}
		return cat(ctx, stdio)
	}
	id := u.live(twice, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "\x04a\n", terminal.WriteOptions{}), `process 1000 "a\r\n[a\r\n]" 250ms`)
	u.wants(u.write(id, "\x04", terminal.WriteOptions{}), `exit 0 "" 0s`)
}

func TestTypedCharactersAreEchoedAtOnce(t *testing.T) {
	u := newUser(t, terminal.Config{})
	sleeper := func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		if err := stdio.Sleep(time.Minute); err != nil {
			return 0, err
		}
		return cat(ctx, stdio)
	}
	id := u.live(sleeper, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "a\nb", terminal.WriteOptions{}), `process 1000 "a\r\nb" 250ms`)
	u.wants(u.write(id, "\n", terminal.WriteOptions{At: int64(time.Minute - time.Millisecond)}), `process 1000 "\r\n[a\r\n][b\r\n]" 250ms`)
}

func TestAnInterruptEndsASleep(t *testing.T) {
	u := newUser(t, terminal.Config{})
	var got error
	sleeper := func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		got = errors.Join(stdio.Sleep(time.Hour), context.Cause(ctx))
		_, err := io.WriteString(stdio.Stdout, "it isn't printed")
		return 7, err
	}
	id := u.live(sleeper, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "\x03", terminal.WriteOptions{}), `exit 130 "^C" 0s`)
	if want := errors.Join(terminal.ErrInterrupted, terminal.ErrInterrupted); got.Error() != want.Error() {
		t.Errorf("the program sees %v, want %v", got, want)
	}
}

func TestAPipeTakesCharactersAsTheyAre(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{Piped: true})
	u.wants(u.write(id, "a\r\x03\x04\x7f\n", terminal.WriteOptions{}), `process 1000 "[a\r\x03\x04\x7f\n]" 250ms`)
}

func TestWithoutATerminalThereIsNoInput(t *testing.T) {
	u := newUser(t, terminal.Config{})
	u.wants(u.start(cat, terminal.StartOptions{}), `exit 0 "" 0s`)
	id := u.live(ticker(2, time.Minute), terminal.StartOptions{})
	// S6.76: the tool write_stdin looks for this text.
	if _, err := u.table.Write(t.Context(), id, "a", terminal.WriteOptions{}); err != terminal.ErrStdinUnavailable ||
		err.Error() != "stdin is not available for this process" {
		t.Errorf("the error is %v", err)
	}
	u.wants(u.write(id, "", terminal.WriteOptions{}), `process 1001 "" 5s`)
}

func TestInputThatIsntReadIsBounded(t *testing.T) {
	for _, options := range []terminal.StartOptions{{TTY: true}, {Piped: true}} {
		u := newUser(t, terminal.Config{InputLimit: 10})
		id := u.live(ticker(2, time.Hour), options)
		u.write(id, "12345678", terminal.WriteOptions{})
		if _, err := u.table.Write(t.Context(), id, "abc", terminal.WriteOptions{}); err != terminal.ErrInputFull {
			t.Errorf("%+v: the error is %v", options, err)
		}
		if options.TTY {
			u.wants(u.write(id, "abc\x03", terminal.WriteOptions{}), `exit 130 "abc^C" 0s`)
		}
	}
}

func TestReadsOfAnyLength(t *testing.T) {
	u := newUser(t, terminal.Config{})
	one := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		b := make([]byte, 2)
		if n, err := stdio.Stdin.Read(nil); n != 0 || err != nil {
			return 1, err
		}
		for {
			n, err := stdio.Stdin.Read(b)
			if err != nil {
				return 0, nothingLeft(err)
			}
			_, _ = stdio.Stdout.Write(append(b[:n:n], '|'))
		}
	}
	id := u.live(one, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "abc\n\x04", terminal.WriteOptions{}), `exit 0 "abc\r\nab|c\r\n|" 0s`)
}
