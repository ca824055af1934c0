package wasi

import (
	"encoding/binary"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

const pollOut, pollCount = 10_000, 20_000

// waitFor writes a subscription; its place is also its user data.
func (w *world) waitFor(i int, kind byte, target uint32, timeout uint64, flags uint16) {
	b := w.in.Bytes()[i*subscriptionSize:]
	clear(b[:subscriptionSize])
	binary.LittleEndian.PutUint64(b, uint64(i))
	b[8] = kind
	binary.LittleEndian.PutUint32(b[16:], target)
	binary.LittleEndian.PutUint64(b[24:], timeout)
	binary.LittleEndian.PutUint16(b[40:], flags)
}

type got struct {
	i    uint64
	err  errno
	kind byte
}

func (w *world) poll(n uint64) (events []got) {
	w.t.Helper()
	w.wants(success, "poll_oneoff", 0, pollOut, n, pollCount)
	for i := range int(w.u32(pollCount)) {
		b := w.in.Bytes()[pollOut+i*eventSize:]
		events = append(events, got{binary.LittleEndian.Uint64(b), errno(binary.LittleEndian.Uint16(b[8:])), b[10]})
	}
	return events
}

func wantEvents(t *testing.T, got []got, want ...got) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("events %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("event %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// The clock of a bubble of synctest stands still unless something waits for it.
func TestSleepingMovesTimeOnWithoutWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Config{Now: 1000})
		w.waitFor(0, kindClock, clockMonotonic, uint64(time.Hour), 0)
		begin := time.Now()
		wantEvents(t, w.poll(1), got{0, success, kindClock})
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("it waited for %v", waited)
		}
		if got, want := w.env.Now(), 1000+int64(time.Hour); got != want {
			t.Errorf("Now = %d, want %d", got, want)
		}
	})
}

func TestTheEarliestClockEndsAPoll(t *testing.T) {
	w := newWorld(t, Config{Now: 1000})
	w.waitFor(0, kindClock, clockRealtime, 900, 0)
	w.waitFor(1, kindClock, clockRealtime, 1500, clockAbsolute)
	w.waitFor(2, kindClock, clockMonotonic, 500, 0)
	w.waitFor(3, kindClock, clockMonotonic, 502, clockAbsolute)
	wantEvents(t, w.poll(4), got{1, success, kindClock}, got{2, success, kindClock})
	if got := w.env.Now(); got != 1500 {
		t.Errorf("Now = %d, want 1500", got)
	}
}

func TestATimeInThePastEndsAPollAtOnce(t *testing.T) {
	w := newWorld(t, Config{Now: 1000})
	w.waitFor(0, kindClock, clockRealtime, 1, clockAbsolute)
	w.waitFor(1, kindClock, clockRealtime, 1, 0)
	wantEvents(t, w.poll(2), got{0, success, kindClock})
	if got := w.env.Now(); got != 1000 {
		t.Errorf("Now = %d, want 1000", got)
	}
}

func TestStreamsAreReadyAtOnce(t *testing.T) {
	w := newWorld(t, Config{Now: 1000, Stdin: []byte("abc")})
	w.waitFor(0, kindClock, clockRealtime, 100, 0)
	w.waitFor(1, kindFdRead, 0, 0, 0)
	w.waitFor(2, kindFdWrite, 1, 0, 0)
	w.waitFor(3, kindFdWrite, 2, 0, 0)
	wantEvents(t, w.poll(4), got{1, success, kindFdRead}, got{2, success, kindFdWrite}, got{3, success, kindFdWrite})
	if n, flags := w.u64(pollOut+16), w.u32(pollOut+24); n != 3 || flags != 0 {
		t.Errorf("%d bytes can be read, flags %d", n, flags)
	}
	if got := w.env.Now(); got != 1000 {
		t.Errorf("Now = %d, want 1000", got)
	}
	w.env.input.given = nil
	w.poll(4)
	if n, flags := w.u64(pollOut+16), w.u32(pollOut+24); n != 0 || flags != hangup {
		t.Errorf("%d bytes can be read, flags %d", n, flags)
	}
}

func TestABadSubscriptionIsAnEventWithAnError(t *testing.T) {
	w := newWorld(t, Config{Now: 1000})
	w.waitFor(0, kindClock, 9, 100, 0)
	w.waitFor(1, kindFdRead, 1, 0, 0)
	w.waitFor(2, kindFdWrite, 0, 0, 0)
	w.waitFor(3, kindFdRead, 7, 0, 0)
	w.waitFor(4, kindClock, clockRealtime, 100, 0)
	wantEvents(t, w.poll(5), got{0, einval, kindClock}, got{1, ebadf, kindFdRead},
		got{2, ebadf, kindFdWrite}, got{3, ebadf, kindFdRead})
}

func TestABadPollIsAnError(t *testing.T) {
	w := newWorld(t, Config{Now: 1000})
	w.waitFor(0, kindClock, clockRealtime, 100, 0)
	w.wants(einval, "poll_oneoff", 0, pollOut, 0, pollCount)
	w.wants(einval, "poll_oneoff", 0, pollOut, maxSubscriptions+1, pollCount)
	w.wants(einval, "poll_oneoff", 0, pollOut, 0xffff_ffff, pollCount)
	w.wants(efault, "poll_oneoff", memorySize-47, pollOut, 1, pollCount)
	w.wants(efault, "poll_oneoff", 0, memorySize-31, 1, pollCount)
	w.wants(efault, "poll_oneoff", 0, pollOut, 1, memorySize-3)
	w.waitFor(0, 3, 0, 0, 0)
	w.wants(einval, "poll_oneoff", 0, pollOut, 1, pollCount)
	if got := w.env.Now(); got != 1000 {
		t.Errorf("Now = %d, want 1000", got)
	}
}

func TestEventsMayOverwriteTheirSubscriptions(t *testing.T) {
	w := newWorld(t, Config{})
	for i := range 3 {
		w.waitFor(i, kindFdWrite, 1, 0, 0)
	}
	w.wants(success, "poll_oneoff", 0, 0, 3, pollCount)
	for i := range 3 {
		if got := w.u64(i * eventSize); got != uint64(i) {
			t.Errorf("event %d answers %d", i, got)
		}
	}
}

func TestASleepForeverEndsAtTheEndOfTime(t *testing.T) {
	w := newWorld(t, Config{Now: 1000})
	w.waitFor(0, kindClock, clockRealtime, math.MaxUint64, 0)
	wantEvents(t, w.poll(1), got{0, success, kindClock})
	wantEvents(t, w.poll(1), got{0, success, kindClock})
	if got := w.env.Now(); got != math.MaxInt64 {
		t.Errorf("Now = %d", got)
	}
}
