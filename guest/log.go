package guest

import "github.com/wasmsandbox/wasmsandbox/abi"

// A LogLevel is the importance of a log line.
type LogLevel = abi.LogLevel

// The levels.
const (
	LogDebug = abi.LogDebug
	LogInfo  = abi.LogInfo
	LogWarn  = abi.LogWarn
	LogError = abi.LogError
)

// Log adds a line to the record of the current call. The host drops what exceeds
// its limit.
func Log(level LogLevel, message string) { hostLog(level, message) }

// Debug logs at LogDebug.
func Debug(message string) { Log(LogDebug, message) }

// Info logs at LogInfo.
func Info(message string) { Log(LogInfo, message) }

// Warn logs at LogWarn.
func Warn(message string) { Log(LogWarn, message) }

// Error logs at LogError. It fails nothing: return an error for that.
func Error(message string) { Log(LogError, message) }
