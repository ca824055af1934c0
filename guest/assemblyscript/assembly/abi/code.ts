/** The codes of sandbox errors, by family: configuration, runtime, artifact, snapshot. */
export namespace Code {
  export const InvalidManifestPath = "invalid_manifest_path";
  export const InvalidCompressionScheme = "invalid_compression_scheme";
  export const ApplyPatchInvalidPath = "apply_patch_invalid_path";
  export const ApplyPatchInvalidDiff = "apply_patch_invalid_diff";
  export const SkillsConfigInvalid = "skills_config_invalid";
  export const SandboxConfigInvalid = "sandbox_config_invalid";
  export const ExposedPortUnavailable = "exposed_port_unavailable";
  export const ExecNonZero = "exec_nonzero";
  export const ExecTimeout = "exec_timeout";
  export const ExecTransport = "exec_transport_error";
  export const PtySessionNotFound = "pty_session_not_found";
  export const ApplyPatchFileNotFound = "apply_patch_file_not_found";
  export const ApplyPatchDecode = "apply_patch_decode_error";
  export const WorkspaceReadNotFound = "workspace_read_not_found";
  export const WorkspaceArchiveRead = "workspace_archive_read_error";
  export const WorkspaceArchiveWrite = "workspace_archive_write_error";
  export const WorkspaceWriteType = "workspace_write_type_error";
  export const WorkspaceStop = "workspace_stop_error";
  export const WorkspaceStart = "workspace_start_error";
  export const WorkspaceRootNotFound = "workspace_root_not_found";
  export const LocalFileRead = "local_file_read_error";
  export const LocalDirRead = "local_dir_read_error";
  export const LocalChecksum = "local_checksum_error";
  export const GitMissing = "git_missing_in_image";
  export const GitClone = "git_clone_error";
  export const GitSubpath = "git_subpath_error";
  export const GitCopy = "git_copy_error";
  export const MountMissingTool = "mount_missing_tool";
  export const MountConfig = "mount_config_invalid";
  export const MountFailed = "mount_failed";
  export const SnapshotPersist = "snapshot_persist_error";
  export const SnapshotRestore = "snapshot_restore_error";
  export const SnapshotNotRestorable = "snapshot_not_restorable";
}
