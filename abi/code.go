package abi

// A Code is the code of a sandbox error, such as "exec_timeout". It is an error
// itself, so that errors.Is(err, abi.CodeExecTimeout) asks for a code.
type Code string

// The codes, in the order of their families: configuration, runtime, artifact,
// snapshot.
const (
	CodeInvalidManifestPath      Code = "invalid_manifest_path"
	CodeInvalidCompressionScheme Code = "invalid_compression_scheme"
	CodeApplyPatchInvalidPath    Code = "apply_patch_invalid_path"
	CodeApplyPatchInvalidDiff    Code = "apply_patch_invalid_diff"
	CodeSkillsConfigInvalid      Code = "skills_config_invalid"
	CodeSandboxConfigInvalid     Code = "sandbox_config_invalid"

	CodeExposedPortUnavailable Code = "exposed_port_unavailable"
	CodeExecNonZero            Code = "exec_nonzero"
	CodeExecTimeout            Code = "exec_timeout"
	CodeExecTransport          Code = "exec_transport_error"
	CodePTYSessionNotFound     Code = "pty_session_not_found"
	CodeApplyPatchFileNotFound Code = "apply_patch_file_not_found"
	CodeApplyPatchDecode       Code = "apply_patch_decode_error"
	CodeWorkspaceReadNotFound  Code = "workspace_read_not_found"
	CodeWorkspaceArchiveRead   Code = "workspace_archive_read_error"
	CodeWorkspaceArchiveWrite  Code = "workspace_archive_write_error"
	CodeWorkspaceWriteType     Code = "workspace_write_type_error"
	CodeWorkspaceStop          Code = "workspace_stop_error"
	CodeWorkspaceStart         Code = "workspace_start_error"
	CodeWorkspaceRootNotFound  Code = "workspace_root_not_found"

	CodeLocalFileRead    Code = "local_file_read_error"
	CodeLocalDirRead     Code = "local_dir_read_error"
	CodeLocalChecksum    Code = "local_checksum_error"
	CodeGitMissing       Code = "git_missing_in_image"
	CodeGitClone         Code = "git_clone_error"
	CodeGitSubpath       Code = "git_subpath_error"
	CodeGitCopy          Code = "git_copy_error"
	CodeMountMissingTool Code = "mount_missing_tool"
	CodeMountConfig      Code = "mount_config_invalid"
	CodeMountFailed      Code = "mount_failed"

	CodeSnapshotPersist       Code = "snapshot_persist_error"
	CodeSnapshotRestore       Code = "snapshot_restore_error"
	CodeSnapshotNotRestorable Code = "snapshot_not_restorable"
)

func (c Code) Error() string { return "sandbox error " + string(c) }

// Codes are all codes, in the order of their families. The caller owns the
// slice.
func Codes() []Code {
	return []Code{
		CodeInvalidManifestPath, CodeInvalidCompressionScheme, CodeApplyPatchInvalidPath, CodeApplyPatchInvalidDiff,
		CodeSkillsConfigInvalid, CodeSandboxConfigInvalid,
		CodeExposedPortUnavailable, CodeExecNonZero, CodeExecTimeout, CodeExecTransport, CodePTYSessionNotFound,
		CodeApplyPatchFileNotFound, CodeApplyPatchDecode, CodeWorkspaceReadNotFound, CodeWorkspaceArchiveRead,
		CodeWorkspaceArchiveWrite, CodeWorkspaceWriteType, CodeWorkspaceStop, CodeWorkspaceStart,
		CodeWorkspaceRootNotFound,
		CodeLocalFileRead, CodeLocalDirRead, CodeLocalChecksum, CodeGitMissing, CodeGitClone, CodeGitSubpath,
		CodeGitCopy, CodeMountMissingTool, CodeMountConfig, CodeMountFailed,
		CodeSnapshotPersist, CodeSnapshotRestore, CodeSnapshotNotRestorable,
	}
}
