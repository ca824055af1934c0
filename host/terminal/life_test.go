package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

func (u *user) wantsNotFound(id int) {
	u.t.Helper()
	_, err := u.table.Write(u.t.Context(), id, "", terminal.WriteOptions{})
	var missing *terminal.NotFoundError
	if !errors.As(err, &missing) || missing.ID != id {
		u.t.Errorf("process %d: the error is %v", id, err)
	}
}

func TestAProcessThatHasFinishedIsForgotten(t *testing.T) { // S7.7
	u := newUser(t, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{TTY: true})
	u.wantsNotFound(id + 1)
	u.wants(u.write(id, "\x04", terminal.WriteOptions{}), `exit 0 "" 0s`)
	u.wantsNotFound(id)
}

func TestAProgramMayFail(t *testing.T) {
	failure := errors.New("the guest trapped")
	for _, test := range []struct {
		name    string
		program terminal.Program
		is      func(error) bool
	}{
		{"an error", func(_ context.Context, stdio terminal.Stdio) (int, error) {
			fmt.Fprint(stdio.Stdout, "before")
			return 1, failure
		}, func(err error) bool { return err == failure }},
		{"a panic", func(_ context.Context, stdio terminal.Stdio) (int, error) {
			fmt.Fprint(stdio.Stdout, "before")
			panic(failure)
		}, func(err error) bool {
			var p *terminal.PanicError
			return errors.As(err, &p) && p.Value == failure && errors.Is(err, failure) && len(p.Stack) > 0
		}},
		{"a goroutine that ends", func(_ context.Context, stdio terminal.Stdio) (int, error) {
			fmt.Fprint(stdio.Stdout, "before")
			runtime.Goexit()
			return 0, nil
		}, func(err error) bool {
			var p *terminal.PanicError
			return errors.As(err, &p) && p.Value == nil && p.Unwrap() == nil
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := newUser(t, terminal.Config{})
			got, err := u.table.Start(t.Context(), test.program, terminal.StartOptions{})
			if err == nil || !test.is(err) || err.Error() == "" {
				t.Errorf("the error is %v", err)
			}
			u.wants(got, ` "before" 0s`)
			if u.table.Len() != 0 {
				t.Error("the process is still there")
			}
		})
	}
}

func TestAContextThatHasEndedStartsNothing(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{TTY: true})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := u.table.Start(ctx, cat, terminal.StartOptions{}); err != context.Canceled || u.table.Len() != 1 {
		t.Errorf("Start: %v, and there are %d processes", err, u.table.Len())
	}
	if _, err := u.table.Write(ctx, id, "a\n", terminal.WriteOptions{}); err != context.Canceled {
		t.Errorf("Write: %v", err)
	}
	u.wants(u.write(id, "b\n", terminal.WriteOptions{}), `process 1000 "b\r\n[b\r\n]" 250ms`)
}

func TestAStartEndsWithItsContextAndSoDoesTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUser(t, terminal.Config{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ended := make(chan error, 1)
		program := func(ctx context.Context, stdio terminal.Stdio) (int, error) {
			code, err := endless(ctx, stdio)
			ended <- err
			return code, err
		}
		if _, err := u.table.Start(ctx, program, terminal.StartOptions{}); err != context.DeadlineExceeded {
			t.Errorf("the error is %v", err)
		}
		if err := <-ended; err != context.DeadlineExceeded {
			t.Errorf("the program sees %v", err)
		}
		u.wantsNotFound(1000)
	})
}

// busy computes from a line of input on until it is released.
func busy(release <-chan struct{}) terminal.Program {
	return func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		if _, err := stdio.Stdin.Read(make([]byte, 10)); err != nil {
			return 0, err
		}
		fmt.Fprint(stdio.Stdout, "busy")
		select {
		case <-release:
			return 0, nil
		case <-ctx.Done():
			return 1, context.Cause(ctx)
		}
	}
}

// writeInVain is called within a bubble of synctest, where the context ends when
// nothing else happens.
func (u *user) writeInVain(id int, chars string) {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), time.Second)
	defer cancel()
	if _, err := u.table.Write(ctx, id, chars, terminal.WriteOptions{}); err != context.DeadlineExceeded {
		u.t.Errorf("the error is %v", err)
	}
}

func TestAWriteEndsWithItsContextAndTheProcessGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUser(t, terminal.Config{})
		release := make(chan struct{})
		id := u.live(busy(release), terminal.StartOptions{TTY: true})
		u.writeInVain(id, "a\n")
		u.writeInVain(id, "")
		close(release)
		u.wants(u.write(id, "", terminal.WriteOptions{}), `exit 0 "a\r\nbusy" 0s`)
	})
}

func TestAProcessThatComputesForEverCanBeInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUser(t, terminal.Config{})
		id := u.live(busy(nil), terminal.StartOptions{TTY: true})
		u.writeInVain(id, "a\n")
		u.wants(u.write(id, "\x03", terminal.WriteOptions{At: int64(time.Hour)}), `exit 130 "a\r\nbusy^C" 0s`)
	})
}

func TestTheContextOfAProgram(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
	u := newUser(t, terminal.Config{})
	var inside context.Context
	program := func(ctx context.Context, stdio terminal.Stdio) (int, error) {
		inside = ctx
		return cat(ctx, stdio)
	}
	if _, err := u.table.Start(ctx, program, terminal.StartOptions{TTY: true}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if inside.Value(key{}) != "value" || inside.Err() != nil {
		t.Errorf("the value is %v, the error %v", inside.Value(key{}), inside.Err())
	}
	u.write(1000, "\x04", terminal.WriteOptions{})
	if inside.Err() == nil {
		t.Error("it hasn't ended with the process")
	}
}

func TestCloseEndsAllProcesses(t *testing.T) {
	table := terminal.New(terminal.Config{})
	var ended sync.WaitGroup
	tracked := func(program terminal.Program) terminal.Program {
		ended.Add(1)
		return func(ctx context.Context, stdio terminal.Stdio) (int, error) {
			defer ended.Done()
			code, err := program(ctx, stdio)
			if !errors.Is(err, terminal.ErrClosed) || !errors.Is(context.Cause(ctx), terminal.ErrClosed) {
				t.Errorf("the program ends with %v", err)
			}
			return code, err
		}
	}
	for _, program := range []terminal.Program{cat, idle, ticker(2, time.Hour)} {
		if _, err := table.Start(t.Context(), tracked(program), terminal.StartOptions{TTY: true}); err != nil {
			t.Fatal(err)
		}
	}
	failures := make(chan error)
	go func() {
		_, err := table.Start(t.Context(), tracked(endless), terminal.StartOptions{})
		failures <- err
	}()
	for table.Len() < 4 {
		runtime.Gosched()
	}
	if err := table.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := <-failures; err != terminal.ErrClosed {
		t.Errorf("Start: %v", err)
	}
	ended.Wait()
	if _, err := table.Start(t.Context(), cat, terminal.StartOptions{}); err != terminal.ErrClosed {
		t.Errorf("Start after Close: %v", err)
	}
	if _, err := table.Write(t.Context(), 1000, "", terminal.WriteOptions{}); err != terminal.ErrClosed {
		t.Errorf("Write after Close: %v", err)
	}
	if err := table.Close(t.Context()); err != nil || table.Len() != 0 {
		t.Errorf("Close again: %v, and there are %d processes", err, table.Len())
	}
}

func TestCloseWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := terminal.New(terminal.Config{})
		release := make(chan struct{})
		deaf := func(_ context.Context, stdio terminal.Stdio) (int, error) {
			_, err := stdio.Stdin.Read(make([]byte, 1))
			<-release
			return 0, err
		}
		if _, err := table.Start(t.Context(), deaf, terminal.StartOptions{TTY: true}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := table.Close(ctx); err != context.DeadlineExceeded {
			t.Errorf("Close: %v", err)
		}
		close(release)
		if err := table.Close(t.Context()); err != nil {
			t.Errorf("Close again: %v", err)
		}
	})
}

func TestWhatAProcessLeavesBehindIsUseless(t *testing.T) {
	u := newUser(t, terminal.Config{})
	var left terminal.Stdio
	u.start(func(_ context.Context, stdio terminal.Stdio) (int, error) {
		left = stdio
		return 0, nil
	}, terminal.StartOptions{TTY: true})
	_, err1 := left.Stdin.Read(make([]byte, 1))
	_, err2 := left.Stdout.Write([]byte("a"))
	_, err3 := left.Poll(time.Second)
	for _, err := range []error{err1, err2, err3, left.Sleep(time.Second)} {
		if err != os.ErrClosed {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestWritesToOneProcessTakeTurns(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{TTY: true})
	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() {
			for j := range 20 {
				got := u.write(id, fmt.Sprintf("%d %d\n", i, j), terminal.WriteOptions{})
				if want := fmt.Sprintf("%d %d\r\n[%d %d\r\n]", i, j, i, j); string(got.Output) != want {
					t.Errorf("got %q, want %q", got.Output, want)
				}
			}
		})
	}
	writers.Wait()
}

func TestOneOfManyWritesSeesTheEnd(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(cat, terminal.StartOptions{TTY: true})
	var mu sync.Mutex
	ends, misses := 0, 0
	var writers sync.WaitGroup
	for range 10 {
		writers.Go(func() {
			update, err := u.table.Write(t.Context(), id, "\x04", terminal.WriteOptions{})
			mu.Lock()
			defer mu.Unlock()
			var missing *terminal.NotFoundError
			switch {
			case err == nil && update.ExitCode != nil:
				ends++
			case errors.As(err, &missing):
				misses++
			}
		})
	}
	writers.Wait()
	if ends != 1 || misses != 9 {
		t.Errorf("%d saw the end, %d no process", ends, misses)
	}
}

func TestATurnIsWaitedForNoLongerThanAContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUser(t, terminal.Config{})
		started, release := make(chan struct{}), make(chan struct{})
		program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
			_, err := stdio.Stdin.Read(make([]byte, 10))
			close(started)
			<-release
			return 0, err
		}
		id := u.live(program, terminal.StartOptions{TTY: true})
		first := make(chan terminal.Update)
		go func() { first <- u.write(id, "a\n", terminal.WriteOptions{}) }()
		<-started
		u.writeInVain(id, "")
		close(release)
		u.wants(<-first, `exit 0 "a\r\n" 0s`)
	})
}

func TestAProcessMayBeGoneWhenTheTurnComes(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(table *terminal.Table, release chan struct{})
		want error
	}{
		{"it has finished", func(_ *terminal.Table, release chan struct{}) { close(release) }, &terminal.NotFoundError{ID: 1000}},
		{"the table is closed", func(table *terminal.Table, _ chan struct{}) { _ = table.Close(context.Background()) }, terminal.ErrClosed},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := newUser(t, terminal.Config{})
				release, second := make(chan struct{}), make(chan error, 1)
				id := u.live(busy(release), terminal.StartOptions{TTY: true})
				go func() { _, _ = u.table.Write(t.Context(), id, "a\n", terminal.WriteOptions{}) }()
				synctest.Wait()
				go func() {
					_, err := u.table.Write(t.Context(), id, "b\n", terminal.WriteOptions{})
					second <- err
				}()
				synctest.Wait()
				test.end(u.table, release)
				if err := <-second; err.Error() != test.want.Error() {
					t.Errorf("the error is %v, want %v", err, test.want)
				}
			})
		})
	}
}

func TestManyProcessesAtOnce(t *testing.T) {
	u := newUser(t, terminal.Config{})
	var users sync.WaitGroup
	for i := range 40 {
		users.Go(func() {
			id := u.live(cat, terminal.StartOptions{TTY: true})
			for range 10 {
				u.write(id, "a\n", terminal.WriteOptions{})
			}
			if i%2 == 0 {
				u.write(id, "\x04", terminal.WriteOptions{})
			}
		})
	}
	users.Wait()
	if u.table.Len() != 20 {
		t.Errorf("%d processes are left, want 20", u.table.Len())
	}
}

// The goroutines of a program may all print, read and sleep. What comes of it
// isn't the same each time, but all comes.
func TestAProgramMayHaveManyGoroutines(t *testing.T) {
	u := newUser(t, terminal.Config{})
	program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				_, _ = io.WriteString(stdio.Stdout, "x")
				_ = stdio.Sleep(time.Second)
				_, _ = stdio.Poll(time.Second)
				_, _ = io.WriteString(stdio.Stderr, "x")
			})
		}
		all.Wait()
		return 0, nil
	}
	update := u.start(program, terminal.StartOptions{TTY: true})
	output := string(update.Output)
	for update.ExitCode == nil {
		update = u.write(1000, "", terminal.WriteOptions{})
		output += string(update.Output)
	}
	if output != strings.Repeat("x", 20) {
		t.Errorf("the output is %q", output)
	}
}
