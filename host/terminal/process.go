package terminal

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
)

// A process runs one program. Two sides share it, the goroutine of the program and
// the call that waits for it, of which there is one at a time. Each tells the other
// by the condition when it has changed something.
type process struct {
	id         int    // set when it is added to the table
	used       uint64 // when it was last used; under the table's lock
	tty        bool
	calls      turn
	writeLimit int

	mu      sync.Mutex
	changed *sync.Cond // over mu, which guards all below
	cancel  context.CancelCauseFunc

	now   int64 // how far the program has come, in nanoseconds since 1970
	start int64 // when the last call was made
	limit int64 // how far the program may go: the last call's deadline
	quota int   // how many bytes it may still print in this call

	waits    bool // the program waits for…
	waitsFor wait

	input    input
	terminal cooked
	output   output

	killed error // why it has to end; nil: it may live

	interrupt   func() // what ^C does; nil: it ends the process
	interrupted bool   // it was called, and hasn't been released

	exited bool
	code   int
	err    error
}

// exitInterrupted is the exit code of a process that ^C has ended.
const exitInterrupted = 130

func newProcess(config Config, options StartOptions) *process {
	p := &process{
		tty: options.TTY, calls: newTurn(), writeLimit: config.WriteLimit,
		now: options.At, start: options.At, limit: after(options.At, startYield(options.YieldTime)),
		quota:  config.WriteLimit,
		input:  input{limit: config.InputLimit, closed: !options.TTY && !options.Piped},
		output: output{limit: config.OutputLimit},
	}
	p.changed = sync.NewCond(&p.mu)
	return p
}

// run runs the program to its end.
func (p *process) run(ctx context.Context, program Program) {
	code, err := 0, error(&PanicError{})
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		p.exit(code, err)
	}()
	code, err = program(ctx, p.stdio())
}

func (p *process) exit(code int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case errors.Is(p.killed, ErrInterrupted):
		code, err = exitInterrupted, nil
	case p.killed != nil:
		err = p.killed
	}
	p.exited, p.code, p.err = true, code, err
	p.cancel(nil)
	p.changed.Broadcast()
}

// kill makes the program end, if it hasn't.
func (p *process) kill(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killLocked(cause)
}

func (p *process) killLocked(cause error) {
	if p.exited || p.killed != nil {
		return
	}
	p.killed = cause
	p.cancel(cause)
	p.changed.Broadcast()
}

// catch has a function called when ^C is typed, and at once if one is that hasn't been dealt with.
func (p *process) catch(interrupt func()) (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	outer := p.interrupt
	if p.interrupt = interrupt; p.interrupted {
		interrupt()
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.interrupt, p.interrupted = outer, false
	}
}

// interruptLocked does what ^C does, and reports whether the process lives on.
func (p *process) interruptLocked() bool {
	if p.interrupt == nil {
		p.killLocked(ErrInterrupted)
		return false
	}
	p.interrupted = true
	p.interrupt()
	return true
}

// settled says that nothing happens before the next call. The lock is held.
func (p *process) settled() bool { return p.exited || p.waits && !p.over(p.waitsFor) }

// runTo lets the program run up to a time, and waits until it has settled.
func (p *process) runTo(ctx context.Context, limit int64) error {
	p.mu.Lock()
	p.limit, p.quota = max(p.limit, limit), p.writeLimit
	p.changed.Broadcast()
	p.mu.Unlock()
	return p.await(ctx, p.settled)
}

// ended waits until the program has returned.
func (p *process) ended(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.exited })
}

// await waits for a condition, which is asked with the lock held.
func (p *process) await(ctx context.Context, condition func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.changed.Broadcast()
	})
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !condition() {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.changed.Wait()
	}
	return nil
}
