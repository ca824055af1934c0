package host

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// newShell makes what runs the commands of the workspace.
func (b *backing) newShell() *shell.Shell {
	sets := []map[string]shell.Tool{b.config.Tools}
	if !b.config.WithoutUtilities {
		sets = append(sets, builtin.Tools())
	}
	return &shell.Shell{
		Files:    b.files,
		Lookup:   shell.Tools(sets...),
		Module:   b.runFile,
		Env:      b.environment(),
		Accounts: b.accounts(),
		Limits:   shell.Limits{Output: int64(b.session.config.limits.ReplyBytes)},
	}
}

// accounts are the users and groups of the manifest.
func (b *backing) accounts() shell.Accounts {
	manifest := &b.session.config.manifest
	accounts := shell.Accounts{Users: manifest.Users, Groups: make([]shell.Group, len(manifest.Groups))}
	for i, group := range manifest.Groups {
		accounts.Groups[i] = shell.Group(group)
	}
	return accounts
}

// environment is that of all commands: what every login has, and the manifest's.
func (b *backing) environment() []string {
	env := map[string]string{
		"HOME": b.files.Policy().Root(), "PATH": "/usr/local/bin:/usr/bin:/bin", "SHELL": "/bin/sh",
		"LANG": "C.UTF-8", "TZ": "UTC",
	}
	maps.Copy(env, b.session.config.manifest.Environment)
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// errExecTimeout ends a command whose time is up.
var errExecTimeout = errors.New("host: the command's time is up")

// exec runs a command in the workspace to its end. Its timeout counts what the
// command sleeps, which takes no time, and on the real clock, for commands that don't
// end.
func (b *backing) exec(ctx context.Context, r *ExecRequest) (any, error) {
	command := argv.OfExec(r)
	if len(command) == 0 {
		return nil, b.execError(CodeExecTransport, command, nil, errors.New("there is no command"))
	}
	var stdout, stderr bytes.Buffer
	process := shell.Process{Args: command, Stdout: &stdout, Stderr: &stderr, Sleep: b.sleep}
	running := ctx
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		running, cancel = context.WithTimeoutCause(ctx, r.Timeout, errExecTimeout)
		defer cancel()
		process.Sleep = b.sleepWithin(r.Timeout)
	}
	code, err := b.shell.Run(running, process)
	switch {
	case err == nil:
		return ExecResult{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), ExitCode: code}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errExecTimeout), context.Cause(running) == errExecTimeout:
		return nil, b.execError(CodeExecTimeout, command, map[string]any{"timeout_s": r.Timeout}, errExecTimeout)
	}
	return nil, b.commandFailure(command, err)
}

// commandFailure is what a command fails with that gave no exit code. What is the
// shell's own is a failure to run it; what a tool failed with is the tool's (S3.11).
func (b *backing) commandFailure(command []string, err error) error {
	if full, ok := errors.AsType[*fs.PathError](err); ok && isA[*workspace.LimitError](err) {
		return writeError(full.Path, err) // of a redirection
	}
	if limit, ok := errors.AsType[*shell.LimitError](err); ok {
		return b.execError(CodeExecTransport, command, map[string]any{"limit": limit.Limit, "limit_max": limit.Max}, err)
	}
	if isA[*shell.InternalError](err) || errors.Is(err, errors.ErrUnsupported) {
		return b.execError(CodeExecTransport, command, nil, err)
	}
	return err
}

func (b *backing) execError(code Code, command []string, details map[string]any, cause error) error {
	if details == nil {
		details = map[string]any{}
	}
	details["command"], details["command_str"] = command, strings.Join(command, " ")
	return NewSandboxError(code, details, cause)
}

// sleep lets a command sleep without waiting: the session's clock moves on.
func (b *backing) sleep(_ context.Context, d time.Duration) error {
	b.files.AdvanceTo(saturating.Add(b.files.Now(), int64(max(d, 0))))
	return nil
}

// sleepWithin is sleep for no longer than a time, all of it together: what other calls
// sleep meanwhile doesn't count.
func (b *backing) sleepWithin(left time.Duration) func(context.Context, time.Duration) error {
	return func(ctx context.Context, d time.Duration) error {
		d = max(d, 0)
		slept := min(d, left)
		left -= slept
		if err := b.sleep(ctx, slept); err != nil || slept == d {
			return err
		}
		return errExecTimeout
	}
}
