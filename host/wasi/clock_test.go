package wasi

import (
	"math"
	"testing"
	"time"
)

func TestEveryReadOfAClockTicks(t *testing.T) {
	w := newWorld(t, Config{Now: 1_000_000, Tick: 10})
	w.wants(success, "clock_time_get", clockRealtime, 1, 0)
	w.wants(success, "clock_time_get", clockRealtime, 1, 8)
	w.wants(success, "clock_time_get", clockMonotonic, 1, 16)
	if w.u64(0) != 1_000_010 || w.u64(8) != 1_000_020 || w.u64(16) != 31 {
		t.Errorf("read %d, %d and %d", w.u64(0), w.u64(8), w.u64(16))
	}
	if got := w.env.Now(); got != 1_000_030 {
		t.Errorf("Now = %d", got)
	}
}

func TestTheResolutionIsTheTick(t *testing.T) {
	for tick, want := range map[time.Duration]uint64{0: 1000, 25: 25, -1: 1} {
		w := newWorld(t, Config{Tick: tick})
		w.wants(success, "clock_res_get", clockMonotonic, 8)
		if got := w.u64(8); got != want {
			t.Errorf("tick %d: resolution %d, want %d", tick, got, want)
		}
	}
}

func TestAClockThatDoesNotExistIsEINVAL(t *testing.T) {
	w := newWorld(t, Config{})
	for _, id := range []uint64{2, 3, 4, 0xffff_ffff} {
		w.wants(einval, "clock_time_get", id, 0, 0)
		w.wants(einval, "clock_res_get", id, 0)
	}
}

func TestABadPointerDoesNotMoveTheClock(t *testing.T) {
	w := newWorld(t, Config{Now: 5})
	w.wants(efault, "clock_time_get", clockRealtime, 0, memorySize-7)
	w.wants(efault, "clock_time_get", clockRealtime, 0, 0xffff_fffc)
	w.wants(efault, "clock_res_get", clockRealtime, memorySize-7)
	if got := w.env.Now(); got != 5 {
		t.Errorf("Now = %d, want 5", got)
	}
}

func TestTheClocksNeverGoBack(t *testing.T) {
	c := newClock(100, -1)
	for _, step := range []struct{ to, realtime, monotonic int64 }{
		{150, 150, 51},
		{10, 150, 51},
		{160, 160, 61},
		{math.MinInt64, 160, 61},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64 - 99},
	} {
		c.advanceTo(step.to)
		if c.realtime != step.realtime || c.monotonic != step.monotonic {
			t.Errorf("advanceTo(%d): %d and %d, want %d and %d", step.to, c.realtime, c.monotonic, step.realtime, step.monotonic)
		}
	}
}

func TestTimeStopsAtItsEnd(t *testing.T) {
	w := newWorld(t, Config{Now: math.MaxInt64 - 1, Tick: time.Hour})
	w.wants(success, "clock_time_get", clockRealtime, 0, 0)
	w.wants(success, "clock_time_get", clockRealtime, 0, 8)
	if w.u64(0) != math.MaxInt64 || w.u64(8) != math.MaxInt64 {
		t.Errorf("read %d and %d", w.u64(0), w.u64(8))
	}
}

func TestTimeBefore1970ReadsAs1970(t *testing.T) {
	w := newWorld(t, Config{Now: -5000, Tick: -1})
	w.wants(success, "clock_time_get", clockRealtime, 0, 0)
	if w.u64(0) != 0 || w.env.Now() != -5000 {
		t.Errorf("read %d, Now = %d", w.u64(0), w.env.Now())
	}
}

func TestRandomBytesComeFromTheSeed(t *testing.T) {
	read := func(seed uint64) string {
		w := newWorld(t, Config{Seed: seed})
		w.wants(success, "random_get", 100, 40)
		w.wants(success, "random_get", 140, 0)
		return string(w.in.Bytes()[100:140])
	}
	seeds := map[string]uint64{} // by their bytes
	for _, seed := range []uint64{0, 1, 2, 3, 1 << 31, 1 << 32, 1 << 63, math.MaxUint64} {
		first := read(seed)
		if again := read(seed); again != first {
			t.Errorf("the seed %d gives other bytes the second time", seed)
		}
		if other, given := seeds[first]; given {
			t.Errorf("the seeds %d and %d give the same bytes", other, seed)
		}
		seeds[first] = seed
	}
}

func TestRandomBytesStayInsideTheMemory(t *testing.T) {
	w := newWorld(t, Config{})
	w.wants(efault, "random_get", memorySize-10, 11)
	w.wants(efault, "random_get", 16, 0xffff_ffff)
	w.wants(success, "random_get", memorySize-10, 10)
}
