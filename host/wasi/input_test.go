package wasi

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pieces is an input that gives one piece at a time, and then an error.
func pieces(err error, pieces ...string) func(context.Context, []byte) (int, error) {
	return func(_ context.Context, p []byte) (int, error) {
		if len(pieces) == 0 {
			return 0, err
		}
		n := copy(p, pieces[0])
		if pieces[0] = pieces[0][n:]; pieces[0] == "" {
			pieces = pieces[1:]
		}
		return n, nil
	}
}

// silence is an input that never comes.
func silence(ctx context.Context, _ []byte) (int, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestInputIsReadAsItComes(t *testing.T) {
	for _, end := range []error{nil, io.EOF} {
		w := newWorld(t, Config{Input: pieces(end, "one", "two three"), Stdin: []byte("not this")})
		w.vectors(0, 100, 2, 200, 4)
		for _, want := range []string{"on", "e", "two th", "ree", "", ""} {
			if want == "on" {
				w.wants(success, "fd_read", 0, 0, 1, 50) // one vector only
			} else {
				w.wants(success, "fd_read", 0, 0, 2, 50)
			}
			n := int(w.u32(50))
			if got := (string(w.in.Bytes()[100:102]) + string(w.in.Bytes()[200:204]))[:n]; got != want {
				t.Errorf("read %q, want %q", got, want)
			}
		}
	}
}

func TestAReadOfNothingDoesNotWait(t *testing.T) {
	w := newWorld(t, Config{Input: silence})
	w.vectors(0, 100, 0)
	w.wants(success, "fd_read", 0, 0, 1, 50)
}

func TestAnInputThatDoesNotBlock(t *testing.T) {
	w := newWorld(t, Config{Input: pieces(io.EOF, "one")})
	w.vectors(0, 100, 10)
	w.wants(success, "fd_fdstat_set_flags", 0, fdNonblock|fdAppend)
	w.wants(success, "fd_fdstat_get", 0, 200)
	if got := w.u32(200) >> 16; got != fdNonblock {
		t.Errorf("the flags are %d", got)
	}
	w.wants(eagain, "fd_read", 0, 0, 1, 50)
	w.waitFor(0, kindFdRead, 0, 0, 0)
	wantEvents(t, w.poll(1), got{0, success, kindFdRead})
	if n := w.u64(pollOut + 16); n != 3 {
		t.Errorf("%d bytes can be read", n)
	}
	w.vectors(0, 100, 10)
	w.wants(success, "fd_read", 0, 0, 1, 50)
	w.wants(eagain, "fd_read", 0, 0, 1, 50)
	w.waitFor(0, kindFdRead, 0, 0, 0)
	wantEvents(t, w.poll(1), got{0, success, kindFdRead})
	if n, flags := w.u64(pollOut+16), w.u32(pollOut+24); n != 0 || flags != hangup {
		t.Errorf("%d bytes can be read, flags %d", n, flags)
	}
	w.vectors(0, 100, 10)
	w.wants(success, "fd_read", 0, 0, 1, 50)
	if w.u32(50) != 0 {
		t.Error("the end isn't read")
	}
	w.wants(eagain, "fd_read", 0, 0, 1, 50) // there may be more behind it
}

func TestOtherStreamsHaveNoFlags(t *testing.T) {
	w := newWorld(t, Config{Stdin: []byte("x")})
	for fd := range uint64(3) {
		w.wants(success, "fd_fdstat_set_flags", fd, fdNonblock)
		w.wants(success, "fd_fdstat_get", fd, 200)
		if got := w.u32(200) >> 16; got != 0 {
			t.Errorf("fd %d: the flags are %d", fd, got)
		}
	}
}

// callError calls a function that ends the call with an error.
func (w *world) callError(ctx context.Context, name string, params ...uint64) error {
	return all[name].Call(ctx, w.in, params)
}

func TestAnInputThatFailsEndsTheCall(t *testing.T) {
	broken := errors.New("broken")
	w := newWorld(t, Config{Input: pieces(broken), Sleep: sleep})
	w.vectors(0, 100, 10)
	if err := w.callError(t.Context(), "fd_read", 0, 0, 1, 50); err != broken {
		t.Errorf("read: error %v", err)
	}
	w.waitFor(0, kindFdRead, 0, 0, 0)
	if err := w.callError(t.Context(), "poll_oneoff", 0, pollOut, 1, pollCount); err != broken {
		t.Errorf("poll: error %v", err)
	}
	w.waitFor(1, kindClock, clockRealtime, uint64(time.Hour), 0)
	if err := w.callError(t.Context(), "poll_oneoff", 0, pollOut, 2, pollCount); err != broken {
		t.Errorf("poll with a timeout: error %v", err)
	}
}

// waits are calls that wait for what never comes.
var waits = map[string]struct {
	config Config
	call   func(context.Context, *world) error
}{
	"read": {Config{Input: silence}, func(ctx context.Context, w *world) error {
		w.vectors(0, 100, 10)
		return w.callError(ctx, "fd_read", 0, 0, 1, 50)
	}},
	"poll": {Config{Input: silence}, func(ctx context.Context, w *world) error {
		w.waitFor(0, kindFdRead, 0, 0, 0)
		return w.callError(ctx, "poll_oneoff", 0, pollOut, 1, pollCount)
	}},
	"poll with a timeout": {Config{Input: silence, Sleep: sleep}, func(ctx context.Context, w *world) error {
		w.waitFor(0, kindFdRead, 0, 0, 0)
		w.waitFor(1, kindClock, clockRealtime, uint64(time.Hour), 0)
		return w.callError(ctx, "poll_oneoff", 0, pollOut, 2, pollCount)
	}},
	"sleep": {Config{Sleep: sleep}, func(ctx context.Context, w *world) error {
		w.waitFor(0, kindClock, clockRealtime, uint64(time.Hour), 0)
		return w.callError(ctx, "poll_oneoff", 0, pollOut, 1, pollCount)
	}},
}

func TestTheContextEndsAWait(t *testing.T) {
	for name, test := range waits {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				w := newWorld(t, test.config)
				if err := test.call(ctx, w); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error %v", err)
				}
				if got := w.env.Now(); got != 0 {
					t.Errorf("Now = %d", got)
				}
			})
		})
	}
}

func TestAPollEndsWithInputOrTime(t *testing.T) {
	late := func(ctx context.Context, p []byte) (int, error) {
		if err := sleep(ctx, time.Second); err != nil {
			return 0, err
		}
		return copy(p, "late"), nil
	}
	for name, test := range map[string]struct {
		config  Config
		timeout time.Duration
		want    []got
		now     time.Duration
	}{
		"input first":        {Config{Input: late, Sleep: sleep}, 2 * time.Second, []got{{0, success, kindFdRead}}, 0},
		"time first":         {Config{Input: late, Sleep: sleep}, time.Second / 2, []got{{1, success, kindClock}}, time.Second / 2},
		"no input":           {Config{Input: silence, Sleep: sleep}, time.Hour, []got{{1, success, kindClock}}, time.Hour},
		"no time":            {Config{Input: silence, Sleep: sleep}, 0, []got{{1, success, kindClock}}, 0},
		"time that is still": {Config{Input: late}, time.Hour, []got{{0, success, kindFdRead}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, test.config)
				w.waitFor(0, kindFdRead, 0, 0, 0)
				w.waitFor(1, kindClock, clockMonotonic, uint64(test.timeout), 0)
				wantEvents(t, w.poll(2), test.want...)
				if got := w.env.Now(); got != int64(test.now) {
					t.Errorf("Now = %v, want %v", time.Duration(got), test.now)
				}
			})
		})
	}
}

func TestSleepingTakesTheTimeThatItIsGiven(t *testing.T) {
	var slept []time.Duration
	w := newWorld(t, Config{Now: 1000, Sleep: func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}})
	w.waitFor(0, kindClock, clockMonotonic, uint64(time.Second), 0)
	w.waitFor(1, kindClock, clockRealtime, uint64(time.Hour), 0)
	w.poll(2)
	w.waitFor(0, kindClock, clockMonotonic, 0, 0)
	w.poll(1)
	w.waitFor(0, kindFdWrite, 1, 0, 0)
	w.poll(2)
	if len(slept) != 1 || slept[0] != time.Second {
		t.Errorf("slept %v, want once, for a second", slept)
	}
	if got := w.env.Now(); got != 1000+int64(time.Second) {
		t.Errorf("Now = %d", got)
	}
	tired := errors.New("tired")
	w = newWorld(t, Config{Sleep: func(context.Context, time.Duration) error { return tired }})
	w.waitFor(0, kindClock, clockMonotonic, 1, 0)
	if err := w.callError(t.Context(), "poll_oneoff", 0, pollOut, 1, pollCount); err != tired {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestOutputGoesWhereItIsTold(t *testing.T) {
	var stdout, stderr strings.Builder
	w := newWorld(t, Config{Stdout: &stdout, Stderr: &stderr, MaxStdout: 1, StrictStdout: true})
	w.put(100, "hello world")
	w.vectors(0, 100, 5, 105, 0, 106, 5)
	w.wants(success, "fd_write", 1, 0, 3, 50)
	w.wants(success, "fd_write", 2, 0, 1, 50)
	if stdout.String() != "helloworld" || stderr.String() != "hello" {
		t.Errorf("got %q and %q", stdout.String(), stderr.String())
	}
	if out := w.env.DrainStdout(); out.Total != 0 {
		t.Errorf("it is kept as well: %+v", out)
	}
	w = newWorld(t, Config{Stdout: failing{io.ErrClosedPipe}, Stderr: failing{io.ErrShortWrite}})
	w.vectors(0, 100, 5)
	w.wants(epipe, "fd_write", 1, 0, 1, 50)
	if err := w.callError(t.Context(), "fd_write", 2, 0, 1, 50); err != io.ErrShortWrite {
		t.Errorf("error %v", err)
	}
}

func TestPipesAreNoTerminal(t *testing.T) {
	w := newWorld(t, Config{Pipes: [3]bool{true, false, true}})
	for fd, want := range []byte{filetypeUnknown, filetypeCharacterDevice, filetypeUnknown} {
		w.wants(success, "fd_fdstat_get", uint64(fd), 0)
		w.wants(success, "fd_filestat_get", uint64(fd), 100)
		if b := w.in.Bytes(); b[0] != want || b[116] != want {
			t.Errorf("fd %d is a %d and a %d, want %d", fd, b[0], b[116], want)
		}
	}
}

// BenchmarkInterruption tells how long after the end of its context a call returns that
// waits, on average and at worst.
func BenchmarkInterruption(b *testing.B) {
	for name, test := range waits {
		b.Run(name, func(b *testing.B) {
			var total, worst time.Duration
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), 10*time.Millisecond)
				if err := test.call(ctx, newWorld(b, test.config)); !errors.Is(err, context.DeadlineExceeded) {
					b.Fatal(err)
				}
				end, _ := ctx.Deadline()
				late := time.Since(end)
				cancel()
				total += late
				worst = max(worst, late)
			}
			b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "ms-late")
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-latest")
		})
	}
}
