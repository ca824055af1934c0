package host

import (
	"math"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// log keeps what the guest says in the record of the call it works on, up to the
// session's limit for a call. Beyond that it counts what it drops.
func (g *guest) log(source LogSource, level LogLevel, text []byte) abi.Status {
	return g.keep(LogEntry{Source: source, Level: level}, wasi.Output{Bytes: text, Total: uint64(len(text))})
}

// drainOutput moves what the guest printed into the record: of standard error the
// end, where a guest that dies says why.
func (g *guest) drainOutput() {
	stdout, stderr := g.env.DrainStdout(), g.env.DrainStderr()
	g.stderr = stderr.Bytes
	if stdout.Total == 0 && stderr.Total == 0 {
		return
	}
	stderr.Bytes = stderr.Bytes[max(0, len(stderr.Bytes)-g.logRoom()):]
	stdout.Bytes = stdout.Bytes[:min(len(stdout.Bytes), max(0, g.logRoom()-len(stderr.Bytes)))]
	g.keep(LogEntry{Source: SourceStdout, Level: LogInfo}, stdout)
	g.keep(LogEntry{Source: SourceStderr, Level: LogError}, stderr)
}

// logRoom is how many bytes may still be kept for the call.
func (g *guest) logRoom() int {
	if g.logs.entries >= maxLogEntries {
		return 0
	}
	return g.limits.LogBytes - g.logs.bytes
}

// maxLogEntries bounds the entries of a call, which cost more than their text
// when that is short.
const maxLogEntries = 10_000

// logBudget counts what was kept for a call, over all that the guest did for it.
type logBudget struct {
	bytes   int
	entries int
}

func (g *guest) keep(entry LogEntry, output wasi.Output) abi.Status {
	if g.at.record == nil || output.Total == 0 {
		return 0
	}
	kept := output.Bytes[:min(len(output.Bytes), g.logRoom())]
	g.logs.bytes += len(kept)
	g.logs.entries++
	entry.Module = g.module.name
	entry.Text = toUTF8(string(kept))
	entry.Dropped = int(min(output.Total-uint64(len(kept)), math.MaxInt))
	g.reuse.capture(entry)
	g.session.addLog(g.at.record, entry)
	if entry.Dropped > 0 {
		return abi.StatusLimit
	}
	return 0
}
