package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// limitFlags are the flags that override the limits of scripts.
type limitFlags struct {
	fuel, sessionFuel, depth, memory, callTime *once
}

var limitFlagNames = []string{"fuel", "session-fuel", "max-depth", "max-memory", "call-timeout"}

func addLimitFlags(cmd *cobra.Command) *limitFlags {
	f := &limitFlags{
		fuel:        addOnce(cmd, "fuel", "NUMBER", "most fuel of guests for one call"),
		sessionFuel: addOnce(cmd, "session-fuel", "NUMBER", "most fuel of guests for all calls of a script"),
		depth:       addOnce(cmd, "max-depth", "NUMBER", "how deep calls may nest inside a guest"),
		memory:      addOnce(cmd, "max-memory", "SIZE", "most memory of a guest, such as 64MiB"),
		callTime:    addOnce(cmd, "call-timeout", "TIME", "end a call after a time such as 10s"),
	}
	for _, name := range limitFlagNames {
		mustComplete(cmd, name, cobra.NoFileCompletions)
	}
	return f
}

// parse gives the limits that were set.
func (f *limitFlags) parse() (l host.Limits, err error) {
	var depth, memory int64
	for _, flag := range []struct {
		once  *once
		name  string
		value *int64
	}{{f.fuel, "fuel", &l.CallFuel}, {f.sessionFuel, "session-fuel", &l.SessionFuel}, {f.depth, "max-depth", &depth}} {
		if !flag.once.set {
			continue
		}
		if *flag.value, err = strconv.ParseInt(flag.once.value, 10, 64); err != nil || *flag.value < 1 {
			return l, fmt.Errorf("--%s wants a whole number from 1 on, not %q", flag.name, flag.once.value)
		}
	}
	if l.CallDepth = int(depth); depth > host.MaxCallDepth {
		return l, fmt.Errorf("--max-depth is at most %d, not %s", host.MaxCallDepth, f.depth.value)
	}
	if f.memory.set {
		if memory, err = scripts.ParseSize(f.memory.value); err != nil {
			return l, fmt.Errorf("--max-memory %w, not %q", err, f.memory.value)
		}
		l.MemoryBytes = memory
	}
	if f.callTime.set {
		if l.CallTime, err = time.ParseDuration(f.callTime.value); err != nil || l.CallTime <= 0 {
			return l, fmt.Errorf("--call-timeout wants a time such as 10s, not %q", f.callTime.value)
		}
	}
	return l, nil
}
