package wasi

import (
	"context"
	"errors"
	"io"
	"time"
)

// inputPiece is the most that is asked of an input at a time, in bytes.
const inputPiece = 64 << 10

// An input is standard input: bytes that are there, and where more come from.
type input struct {
	given []byte // not read yet
	more  func(context.Context, []byte) (int, error)
	ended bool // the end was found, and isn't read yet
}

func newInput(config Config) input {
	if config.Input != nil {
		return input{more: config.Input}
	}
	return input{given: config.Stdin}
}

// available is how much can be read without waiting, and whether that is anything,
// which the end is as well.
func (in *input) available() (n int, ready bool) {
	return len(in.given), len(in.given) > 0 || in.more == nil || in.ended
}

// wait makes something available, of up to so many bytes.
func (in *input) wait(ctx context.Context, most int) error {
	if _, ready := in.available(); ready {
		return nil
	}
	piece := make([]byte, most)
	n, err := in.more(ctx, piece)
	in.given = piece[:max(0, min(n, most))]
	if len(in.given) == 0 && (err == nil || errors.Is(err, io.EOF)) {
		in.ended = true
	}
	if in.ended || len(in.given) > 0 {
		return nil // an error comes again
	}
	return err
}

// read takes of what is available. The end is read once: there may be more behind
// it, as in a terminal.
func (in *input) read(b []byte) int {
	n := copy(b, in.given)
	in.given = in.given[n:]
	in.ended = in.ended && n > 0
	return n
}

// awaitInput waits for input, or until time has elapsed, of which only Config's poll
// and sleep can tell.
func (e *Env) awaitInput(ctx context.Context, d time.Duration, timeout bool) (elapsed bool, err error) {
	if timeout && e.poll != nil {
		ready, err := e.poll(ctx, d)
		if err != nil || !ready {
			return true, err
		}
		return false, e.input.wait(ctx, inputPiece)
	}
	if !timeout || e.sleep == nil {
		return false, e.input.wait(ctx, inputPiece)
	}
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	slept := make(chan error, 1)
	go func() {
		defer cancel()
		slept <- e.sleep(both, d)
	}()
	failed := e.input.wait(both, inputPiece)
	cancel()
	woken := <-slept
	switch _, ready := e.input.available(); {
	case ready:
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case woken == nil:
		return true, nil
	case errors.Is(woken, context.Canceled):
		return false, failed
	}
	return false, woken
}
