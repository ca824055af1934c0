package host

import "github.com/wasmsandbox/wasmsandbox/abi"

// A Record is a call and what became of it.
type Record struct {
	Call Call

	// Step is the zero-based position of the step that the call consumed, or -1.
	Step int

	// Expected and Source are of the step that was next when the call came: its method
	// and where it was written. They are zero if none was left, or the workspace answered.
	Expected Method
	Source   string

	// Outcome is how the consumed step answers, or OutcomeWorkspace if the workspace
	// did. OutcomeNone: nothing answered.
	Outcome OutcomeKind

	// Done says that the call has returned. It is false while a matcher or
	// responder runs, and for good if that ended its goroutine.
	Done bool

	// Err is what the caller got, or nil.
	Err error

	// Logs are the lines that guests logged for this call, and what they printed.
	Logs []LogEntry

	// Fuel is what guests, commands, programs and tools used for this call, in the
	// units of Limits. 0: none ran, or the engine doesn't count.
	Fuel int64
}

// A LogEntry is one line that a guest logged, or what it printed.
type LogEntry struct {
	Module string // the name that the guest was loaded under
	Source LogSource
	Level  LogLevel // of a line logged
	Text   string   // as the guest gave it, invalid UTF-8 replaced

	// Dropped counts the bytes that aren't in Text because of a limit.
	Dropped int
}

// A LogSource is how a guest said something.
type LogSource uint8

const (
	SourceLog    LogSource = iota // the import log
	SourceStdout                  // standard output
	SourceStderr                  // standard error
)

// String is "log", "stdout" or "stderr".
func (s LogSource) String() string {
	switch s {
	case SourceStdout:
		return "stdout"
	case SourceStderr:
		return "stderr"
	default:
		return "log"
	}
}

// A LogLevel is the importance of a log line.
type LogLevel = abi.LogLevel

// The levels.
const (
	LogDebug = abi.LogDebug
	LogInfo  = abi.LogInfo
	LogWarn  = abi.LogWarn
	LogError = abi.LogError
)

// addLog adds to a record. When nothing of the entry could be kept, its size is
// added to that of the entry before it.
func (s *Scripted) addLog(rec *record, entry LogEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	details := rec.details()
	if n := len(details.logs); n > 0 && entry.Text == "" && entry.Dropped > 0 {
		details.logs[n-1].Dropped += entry.Dropped
		return
	}
	details.logs = append(details.logs, entry)
}
