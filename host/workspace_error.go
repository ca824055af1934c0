package host

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// pathError is what a path fails with that the policy doesn't allow, or nil if it
// is about something else (S6.66, S6.67).
func pathError(err error) error {
	if escape, ok := errors.AsType[*workspace.EscapeError](err); ok {
		invalid := invalidPath(escape.Path, escape.Reason, "is outside of the root")
		if escape.Reason == workspace.ReasonEscapeRoot {
			invalid = invalidPath(escape.Path, escape.Reason, "leaves the root")
		}
		if escape.Resolved != "" {
			invalid.Context["resolved_path"] = escape.Resolved
		}
		invalid.Cause = err
		return invalid
	}
	if readOnly, ok := errors.AsType[*workspace.ReadOnlyError](err); ok {
		details := map[string]any{
			"path": readOnly.Path, "reason": "read_only_extra_path_grant", "grant_path": readOnly.Grant,
		}
		if readOnly.Resolved != "" {
			details["resolved_path"] = readOnly.Resolved
		}
		return NewSandboxError(CodeWorkspaceArchiveWrite, details, err)
	}
	return nil
}

// readError is what reading a file fails with (S6.11).
func readError(path string, err error) error {
	if e := pathError(err); e != nil {
		return e
	}
	if errors.Is(err, fs.ErrNotExist) {
		return NewSandboxError(CodeWorkspaceReadNotFound, map[string]any{"path": path}, err)
	}
	return NewSandboxError(CodeWorkspaceArchiveRead, map[string]any{"path": path}, err)
}

// writeError is what writing a file fails with.
func writeError(path string, err error) error {
	if e := pathError(err); e != nil {
		return e
	}
	return NewSandboxError(CodeWorkspaceArchiveWrite, map[string]any{"path": path}, err)
}

// commandError is what an operation fails with that the original leaves to a
// command: the command, its exit code, and what it would have said (S6.8 to S6.10).
func commandError(argv []string, exitCode int, complaint string, err error) error {
	if e := pathError(err); e != nil {
		return e
	}
	text := complaint + ": " + reasonText(err) + "\n"
	return NewSandboxError(CodeExecNonZero, map[string]any{
		"command": argv, "command_str": strings.Join(argv, " "), "exit_code": exitCode, "stdout": []byte(nil), "stderr": []byte(text),
	}, err)
}

// reasonText is how commands say why something failed.
func reasonText(err error) string {
	if reason := workspace.ErrnoOf(err); reason != 0 {
		return reason.Text()
	}
	return err.Error()
}
