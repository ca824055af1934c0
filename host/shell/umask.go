package shell

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// standardUmask is that of processes that say none.
const standardUmask = 0o022

// umaskName is the variable that has the umask of a shell: subshells have variables
// of their own.
const umaskName = "__SH_UMASK"

// umaskIn gives the permissions that new files don't get.
func umaskIn(env expand.Environ) fs.FileMode {
	mask, err := strconv.ParseUint(env.Get(umaskName).String(), 8, 9)
	if err != nil { // the script has assigned something else
		return standardUmask
	}
	return fs.FileMode(mask)
}

// umaskText is a umask as umaskIn reads it, and as it is printed.
func umaskText(mask fs.FileMode) string { return fmt.Sprintf("%04o", uint32(mask&fs.ModePerm)) }

func (s *session) callUmask(ctx context.Context, args []string) ([]string, error) {
	if len(args) == 1 || args[1] == "-S" {
		return []string{"echo", umaskText(umaskIn(interp.HandlerCtx(ctx).Env))}, nil
	}
	mask, err := strconv.ParseUint(args[1], 8, 9)
	if err != nil {
		return s.complain(ctx, 2, "umask: Illegal number: %s", args[1])
	}
	return []string{"eval", umaskName + "=" + umaskText(fs.FileMode(mask))}, nil
}
