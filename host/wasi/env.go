package wasi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// ErrOutputLimit is the error of a host function, and so of a call, that wrote
// more to a strict stream than its limit.
var ErrOutputLimit = errors.New("wasi: the guest wrote more than the limit")

// An Env is what surrounds one instance: its clocks, random bytes, streams and open
// files. Like the instance it isn't safe for concurrent use.
type Env struct {
	clock   clock
	random  *rand.ChaCha8
	args    []string
	environ []string
	input   input
	stdout  output
	stderr  output
	files   *workspace.Tree // nil: none
	fds     table
	// What each instance has open from the start, so that it needs no memory of its own.
	standard [3]descriptor
	first    [8]*descriptor

	caller engine.Instance   // of the function in progress, whose guest pays for it
	owed   int64             // what it has to pay yet
	from   *workspace.Handle // the folder that its path, or the first of two, starts at; nil: it has none

	listed int  // entries of folders that descriptors keep
	looked bool // the guest has used a function that looks at files, or changes them
	sleep  func(context.Context, time.Duration) error
	poll   func(context.Context, time.Duration) (bool, error)

	strictStdout, strictStderr bool
}

// NewEnv makes the Env of a new instance. Close is to be called in the end.
func NewEnv(config Config) *Env {
	e := &Env{
		clock:   newClock(config.Now, config.Tick),
		random:  newRandom(config.Seed),
		args:    config.Args,
		environ: config.Env,
		input:   newInput(config),
		stdout:  output{to: config.Stdout, kept: &head{limit: orDefault(config.MaxStdout, DefaultMaxStdout)}},
		stderr:  output{to: config.Stderr, kept: &tail{limit: orDefault(config.MaxStderr, DefaultMaxStderr)}},
		files:   config.Files,
		fds:     table{limit: orDefault(config.MaxDescriptors, DefaultMaxDescriptors)},
		sleep:   config.Sleep,
		poll:    config.Poll,

		strictStdout: config.StrictStdout, strictStderr: config.StrictStderr,
	}
	e.fds.open = e.first[:0]
	for i, pipe := range config.Pipes {
		e.standard[i] = newStream(stream(i+1), pipe)
		e.fds.open = append(e.fds.open, &e.standard[i])
	}
	if e.files != nil {
		e.preopen(config.Dir)
	}
	return e
}

func orDefault(limit, standard int) int {
	if limit == 0 {
		return standard
	}
	return max(limit, 0)
}

// Close gives up what the guest has left open. It can be called again.
func (e *Env) Close() {
	for fd := range e.fds.open {
		e.close(uint32(fd))
	}
}

// overflowed reports whether a strict stream has more than its limit.
func (e *Env) overflowed() bool {
	return e.strictStdout && e.stdout.overflowed() || e.strictStderr && e.stderr.overflowed()
}

// Now is the realtime clock in nanoseconds since 1970. It isn't a read: the
// clock doesn't tick.
func (e *Env) Now() int64 { return e.clock.realtime }

// AdvanceTo moves both clocks on, until the realtime clock is at ns. They don't go
// back: a guest that has slept beyond that time stays there.
func (e *Env) AdvanceTo(ns int64) { e.clock.advanceTo(ns) }

// DrainStdout gives what the guest has written to standard output since the
// last drain. When that was more than the limit, the first bytes are kept: who
// reads an answer reads it from the start, and sees that it isn't whole. The
// result belongs to the caller.
func (e *Env) DrainStdout() Output { return e.stdout.kept.drain() }

// DrainStderr gives what the guest has written to standard error since the last
// drain. When that was more than the limit, the last bytes are kept: a guest
// that dies says why at the end. The result belongs to the caller.
func (e *Env) DrainStderr() Output { return e.stderr.kept.drain() }

// An ExitError is the error of a host function, and so of a call, that ended
// because the guest called proc_exit. Code 0 is an end like any other: the
// instance must not be called again.
type ExitError struct {
	Code uint32
}

func (e *ExitError) Error() string { return fmt.Sprintf("wasi: the guest exited with code %d", e.Code) }
