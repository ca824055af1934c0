package terminal_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

// A user calls a table that is closed when the test ends.
type user struct {
	t     testing.TB
	table *terminal.Table
}

func newUser(t testing.TB, config terminal.Config) *user {
	u := &user{t: t, table: terminal.New(config)}
	t.Cleanup(func() {
		if err := u.table.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return u
}

func (u *user) start(program terminal.Program, options terminal.StartOptions) terminal.Update {
	u.t.Helper()
	update, err := u.table.Start(u.t.Context(), program, options)
	if err != nil {
		u.t.Fatalf("Start: %v", err)
	}
	return update
}

// live starts a process that lives on, and answers its id.
func (u *user) live(program terminal.Program, options terminal.StartOptions) int {
	u.t.Helper()
	update := u.start(program, options)
	if update.ProcessID == nil {
		u.t.Fatalf("the process has finished: %s", show(update))
	}
	return *update.ProcessID
}

func (u *user) write(id int, chars string, options terminal.WriteOptions) terminal.Update {
	u.t.Helper()
	update, err := u.table.Write(u.t.Context(), id, chars, options)
	if err != nil {
		u.t.Fatalf("Write %q: %v", chars, err)
	}
	return update
}

func (u *user) wants(got terminal.Update, want string) {
	u.t.Helper()
	if show(got) != want {
		u.t.Errorf("the update is %s, want %s", show(got), want)
	}
}

// show prints an update: its id or exit code, the output and the time it took.
func show(u terminal.Update) string {
	state := ""
	if u.ProcessID != nil {
		state += fmt.Sprintf("process %d", *u.ProcessID)
	}
	if u.ExitCode != nil {
		state += fmt.Sprintf("exit %d", *u.ExitCode)
	}
	return fmt.Sprintf("%s %q %v", state, u.Output, u.Elapsed)
}

// cat prints each read in brackets, until the end of the input.
func cat(_ context.Context, stdio terminal.Stdio) (int, error) {
	b := make([]byte, 1000)
	for {
		n, err := stdio.Stdin.Read(b)
		if err != nil {
			return 0, nothingLeft(err)
		}
		if _, err := fmt.Fprintf(stdio.Stdout, "[%s]", b[:n]); err != nil {
			return 0, err
		}
	}
}

func nothingLeft(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// idle waits for input, and prints nothing.
func idle(_ context.Context, stdio terminal.Stdio) (int, error) {
	_, err := io.Copy(io.Discard, stdio.Stdin)
	return 0, err
}

// ticker prints numbers, with some time after each.
func ticker(n int, each time.Duration) terminal.Program {
	return func(_ context.Context, stdio terminal.Stdio) (int, error) {
		for i := range n {
			fmt.Fprintf(stdio.Stdout, "%d ", i)
			if err := stdio.Sleep(each); err != nil {
				return 0, err
			}
		}
		return 0, nil
	}
}

// printer prints each of the parts after a line of input, and then ends.
func printer(parts ...string) terminal.Program {
	return func(_ context.Context, stdio terminal.Stdio) (int, error) {
		in := bufio.NewReader(stdio.Stdin)
		for _, part := range parts {
			if _, err := in.ReadString('\n'); err != nil {
				return 0, err
			}
			fmt.Fprint(stdio.Stdout, part)
		}
		return 0, nil
	}
}

// endless computes until its context ends.
func endless(ctx context.Context, _ terminal.Stdio) (int, error) {
	<-ctx.Done()
	return 0, context.Cause(ctx)
}
