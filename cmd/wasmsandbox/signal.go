package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// A signalError is why the context of a command ended.
type signalError struct{ number int }

func (e *signalError) Error() string { return fmt.Sprintf("ended by signal %d", e.number) }

// withSignals makes a context that ends with the first SIGINT or SIGTERM. The
// second one kills, in case something doesn't heed the context. SIGPIPE is
// taken, so that writing to a closed pipe fails instead of killing before
// anything is cleaned up.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) { // as in a script's background
			signal.Notify(signals, s)
		}
	}
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			number, _ := s.(syscall.Signal)
			cancel(&signalError{int(number)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Stop(pipe)
		cancel(nil)
	}
}

// interruptedBy is the number of the signal that ended the context, or 0.
func interruptedBy(ctx context.Context) int {
	if s, ok := errors.AsType[*signalError](context.Cause(ctx)); ok {
		return s.number
	}
	return 0
}
