package builtin

import (
	"strconv"
	"strings"
)

// signals are the names of those that scripts send.
var signals = map[string]bool{
	"HUP": true, "INT": true, "QUIT": true, "ABRT": true, "KILL": true, "USR1": true, "USR2": true, "ALRM": true, "TERM": true, "STOP": true, "CONT": true,
}

func isSignal(name string) bool {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	if n, err := strconv.Atoi(name); err == nil {
		return n >= 0 && n <= 64
	}
	return signals[name]
}

func isKill(name string) bool {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	return name == "KILL" || name == "9"
}
