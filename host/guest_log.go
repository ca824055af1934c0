package host

import (
	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// log keeps what the guest says in the record of the call it works on, up to the
// session's limit for a call. Beyond that it counts what it drops.
func (g *guest) log(source LogSource, level LogLevel, text []byte) abi.Status {
	return g.keep(LogEntry{Source: source, Level: level}, wasi.Output{Bytes: text, Total: uint64(len(text))})
}

// drainOutput moves what the guest printed into the record.
func (g *guest) drainOutput() {
	stdout, stderr := g.env.DrainStdout(), g.env.DrainStderr()
	g.stderr = stderr.Bytes
	g.keep(LogEntry{Source: SourceStdout, Level: LogInfo}, stdout)
	g.keep(LogEntry{Source: SourceStderr, Level: LogError}, stderr)
}

func (g *guest) keep(entry LogEntry, output wasi.Output) abi.Status {
	if g.at.record == nil || output.Total == 0 {
		return 0
	}
	kept := output.Bytes[:min(len(output.Bytes), g.config.limits.LogBytes-g.logged)]
	g.logged += len(kept)
	entry.Module = g.module.name
	entry.Text = toUTF8(string(kept))
	entry.Dropped = int(output.Total) - len(kept)
	g.session.addLog(g.at.record, entry)
	if entry.Dropped > 0 {
		return abi.StatusLimit
	}
	return 0
}
