package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Code is the code of a sandbox error. It is an error itself:
//
//	errors.Is(err, host.CodeExecTimeout)
type Code = abi.Code

// Retryable tells whether the same call may succeed later.
type Retryable = abi.Retryable

// The values of Retryable. The zero value is unknown.
const (
	RetryableUnknown = abi.RetryableUnknown
	RetryableNo      = abi.RetryableNo
	RetryableYes     = abi.RetryableYes
)

// An Op is the operation that a sandbox error is about (S7.14).
type Op string

// The operations.
const (
	OpStart              Op = "start"
	OpStop               Op = "stop"
	OpExec               Op = "exec"
	OpRead               Op = "read"
	OpWrite              Op = "write"
	OpShutdown           Op = "shutdown"
	OpRunning            Op = "running"
	OpPersistWorkspace   Op = "persist_workspace"
	OpHydrateWorkspace   Op = "hydrate_workspace"
	OpResolveExposedPort Op = "resolve_exposed_port"
	OpMaterialize        Op = "materialize"
	OpSnapshotPersist    Op = "snapshot_persist"
	OpSnapshotRestore    Op = "snapshot_restore"
	OpApplyPatch         Op = "apply_patch"
)

// ops are all of them.
var ops = []Op{
	OpStart, OpStop, OpExec, OpRead, OpWrite, OpShutdown, OpRunning, OpPersistWorkspace, OpHydrateWorkspace,
	OpResolveExposedPort, OpMaterialize, OpSnapshotPersist, OpSnapshotRestore, OpApplyPatch,
}

// A SandboxError is an error of the sandbox itself: what a real session would
// fail with. errors.Is finds it by its [Code]; the codes for missing files match
// fs.ErrNotExist as well, and a timeout context.DeadlineExceeded (S6.83).
//
// A value is made by NewSandboxError, or by hand: only the code is needed.
type SandboxError struct {
	Code      Code
	Op        Op             // "": the code's own
	Message   string         // "": the code's own
	Context   map[string]any // what it is about, by the names of S7.3; may be nil
	Cause     error
	Retryable Retryable
}

// NewSandboxError makes an error with the operation, message and retryability
// that belong to its code. A code whose retryability is unknown takes that of
// the cause, if that is a sandbox error (S7.12). A nil pointer as the cause is none.
// It keeps the map.
func NewSandboxError(code Code, details map[string]any, cause error) *SandboxError {
	if isNilValue(cause) {
		cause = nil // or looking for what is behind the error would panic
	}
	known := codes[code]
	e := &SandboxError{Code: code, Op: known.op, Context: details, Cause: cause, Retryable: known.retryable}
	switch {
	case code == CodeExposedPortUnavailable && details["reason"] == "not_configured":
		e.Retryable = RetryableNo
	case code == CodeExecNonZero:
		e.Message = execNonZeroMessage(details)
	}
	if inner, ok := errors.AsType[*SandboxError](cause); ok && e.Retryable == RetryableUnknown {
		e.Retryable = inner.Retryable
	}
	return e
}

// Error is the message, or the code's own when there is none.
func (e *SandboxError) Error() string {
	if e.Message != "" {
		return e.Message
	}
	if known, ok := codes[e.Code]; ok {
		return known.message
	}
	return e.Code.Error()
}

// Unwrap gives the cause.
func (e *SandboxError) Unwrap() error { return e.Cause }

// Is reports true for the error's code, and for the standard error that the
// code stands for.
func (e *SandboxError) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return e.Code == CodeWorkspaceReadNotFound || e.Code == CodeApplyPatchFileNotFound ||
			e.Code == CodeWorkspaceRootNotFound
	case context.DeadlineExceeded:
		return e.Code == CodeExecTimeout
	}
	code, ok := target.(Code)
	return ok && code == e.Code
}

// execNonZeroMessage shows what the command printed, or its exit code (S7.16).
func execNonZeroMessage(details map[string]any) string {
	stdout, stderr := outputText(details["stdout"]), outputText(details["stderr"])
	switch {
	case stdout != "" && stderr != "":
		return "stdout: " + stdout + "\nstderr: " + stderr
	case stdout != "" || stderr != "":
		return stdout + stderr
	}
	switch code := details["exit_code"].(type) {
	case int, int64:
		return fmt.Sprintf("the command exited with code %d", code)
	default:
		return ""
	}
}

func outputText(v any) string {
	switch v := v.(type) {
	case []byte:
		return strings.ToValidUTF8(string(v), string(utf8.RuneError))
	case string:
		return v
	default:
		return ""
	}
}
