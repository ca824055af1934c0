package shell

import (
	"context"
	"io"
	"runtime/debug"
)

// A patient reader waits for another one no longer than its context lasts. Who
// waits is a goroutine, which is given up then: it ends when the Read does.
type patient struct {
	ctx  context.Context
	from io.Reader
	rest []byte // read, and not yet taken
	err  error  // what came with it
}

// mostAtOnce is how much is read at once.
const mostAtOnce = 32 << 10

func (p *patient) Read(b []byte) (int, error) {
	if len(p.rest) == 0 && p.err == nil {
		p.fill(min(len(b), mostAtOnce))
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	if len(p.rest) > 0 {
		return n, nil
	}
	err := p.err
	p.err = nil // on a terminal the end isn't for good
	return n, err
}

// fill reads up to a number of bytes.
func (p *patient) fill(most int) {
	type reading struct {
		bytes []byte
		err   error
	}
	done := make(chan reading, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				done <- reading{nil, &InternalError{Cause: cause, Stack: debug.Stack()}}
			}
		}()
		b := make([]byte, most)
		n, err := p.from.Read(b)
		done <- reading{b[:n], err}
	}()
	select {
	case r := <-done:
		p.rest, p.err = r.bytes, r.err
	case <-p.ctx.Done():
		p.err = p.ctx.Err()
	}
}
