package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// limitFlags are the flags that override the limits of scripts.
type limitFlags struct {
	numbers  []numberLimit
	sizes    []sizeLimit
	callTime *once
}

// A numberLimit is a flag for a limit that is a count, a sizeLimit for one in bytes.
type (
	numberLimit struct {
		*once
		name string
		most int64 // 0: none
		set  func(l *host.Limits, n int64)
	}
	sizeLimit struct {
		*once
		name string
		set  func(l *host.Limits, bytes int64)
	}
)

var limitFlagNames = []string{
	"fuel", "session-fuel", "max-depth", "max-memory", "max-table", "max-reply", "max-log", "max-blob", "call-timeout",
}

func addLimitFlags(cmd *cobra.Command) *limitFlags {
	number := func(name, usage string, most int64, set func(l *host.Limits, n int64)) numberLimit {
		return numberLimit{addOnce(cmd, name, "NUMBER", usage), name, most, set}
	}
	size := func(name, usage string, set func(l *host.Limits, bytes int64)) sizeLimit {
		return sizeLimit{addOnce(cmd, name, "SIZE", usage), name, set}
	}
	f := &limitFlags{
		numbers: []numberLimit{
			number("fuel", "most fuel of guests for one call", 0,
				func(l *host.Limits, n int64) { l.CallFuel = n }),
			number("session-fuel", "most fuel of guests for all calls of a script", 0,
				func(l *host.Limits, n int64) { l.SessionFuel = n }),
			number("max-depth", "how deep calls may nest inside a guest", host.MaxCallDepth,
				func(l *host.Limits, n int64) { l.CallDepth = int(n) }),
			number("max-table", "most entries of each table of a guest", math.MaxInt32,
				func(l *host.Limits, n int64) { l.TableEntries = int(n) }),
		},
		sizes: []sizeLimit{
			size("max-memory", "most memory of a guest, such as 64MiB",
				func(l *host.Limits, bytes int64) { l.MemoryBytes = bytes }),
			size("max-reply", "longest reply of a guest",
				func(l *host.Limits, bytes int64) { l.ReplyBytes = int(bytes) }),
			size("max-log", "log and output of guests that is kept for one call",
				func(l *host.Limits, bytes int64) { l.LogBytes = int(bytes) }),
			size("max-blob", "most bytes of blobs that a guest may create for one call",
				func(l *host.Limits, bytes int64) { l.BlobBytes = int(bytes) }),
		},
		callTime: addOnce(cmd, "call-timeout", "TIME", "end a call after a time such as 10s"),
	}
	for _, name := range limitFlagNames {
		mustComplete(cmd, name, cobra.NoFileCompletions)
	}
	return f
}

// parse gives the limits that were set.
func (f *limitFlags) parse() (l host.Limits, err error) {
	for _, flag := range f.numbers {
		if !flag.once.set {
			continue
		}
		n, err := strconv.ParseInt(flag.value, 10, 64)
		switch {
		case err != nil || n < 1:
			return l, fmt.Errorf("--%s wants a whole number from 1 on, not %q", flag.name, flag.value)
		case flag.most > 0 && n > flag.most:
			return l, fmt.Errorf("--%s is at most %d, not %s", flag.name, flag.most, flag.value)
		}
		flag.set(&l, n)
	}
	for _, flag := range f.sizes {
		if !flag.once.set {
			continue
		}
		bytes, err := scripts.ParseSize(flag.value)
		if err != nil {
			return l, fmt.Errorf("--%s %w, not %q", flag.name, err, flag.value)
		}
		flag.set(&l, bytes)
	}
	if f.callTime.set {
		if l.CallTime, err = time.ParseDuration(f.callTime.value); err != nil || l.CallTime <= 0 {
			return l, fmt.Errorf("--call-timeout wants a time such as 10s, not %q", f.callTime.value)
		}
	}
	return l, nil
}
