package wasi

import (
	"context"
	"io"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// DefaultTick is how much a clock moves on each time it is read.
const DefaultTick = time.Microsecond

// The default limits of what is kept of the output between two drains, in bytes.
const (
	DefaultMaxStdout = 1 << 20
	DefaultMaxStderr = 64 << 10
)

// DefaultMaxDescriptors is how many descriptors an instance can have open.
const DefaultMaxDescriptors = 1024

// Config describes an Env. The zero value works.
type Config struct {
	// Now is what the realtime clock starts from, in nanoseconds since 1970. It
	// starts from the time of Files where that is later.
	Now int64

	// Tick is how much the clocks move on before each read. 0 means
	// DefaultTick; a clock with a negative tick stands still.
	Tick time.Duration

	// Seed decides all random bytes.
	Seed uint64

	// Args are the arguments, the program's name first. They are kept, and must
	// not change; none may have a NUL byte, where C sees the end of a string.
	Args []string

	// Env is the environment, as in "KEY=value". The same goes for it. With Files
	// it gets a PWD, unless there is one: Go takes the working folder from there.
	Env []string

	// Files are the files that the guest sees, which is all that its policy lets
	// be used. nil: there are none. Env.Close gives up what the guest leaves open.
	Files *workspace.Tree

	// Dir is the working folder, as an absolute path of Files. "" is the root. If
	// it can't be opened, the guest has none, and no relative paths.
	Dir string

	// MaxDescriptors bounds the descriptors open at a time, the standard streams
	// and what is open from the start counted in. 0 means DefaultMaxDescriptors.
	MaxDescriptors int

	// Stdin is what the guest can read. It is kept, and must not change.
	Stdin []byte

	// Input, when not nil, is where standard input comes from instead of Stdin. It
	// waits until there is some, puts it into p, which it doesn't keep, and says
	// how much it was: 0, or io.EOF, is the end. It returns when the context ends.
	// Other errors end the guest's call.
	Input func(ctx context.Context, p []byte) (int, error)

	// Stdout and Stderr, when not nil, get what the guest writes to these streams
	// as it is written; then it isn't captured, and has no limit. io.ErrClosedPipe
	// is EPIPE to the guest, and other errors end its call.
	Stdout, Stderr io.Writer

	// Pipes says which of standard input, output and error are a pipe or a file to
	// the guest. The others are a terminal: a C library writes each line at once,
	// and a program may use colours.
	Pipes [3]bool

	// Sleep, when not nil, is called when the guest sleeps, before its clocks move
	// on by that time. Without it no time is spent. It returns when the context
	// ends; an error ends the guest's call. A guest that waits for Input with a
	// timeout calls both at a time, unless there is Poll.
	Sleep func(ctx context.Context, d time.Duration) error

	// Poll, when not nil, is called when the guest waits for Input no longer than a
	// time. It waits until there is some, or the end, or that time has passed, and
	// reports whether Input has something to say. It returns when the context ends;
	// an error ends the guest's call.
	Poll func(ctx context.Context, d time.Duration) (ready bool, err error)

	// MaxStdout and MaxStderr bound what is kept of the output between two
	// drains, in bytes. 0 means the default, less than 0 that nothing is kept.
	MaxStdout, MaxStderr int

	// StrictStdout and StrictStderr end the call of a guest that writes more than
	// the limit, with ErrOutputLimit.
	StrictStdout, StrictStderr bool
}
