package host

import (
	"math"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// Limits are what the guests, commands, programs and tools of a session must keep
// to. A field that isn't above 0 takes its default. The first fields are in bytes.
//
// Fuel is a count of what is executed: about one unit an instruction, and more for
// those that work on much memory, and for what the host does when a guest calls it. It is
// the same on every machine and engine. Packages metering, metered and wasi have the
// prices.
type Limits struct {
	InlineBytes int // content longer than this travels as a blob; default 64 KiB
	ReplyBytes  int // longest reply, and what a program prints on a stream, or a workspace's command on both; default 16 MiB
	LogBytes    int // log and output kept per call, the rest is dropped; default 1 MiB
	BlobBytes   int // blob bytes that a guest may create per call; default 256 MiB

	// CallFuel is the most fuel for one call: for its matcher, its responder and the
	// programs that run for it together, and for opening a guest if the call is the
	// guest's first. Closing a guest may take as much again. SessionFuel is that of the
	// whole session, with the closing of its guests; calls that overlap go over it
	// together by little more than 100,000 for each.
	// Default: no limit.
	CallFuel    int64
	SessionFuel int64

	// CallDepth is how deep calls may nest inside a guest. A function with many
	// variables or values counts more than once. Default, and the most: 80,000.
	CallDepth int

	// MemoryBytes is the most memory of an instance, rounded up to pages of 64 KiB, and
	// TableEntries the most entries of each of its tables. A module that wants more from
	// the start can't be used. Default, and the most: what the engine allows, which of
	// memory is 512 MiB unless the engine was made with more.
	MemoryBytes  int64
	TableEntries int

	// CallTime is how long a call may take by the real clock, with the time that it waits
	// for other calls, so that nothing hangs. A call that takes longer fails with a
	// *CallTimeError, which says more about the machine than about the script. It ends
	// guests, and what else heeds its context; a matcher or responder in Go that doesn't
	// is waited for. Default: no limit.
	CallTime time.Duration
}

// MaxCallDepth is the most that Limits.CallDepth can be: the stacks of engines have no
// room for more.
const MaxCallDepth = metered.DefaultDepth

func (l Limits) withDefaults() Limits {
	defaults := Limits{InlineBytes: abi.InlineBytes, ReplyBytes: 16 << 20, LogBytes: 1 << 20, BlobBytes: 256 << 20}
	for _, field := range []struct{ value, fallback *int }{
		{&l.InlineBytes, &defaults.InlineBytes},
		{&l.ReplyBytes, &defaults.ReplyBytes},
		{&l.LogBytes, &defaults.LogBytes},
		{&l.BlobBytes, &defaults.BlobBytes},
	} {
		if *field.value <= 0 {
			*field.value = *field.fallback
		}
	}
	return l
}

// Stricter gives the stricter of two limits, field by field.
func (l Limits) Stricter(other Limits) Limits {
	return Limits{
		InlineBytes:  stricter(l.InlineBytes, other.InlineBytes),
		ReplyBytes:   stricter(l.ReplyBytes, other.ReplyBytes),
		LogBytes:     stricter(l.LogBytes, other.LogBytes),
		BlobBytes:    stricter(l.BlobBytes, other.BlobBytes),
		CallFuel:     stricter(l.CallFuel, other.CallFuel),
		SessionFuel:  stricter(l.SessionFuel, other.SessionFuel),
		CallDepth:    stricter(l.CallDepth, other.CallDepth),
		MemoryBytes:  stricter(l.MemoryBytes, other.MemoryBytes),
		TableEntries: stricter(l.TableEntries, other.TableEntries),
		CallTime:     stricter(l.CallTime, other.CallTime),
	}
}

// stricter is the smaller of two limits; one that isn't above 0 is none.
func stricter[T int | int64 | time.Duration](a, b T) T {
	switch {
	case a <= 0:
		return max(b, 0)
	case b <= 0:
		return a
	default:
		return min(a, b)
	}
}

func (l Limits) message() abi.Limits {
	return abi.Limits{
		InlineBytes: uint64(l.InlineBytes),
		ReplyBytes:  uint64(l.ReplyBytes),
		LogBytes:    uint64(l.LogBytes),
		BlobBytes:   uint64(l.BlobBytes),
	}
}

// code is the part of the limits that code is compiled with.
func (l Limits) code() metered.Limits {
	const mostPages = 1 << 16
	var c metered.Limits
	if l.CallDepth > 0 {
		c.Depth = min(l.CallDepth, MaxCallDepth)
	}
	if l.MemoryBytes > 0 {
		c.MemoryPages = uint32(min((l.MemoryBytes-1)/engine.PageSize+1, mostPages))
	}
	if l.TableEntries > 0 {
		c.TableEntries = uint32(min(int64(l.TableEntries), math.MaxUint32))
	}
	return c
}
