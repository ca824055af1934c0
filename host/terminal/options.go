package terminal

import (
	"math"
	"time"
)

// Config bounds what one process may hold. A zero field takes its default.
type Config struct {
	// OutputLimit is how many bytes of output are kept between two updates;
	// default 1 MiB. Of more than that the middle is dropped, and a mark with the
	// number of bytes is in its place.
	OutputLimit int

	// WriteLimit is how many bytes a process may print while a call waits for
	// it; default 16 MiB. One that prints for ever pauses there until the next.
	WriteLimit int

	// InputLimit is how many bytes may be typed that the process hasn't read;
	// default 1 MiB.
	InputLimit int
}

func (c Config) withDefaults() Config {
	for _, field := range []struct {
		value    *int
		fallback int
	}{
		{&c.OutputLimit, 1 << 20},
		{&c.WriteLimit, 16 << 20},
		{&c.InputLimit, 1 << 20},
	} {
		if *field.value <= 0 {
			*field.value = field.fallback
		}
	}
	return c
}

// StartOptions say how to start a process.
type StartOptions struct {
	// TTY gives the process a terminal.
	TTY bool

	// Piped gives a process without a terminal a pipe as its input.
	Piped bool

	// YieldTime is how long to wait for the process, in virtual time. Zero is ten
	// seconds; other values are moved into 250 ms to 30 s (S7.8).
	YieldTime time.Duration

	// MaxOutputTokens is where to cut the output, see [Truncate].
	MaxOutputTokens *int

	// At is the time that the process's clock starts at, in nanoseconds since 1970.
	At int64
}

// WriteOptions say how to write to a process.
type WriteOptions struct {
	// YieldTime is as in StartOptions, but zero is 250 ms. When nothing is
	// written it is at least five seconds (S7.8).
	YieldTime time.Duration

	// MaxOutputTokens is as in StartOptions.
	MaxOutputTokens *int

	// At is the time of the call, in nanoseconds since 1970. If the process has
	// already come further, or it is zero, the call follows right after the last.
	At int64
}

const (
	minYield          = 250 * time.Millisecond
	minEmptyYield     = 5 * time.Second
	maxYield          = 30 * time.Second
	defaultStartYield = 10 * time.Second
	defaultWriteYield = minYield
)

func startYield(d time.Duration) time.Duration {
	if d == 0 {
		d = defaultStartYield
	}
	return clampYield(d)
}

func writeYield(d time.Duration, empty bool) time.Duration {
	if d == 0 {
		d = defaultWriteYield
	}
	if empty {
		d = max(d, minEmptyYield)
	}
	return clampYield(d)
}

// clampYield takes whole milliseconds, as the original.
func clampYield(d time.Duration) time.Duration {
	return min(max(d.Truncate(time.Millisecond), minYield), maxYield)
}

// after is d later than ns. Time stops before its end, which is never reached.
func after(ns int64, d time.Duration) int64 {
	if ns > never-1-int64(d) {
		return never - 1
	}
	return ns + int64(d)
}

// never is a time that doesn't come.
const never = math.MaxInt64
