package wasi

import (
	"encoding/binary"
	"math"
)

const (
	maxSubscriptions = 1024
	subscriptionSize = 48
	eventSize        = 32

	kindClock   = 0
	kindFdRead  = 1
	kindFdWrite = 2

	clockAbsolute = 1       // flag of a subscription to a clock
	hangup        = 1       // flag of an event: the other end has closed
	writable      = 1 << 16 // what a stream says it takes, in bytes
)

// A subscription is something to wait for, and the event that answers it.
type subscription struct {
	userdata uint64
	kind     byte
	wait     uint64 // nanoseconds until the event

	err       errno
	available uint64 // bytes
	flags     uint16
}

// pollOneoff never waits. Streams are always ready, and when only clocks are
// asked for, time moves on to the earliest.
func pollOneoff(e *Env, m memory, p params) errno {
	count := p.u32(2)
	if count == 0 || count > maxSubscriptions {
		return einval
	}
	in, ok1 := m.array(p.u32(0), count, subscriptionSize)
	out, ok2 := m.array(p.u32(1), count, eventSize)
	_, ok3 := m.view(p.u32(3), 4)
	if !ok1 || !ok2 || !ok3 {
		return efault
	}
	// Both arrays may overlap, so all is read before the first event is written.
	subscriptions := make([]subscription, count)
	wait := uint64(math.MaxUint64)
	for i := range subscriptions {
		s := e.subscription(in[i*subscriptionSize:])
		if s.kind > kindFdWrite {
			return einval
		}
		subscriptions[i] = s
		wait = min(wait, s.wait)
	}
	e.clock.advance(int64(min(wait, math.MaxInt64)))
	events := uint32(0)
	for _, s := range subscriptions {
		if s.wait <= wait {
			s.write(out[events*eventSize:])
			events++
		}
	}
	return m.putU32(p.u32(3), events)
}

func (e *Env) subscription(b []byte) subscription {
	s := subscription{userdata: getU64(b), kind: b[8]}
	switch target := getU32(b[16:]); s.kind {
	case kindClock:
		absolute := binary.LittleEndian.Uint16(b[40:])&clockAbsolute != 0
		s.wait, s.err = e.clock.until(target, getU64(b[24:]), absolute)
	case kindFdRead:
		s.available = uint64(len(e.stdin))
		if s.available == 0 {
			s.flags = hangup
		}
		s.expect(e.stream(target) == stdin)
	case kindFdWrite:
		s.available = writable
		s.expect(e.stream(target) == stdout || e.stream(target) == stderr)
	}
	return s
}

// expect makes the event an error when the descriptor isn't the right one.
func (s *subscription) expect(ok bool) {
	if !ok {
		s.err, s.available, s.flags = ebadf, 0, 0
	}
}

func (s *subscription) write(b []byte) {
	clear(b[:eventSize])
	putU64(b, s.userdata)
	binary.LittleEndian.PutUint16(b[8:], uint16(s.err))
	b[10] = s.kind
	putU64(b[16:], s.available)
	binary.LittleEndian.PutUint16(b[24:], s.flags)
}

// until is how far away a timeout of a clock is, in nanoseconds.
func (c *clock) until(id uint32, timeout uint64, absolute bool) (uint64, errno) {
	now, ok := c.at(id)
	switch {
	case !ok:
		return 0, einval
	case absolute:
		return timeout - min(timeout, now), success
	}
	return timeout, success
}
