package argv

import (
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// OfExec is what exec runs. The caller owns the slice.
func OfExec(r *abi.ExecRequest) []string { return Of(r.Command, r.Shell, r.User) }

// OfTerminal is what pty_exec_start runs. The caller owns the slice.
func OfTerminal(r *abi.PTYExecStartRequest) []string { return Of(r.Command, r.Shell, r.User) }

// Of wraps the parts of a command in a shell, and both in sudo, unless the user is
// "" (S6.5). The caller owns the slice. It is empty only if there are no parts, no
// shell and no user.
func Of(parts []string, shell abi.Shell, user string) []string {
	var argv []string
	if user != "" {
		argv = []string{"sudo", "-u", user, "--"}
	}
	wrapper := wrapperOf(shell)
	if len(wrapper) == 0 {
		return slices.Concat(argv, parts)
	}
	return append(append(argv, wrapper...), script(parts))
}

// wrapperOf is what comes before the script (S6.2). It is empty where the parts are
// to be run as they are, as for a list that is empty (S6.3).
func wrapperOf(shell abi.Shell) []string {
	switch shell.Mode {
	case abi.ShellDefault:
		return []string{"sh", "-lc"}
	case abi.ShellArgv:
		return shell.Argv
	default:
		return nil
	}
}

// script is one part as it is, any other number of them quoted (S6.2).
func script(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return Join(parts)
}
