package wasi

import (
	"context"
	"encoding/binary"
	"math"
	"time"
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

// forever is the wait for what no clock ends.
const forever = math.MaxUint64

// A subscription is something to wait for, and the event that answers it.
type subscription struct {
	userdata uint64
	kind     byte
	input    bool   // it waits for input that isn't there yet
	wait     uint64 // nanoseconds until the event

	err       errno
	available uint64 // bytes
	flags     uint16
}

// pollOneoff waits only for an input that does, and for as long as Config says of
// sleep. All else is ready at once; when only clocks are asked for, time moves on
// to the earliest.
func pollOneoff(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	count := p.u32(2)
	if count == 0 || count > maxSubscriptions {
		return einval, nil
	}
	in, ok1 := m.array(p.u32(0), count, subscriptionSize)
	out, ok2 := m.array(p.u32(1), count, eventSize)
	_, ok3 := m.view(p.u32(3), 4)
	if !ok1 || !ok2 || !ok3 {
		return efault, nil
	}
	e.owes(priceEvent * int(count))
	// Both arrays may overlap, so all is read before the first event is written.
	subscriptions := make([]subscription, count)
	for i := range subscriptions {
		s := e.subscription(in[i*subscriptionSize:])
		if s.kind > kindFdWrite {
			return einval, nil
		}
		subscriptions[i] = s
	}
	wait, err := e.await(ctx, subscriptions)
	if err != nil {
		return success, err
	}
	events := uint32(0)
	for _, s := range subscriptions {
		if s.wait <= wait && !s.input {
			s.write(out[events*eventSize:])
			events++
		}
	}
	return m.putU32(p.u32(3), events), nil
}

// await waits for the first event, and gives how much time has passed on the
// guest's clocks.
func (e *Env) await(ctx context.Context, subscriptions []subscription) (wait uint64, err error) {
	wait = forever
	forInput, timeout := false, false
	for _, s := range subscriptions {
		wait = min(wait, s.wait)
		forInput = forInput || s.input
		timeout = timeout || s.kind == kindClock
	}
	elapsed := true
	switch d := time.Duration(min(wait, math.MaxInt64)); {
	case wait == 0:
	case forInput:
		elapsed, err = e.awaitInput(ctx, d, timeout)
	case e.sleep != nil:
		err = e.sleep(ctx, d)
	}
	switch {
	case err != nil:
		return 0, err
	case elapsed:
		e.clock.advance(int64(min(wait, math.MaxInt64)))
		return wait, nil
	}
	for i := range subscriptions {
		if subscriptions[i].input {
			subscriptions[i].forInput(&e.input)
		}
	}
	return 0, nil
}

func (e *Env) subscription(b []byte) subscription {
	s := subscription{userdata: getU64(b), kind: b[8]}
	target := getU32(b[16:])
	d := e.fds.get(target)
	switch s.kind {
	case kindClock:
		absolute := binary.LittleEndian.Uint16(b[40:])&clockAbsolute != 0
		s.wait, s.err = e.clock.until(target, getU64(b[24:]), absolute)
	case kindFdRead:
		switch {
		case d == nil || d.rights&rightFdRead == 0:
			s.err = ebadf
		case d.stream == stdin:
			s.forInput(&e.input)
		default:
			s.available = uint64(max(d.handle.Info().Size-d.offset, 0))
		}
	case kindFdWrite:
		s.available = writable
		if d == nil || d.rights&rightFdWrite == 0 {
			s.err, s.available = ebadf, 0
		}
	}
	return s
}

// forInput makes the event what standard input is like.
func (s *subscription) forInput(in *input) {
	n, ready := in.available()
	s.available, s.input, s.wait, s.flags = uint64(n), !ready, 0, 0
	switch {
	case !ready:
		s.wait = forever
	case n == 0:
		s.flags = hangup
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
