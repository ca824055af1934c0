package wasi

import (
	"math"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

const (
	clockRealtime  = 0
	clockMonotonic = 1
)

// A clock is virtual time: two counters in nanoseconds that move together.
type clock struct {
	realtime  int64
	monotonic int64
	tick      int64
}

func newClock(now int64, tick time.Duration) clock {
	if tick == 0 {
		tick = DefaultTick
	}
	// Some runtimes, Go's among them, take a monotonic clock at 0 for a broken one.
	return clock{realtime: now, monotonic: 1, tick: max(int64(tick), 0)}
}

// advance moves time on by ns, which isn't negative. Time stops at its end.
func (c *clock) advance(ns int64) {
	c.realtime = saturating.Add(c.realtime, ns)
	c.monotonic = saturating.Add(c.monotonic, ns)
}

func (c *clock) advanceTo(ns int64) {
	if ns > c.realtime {
		elapsed := uint64(ns) - uint64(c.realtime)
		c.monotonic = saturating.Add(c.monotonic, int64(min(elapsed, math.MaxInt64)))
		c.realtime = ns
	}
}

// at is the value of a clock, or false for one that doesn't exist. WASI counts
// time without a sign: what was before 1970 reads as 1970.
func (c *clock) at(id uint32) (uint64, bool) {
	switch id {
	case clockRealtime:
		return uint64(max(c.realtime, 0)), true
	case clockMonotonic:
		return uint64(c.monotonic), true
	default:
		return 0, false
	}
}

func clockResGet(e *Env, m memory, p params) errno {
	if _, ok := e.clock.at(p.u32(0)); !ok {
		return einval
	}
	return m.putU64(p.u32(1), uint64(max(e.clock.tick, 1)))
}

func clockTimeGet(e *Env, m memory, p params) errno {
	if _, ok := e.clock.at(p.u32(0)); !ok {
		return einval
	}
	out, ok := m.view(p.u32(2), 8)
	if !ok {
		return efault
	}
	e.clock.advance(e.clock.tick)
	now, _ := e.clock.at(p.u32(0))
	putU64(out, now)
	return success
}
