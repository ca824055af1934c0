package terminal_test

import (
	"context"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

func TestTheOldestProcessMakesRoom(t *testing.T) { // S7.8
	u := newUser(t, terminal.Config{})
	var why error
	first := func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		code, err := cat(ctx, stdio)
		why = err
		return code, err
	}
	u.live(first, terminal.StartOptions{TTY: true})
	for range terminal.MaxProcesses - 1 {
		u.live(idle, terminal.StartOptions{TTY: true})
	}
	u.write(1001, "", terminal.WriteOptions{}) // it was used after all others
	u.wants(u.start(idle, terminal.StartOptions{TTY: true}), `process 1064 "" 10s`)
	u.wantsNotFound(1000)
	var missing *terminal.NotFoundError
	if !errors.As(why, &missing) || missing.ID != 1000 {
		t.Errorf("the program sees %v", why)
	}
	u.live(idle, terminal.StartOptions{TTY: true})
	u.wants(u.write(1001, "", terminal.WriteOptions{}), `process 1001 "" 5s`)
	u.wantsNotFound(1002)
	if u.table.Len() != terminal.MaxProcesses {
		t.Errorf("there are %d processes", u.table.Len())
	}
}

func TestIDsCountFrom1000To99999AndStartOver(t *testing.T) { // S7.8
	u := newUser(t, terminal.Config{})
	u.live(idle, terminal.StartOptions{TTY: true})
	exit := func(context.Context, terminal.Stdio) (int, error) { return 0, nil }
	for range 98_998 {
		u.start(exit, terminal.StartOptions{})
	}
	if id := u.live(idle, terminal.StartOptions{TTY: true}); id != 99_999 {
		t.Errorf("the last id is %d", id)
	}
	if id := u.live(idle, terminal.StartOptions{TTY: true}); id != 1001 {
		t.Errorf("the next that is free is %d", id)
	}
}
