package terminal

import (
	"context"
	"strings"
	"time"
)

// write makes one call: the process comes to the time of the call, gets what is
// typed, and runs until the deadline. The caller has the turn.
func (p *process) write(ctx context.Context, chars string, options WriteOptions) error {
	start, behind := p.begin(options.At)
	if behind {
		if err := p.runTo(ctx, start); err != nil {
			return err
		}
	}
	if err := p.feed(chars, start); err != nil {
		return err
	}
	return p.runTo(ctx, after(start, writeYield(options.YieldTime, chars == "")))
}

// begin is the time of a call that is made at a time, or right after the last.
// Behind says that the process has to come there first. It is false for one that
// still computes for an earlier call, so that it can be interrupted.
func (p *process) begin(at int64) (start int64, behind bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.limit, at), p.limit < at && p.settled()
}

// feed types characters. A process that has finished doesn't mind.
func (p *process) feed(chars string, start int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start = start
	switch {
	case chars == "" || p.exited || p.killed != nil:
		return nil
	case !p.fits(chars):
		return ErrInputFull
	case !p.tty:
		p.input.push([]byte(chars))
	default:
		for interrupted, lives := true, true; interrupted && lives; {
			if chars, interrupted = p.terminal.typed(chars, &p.input, &p.output); interrupted {
				lives = p.interruptLocked()
			}
		}
	}
	p.changed.Broadcast()
	return nil
}

// fits says whether there is room for characters. An interrupt needs none: it
// empties the input.
func (p *process) fits(chars string) bool {
	if last := strings.LastIndexByte(chars, interruptChar); p.tty && last >= 0 {
		return len(chars)-last <= p.input.limit
	}
	return p.input.size+len(p.terminal.line)+len(chars) <= p.input.limit
}

// update tells what became of a process that has settled, and why it can't go on.
func (p *process) update(maxTokens *int) (u Update, finished bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	u.Output, u.Dropped = p.output.take(!p.exited)
	u.Output, u.OriginalTokenCount = Truncate(u.Output, maxTokens)
	if !p.exited {
		u.ProcessID = new(p.id)
		u.Elapsed = time.Duration(p.limit - p.start)
		return u, false, nil
	}
	u.Elapsed = time.Duration(max(p.now-p.start, 0))
	if p.err == nil {
		u.ExitCode = new(p.code)
	}
	return u, true, p.err
}
