package builtin

import (
	"slices"
	"strconv"
	"strings"
)

// signals are the names of those of Linux, by their numbers.
var signals = strings.Fields(`EXIT HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT
	STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH POLL PWR SYS`)

// lastSignal is the last of the signals that have no other names than those for real time.
const lastSignal = 64

// signalName finds a signal by its name or number. One without a name is called by its number.
func signalName(text string) (name string, found bool) {
	if n, err := strconv.Atoi(text); err == nil {
		if n >= 0 && n < len(signals) {
			return signals[n], true
		}
		return text, n >= 0 && n <= lastSignal
	}
	name = strings.TrimPrefix(strings.ToUpper(text), "SIG")
	return name, slices.Contains(signals, name)
}
