package wasi_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// typist types a line after 100 ms, one 2.5 s later, and then the end.
func typist() func(context.Context, []byte) (int, error) {
	waits, lines := []time.Duration{100 * time.Millisecond, 2500 * time.Millisecond, 0}, []string{"one\n", "two\n", ""}
	var due <-chan time.Time
	return func(ctx context.Context, p []byte) (int, error) {
		if len(lines) == 0 {
			return 0, io.EOF
		}
		if due == nil { // else somebody has waited for it before
			due = time.After(waits[0])
		}
		select {
		case <-due:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		n := copy(p, lines[0])
		waits, lines, due = waits[1:], lines[1:], nil
		return n, nil
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestAProgramAtATerminalWaitsForLinesAndForTime(t *testing.T) {
	for name, test := range map[string]struct {
		program  func(*testing.T) engine.Module
		terminal string
		pipes    string
	}{
		"C": {
			func(t *testing.T) engine.Module {
				return compile(t, compileC(t, "testdata/cfiles/terminal.c", "wasm32-wasi"))
			},
			"terminal 1 1\n", "terminal 1 0\n",
		},
		"Go": {
			func(t *testing.T) engine.Module { return goProgram(t) },
			"terminal true\n", "terminal false\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, args := test.program(t), []string{"program", "terminal"}
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				err := runIn(t.Context(), m, wasi.NewEnv(wasi.Config{Args: args, Now: newYear, Input: typist(), Stdout: &out, Sleep: sleep}))
				want := test.terminal + "line one\nnothing\nnothing\nline two\nend\n"
				if got := out.String(); err != nil || got != want {
					t.Errorf("got %q, error %v, want %q", got, err, want)
				}
			})
			var out bytes.Buffer
			env := wasi.NewEnv(wasi.Config{Args: args, Now: newYear, Stdin: []byte("one\n"), Stdout: &out, Pipes: [3]bool{false, true, true}})
			if err := runIn(t.Context(), m, env); err != nil || out.String() != test.pipes+"line one\nend\n" {
				t.Errorf("got %q, error %v", out.String(), err)
			}
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				never := func(ctx context.Context, _ []byte) (int, error) { <-ctx.Done(); return 0, ctx.Err() }
				if err := runIn(ctx, m, wasi.NewEnv(wasi.Config{Args: args, Now: newYear, Input: never, Sleep: sleep})); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}
