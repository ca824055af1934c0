package terminal

import "os"

// A wait is what a program may wait for. It is over when one of them is there.
type wait struct {
	until int64 // a time
	input bool  // input
	quota bool  // that it may print again
}

// over says whether a wait is. One that has to end is, too. The lock is held.
func (p *process) over(w wait) bool {
	return p.killed != nil || p.interrupted || w.until <= p.limit || w.input && p.input.ready() || w.quota && p.quota > 0
}

// waitFor is how a program waits. Of more goroutines that do so each waits for the
// one before. The lock is held.
func (p *process) waitFor(w wait) error {
	for p.waits {
		p.changed.Wait()
	}
	p.waits, p.waitsFor = true, w
	defer func() { p.waits = false }()
	for !p.over(w) {
		p.changed.Broadcast()
		p.changed.Wait()
	}
	p.changed.Broadcast()
	return p.usable()
}

// usable is an error if the process has to end or has ended, or what it does has to. The lock
// is held.
func (p *process) usable() error {
	switch {
	case p.killed != nil:
		return p.killed
	case p.exited:
		return os.ErrClosed
	case p.interrupted:
		return ErrInterrupted
	default:
		return nil
	}
}
