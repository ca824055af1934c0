package terminal_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

func TestAProcessThatFinishesHasAnExitCodeAndNoID(t *testing.T) { // S7.7
	u := newUser(t, terminal.Config{})
	got := u.start(func(_ context.Context, stdio terminal.Stdio) (int, error) {
		fmt.Fprint(stdio.Stdout, "out\n")
		fmt.Fprint(stdio.Stderr, "err\n")
		return 3, nil
	}, terminal.StartOptions{})
	u.wants(got, `exit 3 "out\nerr\n" 0s`)
	if u.table.Len() != 0 {
		t.Error("the process is still there")
	}
}

func TestAProcessThatLivesHasAnIDAndNoExitCode(t *testing.T) { // S7.7
	u := newUser(t, terminal.Config{})
	got := u.start(cat, terminal.StartOptions{Piped: true})
	u.wants(got, `process 1000 "" 10s`)
	u.wants(u.write(1000, "a\nb", terminal.WriteOptions{}), `process 1000 "[a\nb]" 250ms`)
	u.wants(u.write(1000, "", terminal.WriteOptions{}), `process 1000 "" 5s`)
}

func TestOutputIsToldOnce(t *testing.T) {
	u := newUser(t, terminal.Config{})
	u.wants(u.start(ticker(4, time.Second), terminal.StartOptions{YieldTime: 1500 * time.Millisecond}), `process 1000 "0 1 " 1.5s`)
	u.wants(u.write(1000, "", terminal.WriteOptions{}), `exit 0 "2 3 " 2.5s`)
}

func TestASleepThatEndsAtTheDeadlineIsOver(t *testing.T) {
	u := newUser(t, terminal.Config{})
	u.wants(u.start(ticker(2, 10*time.Second), terminal.StartOptions{}), `process 1000 "0 1 " 10s`)
	u.wants(u.write(1000, "", terminal.WriteOptions{YieldTime: 10*time.Second - time.Millisecond}), `process 1000 "" 9.999s`)
	u.wants(u.write(1000, "", terminal.WriteOptions{}), `exit 0 "" 1ms`)
}

func TestYieldTimesAreMovedIntoTheirBounds(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		rule               string
		chars              string
		given, start, want time.Duration
	}{
		{"S7.8 not given", "a", 0, 10 * time.Second, 250 * ms},
		{"S7.8 too short", "a", 249 * ms, 250 * ms, 250 * ms},
		{"S7.8 below zero", "a", -time.Hour, 250 * ms, 250 * ms},
		{"S7.8 in bounds", "a", 251 * ms, 251 * ms, 251 * ms},
		{"S7.8 at most", "a", 30 * time.Second, 30 * time.Second, 30 * time.Second},
		{"S7.8 too long", "a", 30*time.Second + ms, 30 * time.Second, 30 * time.Second},
		{"S7.8 beyond all bounds", "a", 1<<63 - 1, 30 * time.Second, 30 * time.Second},
		{"S7.8 whole milliseconds", "a", 251*ms + 999*time.Microsecond, 251 * ms, 251 * ms},
		{"S7.8 nothing written, not given", "", 0, 10 * time.Second, 5 * time.Second},
		{"S7.8 nothing written, too short", "", 4999 * ms, 4999 * ms, 5 * time.Second},
		{"S7.8 nothing written, longer", "", 5001 * ms, 5001 * ms, 5001 * ms},
		{"S7.8 nothing written, too long", "", time.Hour, 30 * time.Second, 30 * time.Second},
	} {
		t.Run(test.rule, func(t *testing.T) {
			u := newUser(t, terminal.Config{})
			if got := u.start(idle, terminal.StartOptions{TTY: true, YieldTime: test.given}); got.Elapsed != test.start {
				t.Errorf("Start waits %v, want %v", got.Elapsed, test.start)
			}
			if got := u.write(1000, test.chars, terminal.WriteOptions{YieldTime: test.given}); got.Elapsed != test.want {
				t.Errorf("Write waits %v, want %v", got.Elapsed, test.want)
			}
		})
	}
}

func TestTheClockIsVirtual(t *testing.T) {
	u := newUser(t, terminal.Config{})
	var at []time.Duration
	clock := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		note := func() { at = append(at, time.Duration(stdio.Now())) }
		note() // when it is started
		_ = stdio.Sleep(time.Second)
		note() // a second later
		_, err := stdio.Stdin.Read(make([]byte, 10))
		note() // when something is written
		_ = stdio.Sleep(0)
		_ = stdio.Sleep(-time.Second)
		note() // no time passes
		return 0, err
	}
	u.wants(u.start(clock, terminal.StartOptions{Piped: true, At: int64(time.Hour)}), `process 1000 "" 10s`)
	u.wants(u.write(1000, "a", terminal.WriteOptions{At: int64(2 * time.Hour)}), `exit 0 "" 0s`)
	want := []time.Duration{time.Hour, time.Hour + time.Second, 2 * time.Hour, 2 * time.Hour}
	if fmt.Sprint(at) != fmt.Sprint(want) {
		t.Errorf("the times are %v, want %v", at, want)
	}
}

func TestACallFollowsTheLastOneUnlessItIsMadeLater(t *testing.T) {
	u := newUser(t, terminal.Config{})
	tick := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		for {
			if _, err := stdio.Stdin.Read(make([]byte, 10)); err != nil {
				return 0, err
			}
			fmt.Fprintf(stdio.Stdout, "%v ", time.Duration(stdio.Now()))
		}
	}
	id := u.live(tick, terminal.StartOptions{Piped: true})
	u.wants(u.write(id, "a", terminal.WriteOptions{}), `process 1000 "10s " 250ms`)
	u.wants(u.write(id, "a", terminal.WriteOptions{At: int64(time.Second)}), `process 1000 "10.25s " 250ms`)
	u.wants(u.write(id, "a", terminal.WriteOptions{At: int64(time.Minute)}), `process 1000 "1m0s " 250ms`)
}

func TestAProcessComesToTheTimeOfACallBeforeItReads(t *testing.T) {
	u := newUser(t, terminal.Config{})
	program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		for {
			ready, err := stdio.Poll(8 * time.Second)
			if err != nil || ready {
				fmt.Fprintf(stdio.Stdout, "input at %v", time.Duration(stdio.Now()))
				return 0, err
			}
			fmt.Fprintf(stdio.Stdout, "none at %v, ", time.Duration(stdio.Now()))
		}
	}
	u.wants(u.start(program, terminal.StartOptions{TTY: true}), `process 1000 "none at 8s, " 10s`)
	got := u.write(1000, "a\n", terminal.WriteOptions{At: int64(30 * time.Second)})
	u.wants(got, `exit 0 "none at 16s, none at 24s, a\r\ninput at 30s" 0s`)
}

func TestPollWaitsForInputOrTime(t *testing.T) {
	u := newUser(t, terminal.Config{})
	var got []string
	program := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		for _, d := range []time.Duration{0, time.Second, -1, 0, -1, time.Second} {
			ready, err := stdio.Poll(d)
			got = append(got, fmt.Sprintf("%v: %v %v %v", d, ready, err, time.Duration(stdio.Now())))
		}
		return 0, nil
	}
	u.live(program, terminal.StartOptions{Piped: true})
	u.wants(u.write(1000, "a", terminal.WriteOptions{}), `exit 0 "" 0s`)
	want := "0s: false <nil> 0s|1s: false <nil> 1s|-1ns: true <nil> 10s|0s: true <nil> 10s|-1ns: true <nil> 10s|1s: true <nil> 10s"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestAProcessThatPrintsForEverPauses(t *testing.T) {
	u := newUser(t, terminal.Config{OutputLimit: 20, WriteLimit: 100})
	yes := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		for {
			if _, err := io.WriteString(stdio.Stdout, "yes\n"); err != nil {
				return 0, err
			}
		}
	}
	got := u.start(yes, terminal.StartOptions{TTY: true})
	u.wants(got, `process 1000 "yes\r\nyes\r\n…105 bytes dropped…yes\r\nyes\r\n" 10s`)
	if got.Dropped != 105 {
		t.Errorf("%d bytes are said to be dropped", got.Dropped)
	}
	u.wants(u.write(1000, "", terminal.WriteOptions{}), `process 1000 "yes\r\nyes\r\n…105 bytes dropped…yes\r\nyes\r\n" 5s`)
	u.wants(u.write(1000, "\x03", terminal.WriteOptions{}), `exit 130 "^C" 0s`)
}

func TestOneLargeWriteIsTakenInParts(t *testing.T) {
	u := newUser(t, terminal.Config{WriteLimit: 10})
	once := func(_ context.Context, stdio terminal.Stdio) (int, error) {
		n, err := stdio.Stdout.Write([]byte("0123456789abcdefghijKL"))
		return n, err
	}
	u.wants(u.start(once, terminal.StartOptions{}), `process 1000 "0123456789" 10s`)
	u.wants(u.write(1000, "", terminal.WriteOptions{}), `process 1000 "abcdefghij" 5s`)
	u.wants(u.write(1000, "", terminal.WriteOptions{}), `exit 22 "KL" 0s`)
}

func TestOutputBeyondTheLimitLosesItsMiddle(t *testing.T) {
	for _, test := range []struct {
		name, printed, want string
		dropped             int64
	}{
		{"as much as the limit", "0123456789", "0123456789", 0},
		{"a byte more", "0123456789a", "01234…1 bytes dropped…6789a", 1},
		{"much more", strings.Repeat("0123456789", 1000), "01234…9990 bytes dropped…56789", 9990},
		{"characters stay whole", "012€€€789", "012…9 bytes dropped…789", 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 7, 11, 10_000} {
				u := newUser(t, terminal.Config{OutputLimit: 10})
				got := u.start(func(_ context.Context, stdio terminal.Stdio) (int, error) {
					for rest := []byte(test.printed); len(rest) > 0; {
						n, _ := stdio.Stdout.Write(rest[:min(size, len(rest))])
						rest = rest[n:]
					}
					return 0, nil
				}, terminal.StartOptions{})
				if string(got.Output) != test.want || got.Dropped != test.dropped {
					t.Fatalf("in pieces of %d: %q, %d dropped, want %q", size, got.Output, got.Dropped, test.want)
				}
			}
		})
	}
}

func TestCharactersAreNeverCut(t *testing.T) {
	u := newUser(t, terminal.Config{})
	id := u.live(printer("a\xe2\x82", "\xac\xf0\x9f", "\x98\x80b\xc3", "c\xff\x80", "\xe2\x82"), terminal.StartOptions{Piped: true})
	for _, want := range []string{
		`process 1000 "a" 250ms`,
		`process 1000 "€" 250ms`,
		`process 1000 "😀b" 250ms`,
		`process 1000 "\xc3c\xff\x80" 250ms`, // bytes that aren't UTF-8 pass
		`exit 0 "\xe2\x82" 0s`,               // and so do those left at the end
	} {
		u.wants(u.write(id, "\n", terminal.WriteOptions{}), want)
	}
}

func TestOutputIsCutToTokens(t *testing.T) { // S7.9
	u := newUser(t, terminal.Config{})
	id := u.live(printer(strings.Repeat("x", 40), strings.Repeat("y", 36)), terminal.StartOptions{Piped: true})
	got := u.write(id, "\n", terminal.WriteOptions{MaxOutputTokens: new(9)})
	u.wants(got, `process 1000 "xxxxx…8 tokens truncated…xxxxxx" 250ms`)
	if got.OriginalTokenCount == nil || *got.OriginalTokenCount != 10 {
		t.Errorf("the token count is %v, want 10", got.OriginalTokenCount)
	}
	got = u.write(id, "\n", terminal.WriteOptions{MaxOutputTokens: new(9)})
	if got.OriginalTokenCount != nil || !bytes.Equal(got.Output, bytes.Repeat([]byte("y"), 36)) {
		t.Errorf("what fits is cut: %s", show(got))
	}
}

// A bubble of synctest would see a timer, and stand still where a goroutine waits
// for what no other does.
func TestNothingWaitsForRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUser(t, terminal.Config{})
		begin := time.Now()
		id := u.live(ticker(1000, time.Minute), terminal.StartOptions{TTY: true})
		for range 100 {
			u.write(id, "", terminal.WriteOptions{YieldTime: 30 * time.Second})
		}
		u.write(id, "\x03", terminal.WriteOptions{})
		if elapsed := time.Since(begin); elapsed != 0 {
			t.Errorf("it took %v", elapsed)
		}
	})
}

func TestTheSameCallsGiveTheSameUpdates(t *testing.T) {
	session := func() string {
		u := newUser(t, terminal.Config{})
		var log strings.Builder
		note := func(update terminal.Update) { fmt.Fprintln(&log, show(update)) }
		note(u.start(ticker(7, 1700*time.Millisecond), terminal.StartOptions{YieldTime: time.Second}))
		note(u.start(cat, terminal.StartOptions{TTY: true}))
		for i := range 5 {
			note(u.write(1000, "", terminal.WriteOptions{YieldTime: time.Second}))
			note(u.write(1001, fmt.Sprintf("line %d\n", i), terminal.WriteOptions{}))
			if i == 2 {
				break
			}
		}
		note(u.write(1001, "\x04", terminal.WriteOptions{}))
		return log.String()
	}
	want := session()
	for range 50 {
		if got := session(); got != want {
			t.Fatalf("the updates are\n%s\nand were\n%s", got, want)
		}
	}
}
