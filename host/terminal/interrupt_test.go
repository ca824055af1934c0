package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

// A catcher prints what it does, and lives on when it is interrupted.
func catcher(what func(stdio terminal.Stdio) error) terminal.Program {
	return func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		for range 3 {
			interrupted := false
			release := stdio.Interrupts(func() { interrupted = true })
			err := what(stdio)
			_, again := fmt.Fprint(stdio.Stdout, "it isn't printed")
			release()
			if !interrupted || !errors.Is(err, terminal.ErrInterrupted) || !errors.Is(again, terminal.ErrInterrupted) {
				return 1, fmt.Errorf("interrupted %v: %w", interrupted, errors.Join(err, again))
			}
			fmt.Fprint(stdio.Stdout, "<caught>")
		}
		return cat(ctx, stdio)
	}
}

func TestAProgramMayLiveOnWhenItIsInterrupted(t *testing.T) {
	for name, what := range map[string]func(stdio terminal.Stdio) error{
		"reading":  func(stdio terminal.Stdio) error { _, err := stdio.Stdin.Read(make([]byte, 9)); return err },
		"sleeping": func(stdio terminal.Stdio) error { return stdio.Sleep(time.Hour) },
		"polling":  func(stdio terminal.Stdio) error { _, err := stdio.Poll(-1); return err },
		"within another": func(stdio terminal.Stdio) error {
			release := stdio.Interrupts(func() { panic("it was released") })
			release()
			return stdio.Sleep(time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, terminal.Config{})
			id := u.live(catcher(what), terminal.StartOptions{TTY: true})
			u.wants(u.write(id, "\x03", terminal.WriteOptions{}), `process 1000 "^C<caught>" 250ms`)
			u.wants(u.write(id, "a\x03", terminal.WriteOptions{}), `process 1000 "a^C<caught>" 250ms`)
			u.wants(u.write(id, "\x03b\n", terminal.WriteOptions{}), `process 1000 "^Cb\r\n<caught>[b\r\n]" 250ms`)
			u.wants(u.write(id, "\x03", terminal.WriteOptions{}), `exit 130 "^C" 0s`)
		})
	}
}

func TestOnlyTheInnermostIsToldOfAnInterrupt(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(func(_ context.Context, stdio terminal.Stdio) (int, error) {
		defer stdio.Interrupts(func() { panic("it isn't the innermost") })()
		catch := stdio.Interrupts(func() {})
		err := stdio.Sleep(time.Hour)
		catch()
		fmt.Fprint(stdio.Stdout, err)
		return 3, nil
	}, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "\x03", terminal.WriteOptions{}), `exit 3 "^Cthe process is interrupted" 0s`)
}

func TestAnInterruptBetweenTwoIsOfTheNext(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(func(_ context.Context, stdio terminal.Stdio) (int, error) {
		defer stdio.Interrupts(func() {})()
		err := stdio.Sleep(time.Hour)
		told := false
		stdio.Interrupts(func() { told = true })()
		fmt.Fprint(stdio.Stdout, err, told)
		stdio.Interrupts(func() { told = false })()
		fmt.Fprint(stdio.Stdout, told)
		return 3, nil
	}, terminal.StartOptions{TTY: true})
	u.wants(u.write(id, "\x03", terminal.WriteOptions{}), `exit 3 "^Cthe process is interrupted truetrue" 0s`)
}

func TestWhatIsTypedBehindAnInterruptIsBounded(t *testing.T) {
	u := newUser(t, terminal.Config{InputLimit: 10})
	id := u.live(catcher(func(stdio terminal.Stdio) error { return stdio.Sleep(time.Hour) }), terminal.StartOptions{TTY: true})
	if _, err := u.table.Write(t.Context(), id, "\x03"+strings.Repeat("a", 10), terminal.WriteOptions{}); err != terminal.ErrInputFull {
		t.Errorf("the error is %v", err)
	}
	u.wants(u.write(id, "12345678", terminal.WriteOptions{}), `process 1000 "12345678" 250ms`)
	u.wants(u.write(id, "123456789\x03a", terminal.WriteOptions{}), `process 1000 "123456789^Ca<caught>" 250ms`)
}
