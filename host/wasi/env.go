package wasi

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// DefaultTick is how much a clock moves on each time it is read.
const DefaultTick = time.Microsecond

// The default limits of what is kept of the output between two drains, in bytes.
const (
	DefaultMaxStdout = 1 << 20
	DefaultMaxStderr = 64 << 10
)

// Config describes the world of an instance. The zero value works.
type Config struct {
	// Now is what the realtime clock starts from, in nanoseconds since 1970.
	Now int64

	// Tick is how much the clocks move on before each read. 0 means
	// DefaultTick; a clock with a negative tick stands still.
	Tick time.Duration

	// Seed decides all random bytes.
	Seed uint64

	// Args are the arguments, the program's name first. They are kept, and must
	// not change; none may have a NUL byte, where C sees the end of a string.
	Args []string

	// Env is the environment, as in "KEY=value". The same goes for it.
	Env []string

	// Stdin is what the guest can read. It is kept, and must not change.
	Stdin []byte

	// MaxStdout and MaxStderr bound what is kept of the output between two
	// drains, in bytes. 0 means the default, less than 0 that nothing is kept.
	MaxStdout, MaxStderr int

	// StrictStdout and StrictStderr end the call of a guest that writes more than
	// the limit, with ErrOutputLimit.
	StrictStdout, StrictStderr bool
}

// ErrOutputLimit is the error of a host function, and so of a call, that wrote
// more to a strict stream than its limit.
var ErrOutputLimit = errors.New("wasi: the guest wrote more than the limit")

// An Env is the world of one instance: its clocks, random bytes and streams.
// Like the instance it isn't safe for concurrent use.
type Env struct {
	clock   clock
	random  *rand.ChaCha8
	args    []string
	environ []string
	stdin   []byte // not read yet
	stdout  head
	stderr  tail
	fds     [3]stream

	strictStdout, strictStderr bool
}

// NewEnv makes the world for a new instance.
func NewEnv(config Config) *Env {
	return &Env{
		clock:   newClock(config.Now, config.Tick),
		random:  newRandom(config.Seed),
		args:    config.Args,
		environ: config.Env,
		stdin:   config.Stdin,
		stdout:  head{limit: orDefault(config.MaxStdout, DefaultMaxStdout)},
		stderr:  tail{limit: orDefault(config.MaxStderr, DefaultMaxStderr)},
		fds:     [3]stream{stdin, stdout, stderr},

		strictStdout: config.StrictStdout, strictStderr: config.StrictStderr,
	}
}

func orDefault(limit, standard int) int {
	if limit == 0 {
		return standard
	}
	return max(limit, 0)
}

// overflowed reports whether a strict stream has more than its limit.
func (e *Env) overflowed() bool {
	return e.strictStdout && e.stdout.total > uint64(e.stdout.limit) ||
		e.strictStderr && e.stderr.total > uint64(e.stderr.limit)
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
func (e *Env) DrainStdout() Output { return e.stdout.drain() }

// DrainStderr gives what the guest has written to standard error since the last
// drain. When that was more than the limit, the last bytes are kept: a guest
// that dies says why at the end. The result belongs to the caller.
func (e *Env) DrainStderr() Output { return e.stderr.drain() }

// An ExitError is the error of a host function, and so of a call, that ended
// because the guest called proc_exit. Code 0 is an end like any other: the
// instance must not be called again.
type ExitError struct {
	Code uint32
}

func (e *ExitError) Error() string { return fmt.Sprintf("wasi: the guest exited with code %d", e.Code) }
