package host_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

const (
	no      = host.RetryableNo
	unknown = host.RetryableUnknown
)

// sandboxErrors are the rows of S7.3, and the code without a class.
var sandboxErrors = []struct {
	code      host.Code
	name      string
	op        host.Op
	retryable host.Retryable
}{
	{host.CodeInvalidManifestPath, "invalid_manifest_path", host.OpMaterialize, no},
	{host.CodeInvalidCompressionScheme, "invalid_compression_scheme", host.OpWrite, no},
	{host.CodeExposedPortUnavailable, "exposed_port_unavailable", host.OpResolveExposedPort, unknown},
	{host.CodeExecNonZero, "exec_nonzero", host.OpExec, no},
	{host.CodeExecTimeout, "exec_timeout", host.OpExec, no},
	{host.CodeExecTransport, "exec_transport_error", host.OpExec, unknown},
	{host.CodePTYSessionNotFound, "pty_session_not_found", host.OpExec, no},
	{host.CodeApplyPatchInvalidPath, "apply_patch_invalid_path", host.OpApplyPatch, no},
	{host.CodeApplyPatchInvalidDiff, "apply_patch_invalid_diff", host.OpApplyPatch, no},
	{host.CodeApplyPatchFileNotFound, "apply_patch_file_not_found", host.OpApplyPatch, no},
	{host.CodeApplyPatchDecode, "apply_patch_decode_error", host.OpApplyPatch, no},
	{host.CodeWorkspaceReadNotFound, "workspace_read_not_found", host.OpRead, no},
	{host.CodeWorkspaceArchiveRead, "workspace_archive_read_error", host.OpRead, unknown},
	{host.CodeWorkspaceArchiveWrite, "workspace_archive_write_error", host.OpWrite, unknown},
	{host.CodeWorkspaceWriteType, "workspace_write_type_error", host.OpWrite, no},
	{host.CodeWorkspaceStop, "workspace_stop_error", host.OpStop, unknown},
	{host.CodeWorkspaceStart, "workspace_start_error", host.OpStart, unknown},
	{host.CodeWorkspaceRootNotFound, "workspace_root_not_found", host.OpExec, no},
	{host.CodeLocalFileRead, "local_file_read_error", host.OpMaterialize, no},
	{host.CodeLocalDirRead, "local_dir_read_error", host.OpMaterialize, no},
	{host.CodeLocalChecksum, "local_checksum_error", host.OpMaterialize, no},
	{host.CodeGitMissing, "git_missing_in_image", host.OpMaterialize, no},
	{host.CodeGitClone, "git_clone_error", host.OpMaterialize, unknown},
	{host.CodeGitSubpath, "git_subpath_error", host.OpMaterialize, no},
	{host.CodeGitCopy, "git_copy_error", host.OpMaterialize, unknown},
	{host.CodeMountMissingTool, "mount_missing_tool", host.OpMaterialize, no},
	{host.CodeMountConfig, "mount_config_invalid", host.OpMaterialize, no},
	{host.CodeMountFailed, "mount_failed", host.OpMaterialize, no},
	{host.CodeSkillsConfigInvalid, "skills_config_invalid", host.OpMaterialize, no},
	{host.CodeSandboxConfigInvalid, "sandbox_config_invalid", "", unknown},
	{host.CodeSnapshotPersist, "snapshot_persist_error", host.OpSnapshotPersist, unknown},
	{host.CodeSnapshotRestore, "snapshot_restore_error", host.OpSnapshotRestore, unknown},
	{host.CodeSnapshotNotRestorable, "snapshot_not_restorable", host.OpSnapshotRestore, no},
}

// S7.11, S7.14: each code has its operation, its retryability and words.
func TestSandboxErrors(t *testing.T) {
	texts := map[string]host.Code{}
	listed := map[host.Code]bool{}
	for _, row := range sandboxErrors {
		t.Run(row.name, func(t *testing.T) {
			listed[row.code] = true
			details := map[string]any{"path": "secret"}
			e := host.NewSandboxError(row.code, details, errBoom)
			if string(row.code) != row.name || e.Code != row.code || e.Op != row.op || e.Retryable != row.retryable {
				t.Errorf("code %q, op %q, retryable %v", e.Code, e.Op, e.Retryable)
			}
			if e.Error() == "" || texts[e.Error()] != "" {
				t.Errorf("text %q is that of %q", e, texts[e.Error()])
			}
			texts[e.Error()] = row.code
			if !reflect.DeepEqual(e.Context, details) || !errors.Is(e, errBoom) {
				t.Errorf("context %v, cause %v", e.Context, e.Cause)
			}
			wrapped := fmt.Errorf("wrapped: %w", e)
			for _, other := range sandboxErrors {
				if errors.Is(wrapped, other.code) != (other.code == row.code) {
					t.Errorf("it is the code %s: %v", other.code, errors.Is(wrapped, other.code))
				}
			}
		})
	}
	if len(host.Codes()) != 33 || len(listed) != 33 {
		t.Errorf("%d codes, %d tested", len(host.Codes()), len(listed))
	}
	for _, code := range host.Codes() {
		if !listed[code] {
			t.Errorf("%s isn't tested", code)
		}
	}
}

// S6.83: Go programs find the standard errors, too.
func TestSandboxErrorsMatchStandardErrors(t *testing.T) {
	missing := map[host.Code]bool{
		host.CodeWorkspaceReadNotFound: true, host.CodeApplyPatchFileNotFound: true, host.CodeWorkspaceRootNotFound: true,
	}
	for _, code := range host.Codes() {
		e := host.NewSandboxError(code, nil, nil)
		if errors.Is(e, fs.ErrNotExist) != missing[code] {
			t.Errorf("%s is fs.ErrNotExist: %v", code, errors.Is(e, fs.ErrNotExist))
		}
		if errors.Is(e, context.DeadlineExceeded) != (code == host.CodeExecTimeout) {
			t.Errorf("%s is context.DeadlineExceeded: %v", code, errors.Is(e, context.DeadlineExceeded))
		}
		if errors.Is(e, context.Canceled) || errors.Is(e, errBoom) || errors.Is(e, host.Code("other")) {
			t.Errorf("%s is something else", code)
		}
	}
}

// S7.12: what isn't known of an error is known of its cause.
func TestRetryabilityComesFromTheCause(t *testing.T) {
	retry := &host.SandboxError{Code: host.CodeExecTransport, Retryable: host.RetryableYes}
	for name, test := range map[string]struct {
		code  host.Code
		cause error
		want  host.Retryable
	}{
		"unknown, and no cause":                {host.CodeWorkspaceStart, nil, unknown},
		"unknown, and the cause knows nothing": {host.CodeWorkspaceStart, errBoom, unknown},
		"unknown, and the cause is retryable":  {host.CodeWorkspaceStart, retry, host.RetryableYes},
		"unknown, and it is further down":      {host.CodeWorkspaceStart, fmt.Errorf("x: %w", retry), host.RetryableYes},
		"known":                                {host.CodeExecTimeout, retry, no},
	} {
		if e := host.NewSandboxError(test.code, nil, test.cause); e.Retryable != test.want {
			t.Errorf("%s: %v, want %v", name, e.Retryable, test.want)
		}
	}
	for reason, want := range map[string]host.Retryable{"not_configured": no, "backend_unavailable": unknown} {
		e := host.NewSandboxError(host.CodeExposedPortUnavailable, map[string]any{"reason": reason}, nil)
		if e.Retryable != want {
			t.Errorf("a port that is %s: %v", reason, e.Retryable)
		}
	}
}

// A nil pointer in an error that isn't nil is what a func gives that returns its own type
// of error.
func TestANilPointerAsTheCauseIsNone(t *testing.T) {
	e := host.NewSandboxError(host.CodeWorkspaceStart, nil, (*host.SandboxError)(nil))
	if e.Cause != nil || errors.Is(e, host.CodeExecTimeout) {
		t.Errorf("the cause is %#v", e.Cause)
	}
}

// S7.16: a command's own words come before ours.
func TestTheTextOfANonZeroExit(t *testing.T) {
	for name, test := range map[string]struct {
		context map[string]any
		want    string
	}{
		"both outputs":          {map[string]any{"stdout": []byte("o"), "stderr": "e", "exit_code": 2}, "stdout: o\nstderr: e"},
		"only stdout":           {map[string]any{"stdout": []byte("o\xff"), "exit_code": 2}, "o\uFFFD"},
		"only stderr":           {map[string]any{"stderr": []byte("e"), "exit_code": 2}, "e"},
		"no output":             {map[string]any{"stdout": []byte{}, "exit_code": int64(2)}, "the command exited with code 2"},
		"no output, and no int": {map[string]any{"exit_code": "2"}, "the command exited with a non-zero code"},
		"no context":            {nil, "the command exited with a non-zero code"},
	} {
		if e := host.NewSandboxError(host.CodeExecNonZero, test.context, nil); e.Error() != test.want {
			t.Errorf("%s: %q, want %q", name, e, test.want)
		}
	}
}

// S7.17: an empty message is the code's own.
func TestSandboxErrorsMadeByHand(t *testing.T) {
	for want, e := range map[string]*host.SandboxError{
		"my words":              {Code: host.CodeExecTransport, Message: "my words"},
		"the command timed out": {Code: host.CodeExecTimeout},
		"sandbox error odd":     {Code: "odd"},
	} {
		if e.Error() != want || !errors.Is(e, e.Code) {
			t.Errorf("text %q, want %q", e, want)
		}
	}
}

func TestPlainContext(t *testing.T) {
	e := host.NewSandboxError(host.CodeExecTimeout, map[string]any{
		"command": []string{"a", "b"}, "timeout_s": 1500 * time.Millisecond, "exit_code": 3, "stdout": []byte("text"),
		"stderr": []byte{0xff}, "list": []any{1, []byte("x"), nil, true}, "map": map[string]any{"k": 2}, "text": "t\xff",
	}, nil)
	want := map[string]any{
		"command": []any{"a", "b"}, "timeout_s": 1.5, "exit_code": int64(3), "stdout": "text",
		"stderr": map[string]any{"base64": "/w=="}, "list": []any{int64(1), "x", nil, true}, "map": map[string]any{"k": int64(2)},
		"text": map[string]any{"base64": "dP8="},
	}
	if got := e.PlainContext(); !reflect.DeepEqual(got, want) {
		t.Errorf("context %v, want %v", got, want)
	}
	if got := (&host.SandboxError{}).PlainContext(); got == nil || len(got) != 0 {
		t.Errorf("no context is %v", got)
	}
}
